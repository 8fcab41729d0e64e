wrong = {
    "3: nn.conv2d nn.bias_add nn.relu | sum | divide": [
        "nn.conv2d",
        "nn.bias_add",
        "nn.relu",
        "sum",
        "divide",
    ],
    "five ops or more": ["nn.conv2d", "sum"],
    "ops of PATTERNS": ["nn.conv2d", "nn.bias_add", "nn.relu", "add", "nn.sum"],
    "a list of names": "nn.conv2d sum",
}
