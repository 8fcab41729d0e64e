answer = 18
