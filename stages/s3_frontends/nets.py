"""Two classifiers of handwritten digits, with the same trained weights on every road.

The weights lie in `weights.npz`, made by `make/train.py`; what a road makes of them lies in
`imported/`, made by `make/imports.py` and `make/with_tf.py`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

__all__ = ["BATCH", "CNN", "MLP", "NETS", "example", "net", "weights"]

HERE = Path(__file__).parent
BATCH = 4
NETS = ("mlp", "cnn")


class MLP(nn.Module):
    """64 → 32 → 10, 2410 parameters."""

    def __init__(self) -> None:
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(64, 32), nn.Linear(32, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Scores, shape (batch, 10), for images of shape (batch, 64)."""
        return self.fc2(torch.relu(self.fc1(x)))


class CNN(nn.Module):
    """Two convolutions with pooling, and a linear layer, 1898 parameters."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.fc = nn.Linear(64, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Scores, shape (batch, 10), for images of shape (batch, 1, 8, 8)."""
        x = torch.max_pool2d(torch.relu(self.conv1(x)), 2)
        x = torch.max_pool2d(torch.relu(self.conv2(x)), 2)
        return self.fc(torch.flatten(x, 1))


def weights(name: str) -> dict[str, NDArray[np.float32]]:
    """Trained weights of a net by PyTorch's names, e.g. `fc1.weight`."""
    with np.load(HERE / "weights.npz") as stored:
        return {key.partition("/")[2]: stored[key] for key in stored if key.startswith(f"{name}/")}


@cache
def net(name: str) -> nn.Module:
    """The trained `mlp` or `cnn`, in evaluation."""
    made: nn.Module = MLP() if name == "mlp" else CNN()
    made.load_state_dict({key: torch.from_numpy(array) for key, array in weights(name).items()})
    return made.eval()


def example(name: str) -> torch.Tensor:
    """A batch of zeros in the net's input shape."""
    return torch.zeros(BATCH, 64) if name == "mlp" else torch.zeros(BATCH, 1, 8, 8)
