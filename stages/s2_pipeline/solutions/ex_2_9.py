answer = "executable-sources"
