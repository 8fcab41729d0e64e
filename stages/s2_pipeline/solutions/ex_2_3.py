answer = "abi"
