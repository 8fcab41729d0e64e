answer = "%0 = TODO"
