"""The workbook's running example: a classifier of real handwritten digits.

scikit-learn ships 1797 grey 8×8 images of digits. A two-layer perceptron (64 → 32 → 10, 2410
parameters) learns them in seconds. The road into IREE is iree-turbine, as for any `nn.Module`.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.datasets import load_digits
from torch import nn

BATCH = 4


class Digits(NamedTuple):
    """Images scaled to 0…1, as rows of 64 numbers, and the digit of each."""

    images: NDArray[np.float32]
    labels: NDArray[np.int64]


class Classifier(nn.Module):
    """64 pixels in, one score per digit out; the largest score is the answer."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden = nn.Linear(64, 32)
        self.scores = nn.Linear(32, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Scores, shape (batch, 10), for images of shape (batch, 64)."""
        out: torch.Tensor = self.scores(torch.relu(self.hidden(x)))
        return out


def split() -> tuple[Digits, Digits]:
    """1437 digits to learn from and 360 held out: every fifth, so all writers are in both."""
    images, labels = load_digits(return_X_y=True)
    images = (images / 16.0).astype(np.float32)
    held = np.arange(len(images)) % 5 == 0
    return Digits(images[~held], labels[~held]), Digits(images[held], labels[held])


@cache
def train(epochs: int = 40, seed: int = 0) -> Classifier:
    """A trained classifier; about two seconds on one core."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    model = Classifier()
    learn, _ = split()
    x, y = torch.from_numpy(learn.images), torch.from_numpy(learn.labels)
    optimiser = torch.optim.Adam(model.parameters(), lr=3e-3)
    for _ in range(epochs):
        for rows in torch.randperm(len(x)).split(32):
            optimiser.zero_grad()
            nn.functional.cross_entropy(model(x[rows]), y[rows]).backward()
            optimiser.step()
    return model.eval()


def classifier() -> tuple[nn.Module, tuple[torch.Tensor, ...]]:
    """The trained model and a batch, as `iree-layers trace digits.py:classifier` takes them."""
    return train(), (torch.zeros(BATCH, 64),)
