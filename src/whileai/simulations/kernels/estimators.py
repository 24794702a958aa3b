"""Unbiased k-way estimates of one task from its counts: n rollouts, c passes."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def pass_pow_k(n: int, c: int, k: int) -> float:
    """Chance that k rollouts drawn from the n all pass: C(c, k) / C(n, k) (Yao et al. 2024, arXiv:2406.12045).

    >>> pass_pow_k(4, 3, 2)
    0.5
    """
    return math.comb(c, k) / math.comb(n, k)


def pass_at_k(n: int, c: int, k: int) -> float:
    """Chance that at least one of k rollouts drawn from the n passes: 1 - C(n-c, k) / C(n, k) (Chen et al. 2021).

    Codex paper, arXiv:2107.03374, section 2.1.

    >>> pass_at_k(4, 1, 2)
    0.5
    """
    total = math.comb(n, k)
    return (total - math.comb(n - c, k)) / total


def k_way(n: Ints, c: Ints, k: int) -> tuple[Floats, Floats]:
    """`(pass^k, pass@k)` of every task with `n >= k`, arrays of the shape of `n`; exact integer binomials.

    Each distinct pair of counts is worked out once.

    >>> [estimate.tolist() for estimate in k_way(np.array([4, 4, 8]), np.array([3, 3, 8]), 4)]
    [[0.0, 0.0, 1.0], [1.0, 1.0, 1.0]]
    """
    pairs, inverse = np.unique(np.stack([n, c], axis=1), axis=0, return_inverse=True)
    inverse = inverse.reshape(-1)
    counts = [(int(total), int(passes)) for total, passes in pairs]
    powers = np.array([pass_pow_k(total, passes, k) for total, passes in counts], dtype=np.float64)
    ats = np.array([pass_at_k(total, passes, k) for total, passes in counts], dtype=np.float64)
    return powers[inverse], ats[inverse]
