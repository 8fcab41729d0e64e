"""There each executable gets a variant, and the variant is named after the target."""

answer = "executable-sources"
