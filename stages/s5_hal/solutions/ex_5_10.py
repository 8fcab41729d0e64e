"""The features of a CPU matter first where tile sizes are chosen."""

answer = "executable-configurations"
