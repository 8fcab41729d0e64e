"""Three products of inputs; no two have the same operands."""

from stages.s4_flow_stream.programs import products

answer = products([(0, 0), (0, 1), (1, 1)])
