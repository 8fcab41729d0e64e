"""100 + 28 were there at once; 188 were asked for in all; 100 came back."""

answer = {"peak": 128, "allocated": 188, "freed": 100}
