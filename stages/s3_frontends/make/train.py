"""Train both nets and write weights.npz: python -m stages.s3_frontends.make.train (about 15 s)."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn

from stages.s2_pipeline.digits import split
from stages.s3_frontends.nets import CNN, HERE, MLP


def train(model: nn.Module, shape: tuple[int, ...], epochs: int) -> nn.Module:
    """Adam on the 1437 digits to learn from, one core, a fixed seed."""
    torch.set_num_threads(1)
    learn, _ = split()
    x, y = torch.from_numpy(learn.images).reshape(-1, *shape), torch.from_numpy(learn.labels)
    optimiser = torch.optim.Adam(model.parameters(), lr=3e-3)
    for _ in range(epochs):
        for rows in torch.randperm(len(x)).split(32):
            optimiser.zero_grad()
            nn.functional.cross_entropy(model(x[rows]), y[rows]).backward()
            optimiser.step()
    return model.eval()


def main() -> None:
    """Write the file, and say how good the nets are."""
    _, held = split()
    arrays: dict[str, Any] = {}
    for name, make, shape, epochs in (("mlp", MLP, (64,), 40), ("cnn", CNN, (1, 8, 8), 25)):
        torch.manual_seed(0)
        model = train(make(), shape, epochs)
        scores = model(torch.from_numpy(held.images).reshape(-1, *shape))
        right = int((scores.argmax(1).numpy() == held.labels).sum())
        print(f"{name}: {right} of {len(held.labels)} held-out digits")
        arrays |= {f"{name}/{key}": value.numpy() for key, value in model.state_dict().items()}
    np.savez(HERE / "weights.npz", **arrays)


if __name__ == "__main__":
    main()
