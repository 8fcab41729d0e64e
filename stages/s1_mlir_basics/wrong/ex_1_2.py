wrong = {"there is one more": 1, "3": 3, "a whole number": "two"}
