"""iree-dump-module numbers the imports from 0 to 17."""

answer = 18
