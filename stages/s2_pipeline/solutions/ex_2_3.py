"""The front door is built by the ABI layer: callers have buffers, not SSA values."""

answer = "abi"
