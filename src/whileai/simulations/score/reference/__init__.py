"""Rollouts scored under a reference model, so that `mean_kl` has its other side."""

from whileai.simulations.score.reference.stamp import reference_logprobs

__all__ = ["reference_logprobs"]
