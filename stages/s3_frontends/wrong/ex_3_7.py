import torch

from iree_layers import program


class _Forgets(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.zeros(1) + 1


class _Sums(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.zeros(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count.add_(x.sum())
        return self.count * 1


wrong = {
    "nothing is kept": program(_Forgets(), torch.ones(2)),
    "[2.0, 4.0, 6.0]": program(_Sums(), torch.ones(2)),
    "a _Sums": _Sums(),
    "argument": program(_Sums(), torch.ones(3)),
}
