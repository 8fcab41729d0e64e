wrong = {"flow: they agree earlier": "flow", "'start'": "start"}
