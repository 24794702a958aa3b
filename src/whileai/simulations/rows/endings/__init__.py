"""How a reply ends: finished, cut, looping, or no reply at all."""

from whileai.simulations.rows.endings.broken import is_degenerate, is_stub
from whileai.simulations.rows.endings.cut import TRUNCATION_MIN_CHARS, is_truncated
from whileai.simulations.rows.endings.finished import reads_finished

__all__ = ["TRUNCATION_MIN_CHARS", "is_degenerate", "is_stub", "is_truncated", "reads_finished"]
