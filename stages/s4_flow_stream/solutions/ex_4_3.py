"""Ask both traces."""

from stages.s4_flow_stream.checks import AGGRESSIVE
from stages.s4_flow_stream.fusion import traced
from stages.s4_flow_stream.moves import differs_first

name = "product, sum, both returned"
answer = differs_first(traced(name), traced(name, AGGRESSIVE))
