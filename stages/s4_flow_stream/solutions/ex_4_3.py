"""Ask both traces."""

from iree_layers import compare
from stages.s4_flow_stream.checks import AGGRESSIVE
from stages.s4_flow_stream.fusion import traced

name = "product, sum, both returned"
found = compare(traced(name), traced(name, AGGRESSIVE)).first
answer = found.name if found else ""
