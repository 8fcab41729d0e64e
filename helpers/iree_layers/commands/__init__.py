"""What each command of `iree-layers` does: parsed options in, an exit code out."""
