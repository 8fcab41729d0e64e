"""A buffer that is changed in place is a mutable global; it is loaded once, with the module."""

import torch

from iree_layers import program


class Calls(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.zeros(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count.add_(1)
        return self.count * 1


answer = program(Calls(), torch.ones(2))
