"""turbine takes an open dimension through convolution, pooling and flatten."""

import torch

from iree_layers import program
from stages.s3_frontends.nets import net

answer = program(net("cnn"), torch.zeros(3, 1, 8, 8), dynamic={"x": {0: "batch"}})
