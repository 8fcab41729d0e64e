"""Write a transformer encoder as MLIR: the benchmarks' large program, the same on every machine.

    python tests/bench/encoder.py OUT.mlir [--layers 4] [--dim 256] [--weights OUT.irpa]

iree-turbine exports it; the weights stay outside of the IR, as in any real model, so that the file
is a few hundred lines and the dump has no constants in it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from iree.turbine import aot
from torch import nn

HEADS = 4
TOKENS = 64


class Layer(nn.Module):
    """Self-attention and a feed-forward block, each with a residual and a norm before it."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)

    def attend(self, x: torch.Tensor) -> torch.Tensor:
        """Every token looks at all tokens."""
        batch, tokens, dim = x.shape
        parts = self.qkv(x).reshape(batch, tokens, 3, HEADS, dim // HEADS)
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        weights = torch.softmax(q @ k.transpose(-1, -2) * (dim // HEADS) ** -0.5, dim=-1)
        out: torch.Tensor = self.out((weights @ v).transpose(1, 2).reshape(batch, tokens, dim))
        return out

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(batch, tokens, dim) to the same shape."""
        x = x + self.attend(self.norm1(x))
        out: torch.Tensor = x + self.down(nn.functional.gelu(self.up(self.norm2(x))))
        return out


def encoder(layers: int = 4, dim: int = 256) -> nn.Module:
    """The model, with weights from a fixed seed."""
    torch.manual_seed(0)
    return nn.Sequential(*(Layer(dim) for _ in range(layers)), nn.LayerNorm(dim)).eval()


def write(out: Path, *, layers: int = 4, dim: int = 256, weights: Path | None = None) -> Path:
    """Export the encoder to `out`, and its weights if a file is named for them."""
    model = encoder(layers, dim)
    if weights is not None:
        aot.save_module_parameters(weights, model)
    aot.externalize_module_parameters(model)
    exported = aot.export(model, args=(torch.zeros(1, TOKENS, dim),), module_name="encoder")
    out.write_text(str(exported.mlir_module))
    return out


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--dim", type=int, default=256)
    parser.add_argument("--weights", type=Path, help="also write the weights to this .irpa file")
    asked = parser.parse_args()
    write(asked.out, layers=asked.layers, dim=asked.dim, weights=asked.weights)
    print(f"{asked.out}: {asked.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
