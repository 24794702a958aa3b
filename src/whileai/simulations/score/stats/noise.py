"""How far evaluations of the same model lie apart."""

from __future__ import annotations

import math

from whileai.simulations.defaults import CI_LEVEL
from whileai.simulations.kernels.quantiles import normal_quantile, t_quantile
from whileai.simulations.signature import public


@public
def noise_band(
    run_std: float, n_a: int = 1, n_b: int = 1, df: float | None = None, *, level: float = CI_LEVEL
) -> float:
    """How far two evaluations of the same model lie apart by re-run noise alone, at `level`.

    `q * run_std * sqrt(1/n_a + 1/n_b)`, in the unit of `run_std`, with `q` the two-sided normal quantile when `df` is
    None (the deviation is known), else the two-sided t quantile at `df` (it was estimated from `df + 1` re-runs).
    `ValueError` for run counts or `df` below 1, a `level` outside (0, 1), a negative or non-finite `run_std`.

    >>> round(noise_band(0.02), 4), round(noise_band(0.02, df=2), 4)
    (0.0554, 0.1217)
    """
    for name, count in (("n_a", n_a), ("n_b", n_b)):
        if not count >= 1:
            raise ValueError(f"{name} must be at least 1 run, got {count!r}")
    if not 0 < level < 1:
        raise ValueError(f"level must lie strictly between 0 and 1, got {level!r}")
    if df is not None and not df >= 1:
        raise ValueError(f"df must be at least 1, got {df!r}")
    if not (math.isfinite(run_std) and run_std >= 0):
        raise ValueError(f"run_std must be a finite number of at least 0, got {run_std!r}")
    probability = (1 + level) / 2
    quantile = normal_quantile(probability) if df is None else t_quantile(probability, df)
    return quantile * run_std * math.sqrt(1 / n_a + 1 / n_b)
