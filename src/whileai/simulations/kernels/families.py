"""Several tests at once: p-values adjusted so that the chance of any false flag in the family stays at the level."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_MOST_ENUMERATED = 12  # tasks up to which every pattern of signs is tried
_MOST_DRAWN = 2048  # tasks up to which signs are drawn; beyond, the flipped sums are jointly normal
_TIE = 9


def holm(p_values: Floats) -> Floats:
    """Step-down adjusted p-values, shape (m,) (Holm 1979); each at least the raw one.

    >>> holm(np.array([0.01, 0.04, 0.03])).round(9).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values, kind="stable")
    ladder = np.arange(p_values.size, 0, -1) * p_values[order]
    adjusted = np.empty_like(p_values, dtype=np.float64)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(ladder))
    return adjusted


def step_down_p(differences: Floats, draws: int, seed: int) -> Floats:
    """Adjusted p of each metric by the step-down maximum statistic (Westfall and Young 1993), shape (m,).

    `differences` has shape (tasks, m), 0 where a task has no value of a metric. The signs of a task flip for all
    metrics together, which keeps their correlation; the statistic of a metric is |sum d| / sqrt(sum d^2), and ties
    count half. Every pattern of signs up to 12 tasks, else `draws` from `seed`; over many tasks the flipped sums are
    drawn from their joint normal limit.

    >>> step_down_p(np.array([[0.5, 0.5]] * 6), 2000, 0).tolist()
    [0.015625, 0.015625]
    """
    norms = np.sqrt((differences**2).sum(axis=0))
    scaled = differences / np.where(norms > 0, norms, 1.0)
    observed = np.round(np.abs(scaled.sum(axis=0)), _TIE)
    null = np.round(np.abs(_flipped(scaled, draws, seed)), _TIE)
    order = np.argsort(-observed, kind="stable")
    highest = np.maximum.accumulate(null[:, order[::-1]], axis=1)[:, ::-1]
    hits = (highest > observed[order]).sum(axis=0) + (highest == observed[order]).sum(axis=0) / 2
    exact = differences.shape[0] <= _MOST_ENUMERATED
    shares = hits / null.shape[0] if exact else (hits + 0.5) / (null.shape[0] + 1)
    adjusted = np.empty(observed.size)
    adjusted[order] = np.maximum.accumulate(shares)
    return np.where(observed == 0, 1.0, adjusted)


def _flipped(scaled: Floats, draws: int, seed: int) -> Floats:
    """Sums under random signs, shape (draws or patterns, m)."""
    n = scaled.shape[0]
    if n <= _MOST_ENUMERATED:
        patterns = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
        flipped: Floats = (2.0 * patterns - 1.0) @ scaled
        return flipped
    rng = np.random.default_rng(seed)
    if n <= _MOST_DRAWN:
        signs = 2.0 * rng.integers(0, 2, size=(draws, n), dtype=np.int8) - 1.0
        drawn: Floats = signs @ scaled
        return drawn
    values, vectors = np.linalg.eigh(scaled.T @ scaled)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    normal: Floats = rng.standard_normal((draws, scaled.shape[1])) @ root.T
    return normal
