"""How far two columns of 0/1 labels agree: counts, Cohen's kappa and its interval."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.kernels.intervals import Interval
from whileai.simulations.kernels.quantiles import normal_quantile

Labels = NDArray[np.bool_]
_PSEUDO = 0.5  # added to each cell for the standard error of kappa, so that an empty cell does not make it 0


class Confusion(NamedTuple):
    """The 2 x 2 counts of a test against what is true: `fp` passed what fails, `fn` failed what passes."""

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def n(self) -> int:
        """All that was compared."""
        return sum(self)

    @property
    def agreement(self) -> float | None:
        """Share with equal labels; None when nothing was compared."""
        return (self.tp + self.tn) / self.n if self.n else None


def confusion(test: Labels, truth: Labels) -> Confusion:
    """The 2 x 2 counts of two columns of equal length, True for a pass.

    >>> confusion(np.array([True, True, False]), np.array([True, False, False]))
    Confusion(tp=1, fp=1, fn=0, tn=1)
    """
    both, passed, true = int((test & truth).sum()), int(test.sum()), int(truth.sum())
    return Confusion(both, passed - both, true - both, test.size - passed - true + both)


def kappa(counts: Confusion) -> float | None:
    """Cohen's kappa (1960): agreement beyond chance over what was left to gain; None when nothing was compared.

    With one class on both sides chance agreement is 1: kappa is then 1.0 by convention, since all labels agree.

    >>> kappa(Confusion(20, 5, 10, 15)), kappa(Confusion(6, 0, 0, 0))
    (0.4, 1.0)
    """
    if not counts.n:
        return None
    tp, fp, fn, tn = counts
    room = (tp + fp) * (fp + tn) + (fn + tn) * (tp + fn)  # n^2 (1 - chance agreement), in whole numbers
    return 2 * (tp * tn - fp * fn) / room if room else 1.0


def kappa_interval(counts: Confusion, level: float) -> Interval | None:
    """Interval for Cohen's kappa, which it holds; None when nothing was compared or one class is on both sides.

    Large-sample standard error of Fleiss, Cohen and Everitt (1969), from the counts with 1/2 added to each cell.

    >>> [round(end, 3) for end in kappa_interval(Confusion(20, 5, 10, 15), 0.95)]
    [0.138, 0.631]
    """
    reported = kappa(counts)
    if reported is None or max(counts.tp, counts.tn) == counts.n:
        return None
    shares = np.array([[counts.tp, counts.fp], [counts.fn, counts.tn]], dtype=float) + _PSEUDO
    n = float(shares.sum())
    shares /= n
    test, truth = shares.sum(axis=1), shares.sum(axis=0)
    seen, chance = float(np.trace(shares)), float(test @ truth)
    centre = (seen - chance) / (1 - chance)
    sums = truth[:, None] + test[None, :]
    agreeing = float((np.diag(shares) * ((1 - chance) - np.diag(sums) * (1 - seen)) ** 2).sum())
    apart = (1 - seen) ** 2 * float((shares * sums**2)[~np.eye(2, dtype=bool)].sum())
    variance = (agreeing + apart - (seen * chance - 2 * chance + seen) ** 2) / (n * (1 - chance) ** 4)
    half = normal_quantile((1 + level) / 2) * math.sqrt(max(variance, 0.0))
    return Interval(max(-1.0, min(centre - half, reported)), min(1.0, max(centre + half, reported)))
