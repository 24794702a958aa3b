"""Whether a row is a conversation that a person would have had: five dimensions, each 0 to 1."""

from whileai.simulations.score.quality.rank import rank_rows, score_row

__all__ = ["rank_rows", "score_row"]
