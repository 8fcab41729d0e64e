"""The product with what follows; the reduction alone, because nothing before it is left to take."""

answer = ["nn.conv2d", "nn.bias_add", "nn.relu", "add", "sum"]
