"""The strategy phase already turns loads from bindings into memory, so that it can look at it."""

answer = "executable-configurations"
