answer = 512
