"""Where the tasks lie: by pass rate, against the band in which a grouped update finds contrast."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.defaults import DIFFICULTY_BAND

Floats = NDArray[np.float64]


def difficulty(rates: Floats, rollouts: NDArray[np.int64]) -> dict[str, Any]:
    """Tasks by pass rate: `band`, `n_tasks`, `n_in_band`, `rollouts` (`min`, `median`, `max`) and seven `bins`.

    >>> found = difficulty(np.array([0.0, 0.1, 0.5, 0.8, 1.0]), np.array([10] * 5))
    >>> found["n_in_band"], [entry["n"] for entry in found["bins"]]
    (2, [1, 1, 0, 1, 1, 0, 1])
    """
    low, high = DIFFICULTY_BAND
    return {
        "band": [low, high],
        "n_tasks": int(rates.size),
        "n_in_band": int(((rates >= low) & (rates <= high)).sum()),
        "rollouts": spread(rollouts.astype(np.float64)),
        "bins": [{"name": name, "low": lo, "high": hi, "n": int(where.sum())} for name, lo, hi, where in bins(rates)],
    }


def bins(rates: Floats) -> list[tuple[str, float, float, NDArray[np.bool_]]]:
    """The seven bins, each with its name, its ends and which of the rates lie in it."""
    low, high = DIFFICULTY_BAND
    inner = [low + (high - low) * step / 3 for step in (1, 2)]
    inside = (rates >= low) & (rates <= high)
    return [
        ("never", 0.0, 0.0, rates == 0),
        ("hard", 0.0, low, (rates > 0) & (rates < low)),
        ("band", low, inner[0], inside & (rates < inner[0])),
        ("band", inner[0], inner[1], inside & (rates >= inner[0]) & (rates < inner[1])),
        ("band", inner[1], high, inside & (rates >= inner[1])),
        ("easy", high, 1.0, (rates > high) & (rates < 1)),
        ("always", 1.0, 1.0, rates == 1),
    ]


def spread(counts: Floats) -> dict[str, float] | None:
    """Least, median and most of some counts; None without any."""
    if not counts.size:
        return None
    return {"min": int(counts.min()), "median": float(np.median(counts)), "max": int(counts.max())}
