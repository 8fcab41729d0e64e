"""Weights of TensorFlow are variables: globals that are loaded, for somebody may store to them."""

answer = "ml_program.global_load"
