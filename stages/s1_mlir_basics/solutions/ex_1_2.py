"""linalg.fill names it, and so does the payload of linalg.generic: a region sees outer values."""

answer = 2
