import torch

from iree_layers import program
from stages.s3_frontends.nets import CNN, net

wrong = {
    "one text": "torch",
    "argument 0 of main is 1x1x8x8xf32": program(net("cnn"), torch.zeros(4, 1, 8, 8)),
    "other scores": program(CNN().eval(), torch.zeros(3, 1, 8, 8), dynamic={"x": {0: "batch"}}),
}
