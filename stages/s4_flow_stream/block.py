"""One block of a transformer, small enough to draw: 16 tokens of 32 numbers, two heads."""

from __future__ import annotations

import math
from functools import cache

import torch
from torch import nn

__all__ = ["Block", "block", "tokens"]


class Block(nn.Module):
    """Attention written out, then a feed-forward net, each with a norm before and a sum after."""

    def __init__(self, width: int = 32, heads: int = 2) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Tokens of shape (batch, length, width), and the same shape out."""
        batch, length, width = x.shape
        parts = self.qkv(self.norm1(x)).chunk(3, dim=-1)
        split = (batch, length, self.heads, width // self.heads)
        q, k, v = (part.reshape(split).transpose(1, 2) for part in parts)
        scores = q @ k.transpose(-1, -2) / math.sqrt(width // self.heads)
        mixed = torch.softmax(scores, dim=-1) @ v
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(nn.functional.gelu(self.up(self.norm2(x))))


@cache
def block() -> Block:
    """A block with fixed weights, in evaluation."""
    torch.manual_seed(0)
    return Block().eval()


def tokens() -> torch.Tensor:
    """An input for it."""
    torch.manual_seed(1)
    return torch.randn(1, 16, 32)
