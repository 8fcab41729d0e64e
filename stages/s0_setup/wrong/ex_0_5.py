wrong = {"last number": 17, "Imported Functions": 2}
