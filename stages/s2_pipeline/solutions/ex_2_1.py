"""Allocation is scheduled last in the layer: only then do commands have memory to work on."""

answer = "iree-stream-schedule-allocation"
