wrong = {"no name with an @": "func.func f() { return }", "a text": 3}
