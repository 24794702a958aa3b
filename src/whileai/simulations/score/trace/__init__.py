"""Did the agent fake the work? Flags read from the trajectory, not the prose."""

from whileai.simulations.score.trace.flags import FLAGS, MARKERS, trace_flags
from whileai.simulations.score.trace.report import trace_flag_report, trace_markers

__all__ = ["FLAGS", "MARKERS", "trace_flag_report", "trace_flags", "trace_markers"]
