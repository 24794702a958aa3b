"""Which of many columns goes with the reward within groups, and how strong the strongest is by chance.

The reward is shuffled within its groups. Whatever was chosen by looking at the reward is chosen again for every
shuffle, so that the strongest of a shuffle is drawn as the strongest of the data is when nothing is there.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.kernels.groups import Bytes, Floats, Groups, Ints, PackedFlags

_SERIAL = 250_000  # multiplications below which a product stays in this thread (OpenBLAS wakes its others at 262,144)
_LEAST_WIDTH, _WIDENED = 64, 512  # rows of one product at least, and rows widened to floats at a time
_SHUFFLES = 16  # shuffles held at a time


class Pairs(NamedTuple):
    """Conjunctions of two 0/1 columns: the columns, the rows with both, the correlation with the reward."""

    first: Ints
    second: Ints
    n_obs: Ints
    rho: Floats


class Columns:
    """Columns over rows in groups: `flags` of shape (p, n) hold 0/1, `values` of shape (q, n) anything finite.

    `reward` is what they are correlated with, itself or shuffled within groups: over the leading groups, those in
    which it varies, centred in each and of length 1. Correlations are over all n rows; where the reward does not vary
    nothing is added to the covariance. `min_obs` is the fewest rows of a conjunction.
    """

    def __init__(self, flags: Bytes, values: Floats, groups: Groups, reward: Floats, *, min_obs: int = 1) -> None:
        self.reward, self.live = reward, groups.first(reward.size)
        self._flags, self._min_obs = flags, min_obs
        self._packed = PackedFlags(flags, groups)
        self._tally = self._packed.tally(self._packed.bits)
        self._scale = _inverse_root(self._tally.within)
        centred = groups.centred(values)
        norms = _inverse_root(np.einsum("ij,ij->i", centred, centred))
        self._values = (centred * norms[:, None])[:, : reward.size]

    def correlations(self, rewards: Floats) -> Floats:
        """Correlation of every column with every reward, shape (p + q, m).

        `rewards` has shape (m, live): centred within groups, of length 1. A column without spread within groups has 0.
        """
        flagged = products(self._flags[:, : self.reward.size], rewards) * self._scale[:, None]
        return np.concatenate([flagged, products(self._values, rewards)])

    def seeds(self, rho: Floats, most: int) -> Ints:
        """The 0/1 columns of largest |`rho`|, of shape (..., p), at most so many; ties by place."""
        return np.sort(np.argsort(-np.abs(rho).round(6), axis=-1, kind="stable")[..., :most], axis=-1)

    def pairs(self, seeds: Ints, reward: Floats) -> Pairs:
        """Every conjunction of two of the 0/1 columns at `seeds`, with one reward of shape (live,)."""
        first, second = _couples(seeds.size)
        one, other = seeds[first], seeds[second]
        tally = self._packed.tally(self._packed.bits[one] & self._packed.bits[other])
        rho = self._sums(seeds, reward)[first, second] * _inverse_root(tally.within)
        return Pairs(one, other, tally.n.astype(np.int64), rho)

    def _sums(self, seeds: Ints, reward: Floats) -> Floats:
        """The reward summed over the rows that each two of the columns share."""
        found = np.zeros((seeds.size, seeds.size))
        width = max(_LEAST_WIDTH, _SERIAL // max(found.size, 1))
        for start in range(0, reward.size, width):
            block = slice(start, min(start + width, reward.size))
            columns = self._flags[seeds, block].astype(np.float32)
            found += (columns * reward[block].astype(np.float32, copy=False)) @ columns.T
        return found

    def narrower(self, pairs: Pairs) -> NDArray[np.bool_]:
        """Which conjunctions have rows enough, and fewer than either of their columns."""
        wide = np.minimum(self._tally.n[pairs.first], self._tally.n[pairs.second])
        return np.asarray((pairs.n_obs >= self._min_obs) & (pairs.n_obs < wide))

    def strongest(self, rewards: Floats, n_seeds: int) -> Floats:
        """The largest |correlation| with each reward, shape (m,), conjunctions chosen for that reward included.

        A conjunction that does not beat its columns changes nothing here, so all that are narrower may count.
        """
        rho = self.correlations(rewards)
        most = np.abs(rho).max(axis=0, initial=0.0)
        seeds = self.seeds(rho[: len(self._flags)].T, n_seeds)
        for at, reward in enumerate(rewards if n_seeds > 1 else ()):
            pairs = self.pairs(seeds[at], reward)
            most[at] = max(most[at], np.abs(pairs.rho[self.narrower(pairs)]).max(initial=0.0))
        return np.asarray(most)


def shuffled_strongest(columns: Columns, times: int, n_seeds: int, seed: int) -> Floats:
    """The strongest |correlation| of each of `times` shuffles of the reward within groups, in order of size."""
    rng = np.random.default_rng(seed)
    found = []
    for done in range(0, times, _SHUFFLES):
        rewards = columns.live.shuffled(columns.reward, min(_SHUFFLES, times - done), rng)
        # in single precision half the work, and seven digits are enough for a floor of four
        found.append(columns.strongest(rewards.astype(np.float32), n_seeds))
    return np.sort(np.concatenate(found))


@cache
def _couples(n: int) -> tuple[Ints, Ints]:
    """Every two of n places, the first before the second."""
    first, second = np.triu_indices(n, 1)
    return first, second


def chance_floor(maxima: Floats, alpha: float) -> float:
    """The value that the strongest of the data exceeds by chance in at most `alpha` of data sets.

    Entry ceil((1 - alpha) * (n + 1)) of the n sorted `maxima`: the data is one of n + 1 arrangements that are alike
    when nothing is there (Phipson and Smyth 2010, Stat. Appl. Genet. Mol. Biol. 9). With fewer than 1 / alpha - 1
    shuffles no entry is high enough; the last is taken, which is exceeded in 1 / (n + 1).

    >>> chance_floor(np.arange(1.0, 101.0), 0.05)
    96.0
    """
    rank = math.ceil(round((1.0 - alpha) * (maxima.size + 1), 9))
    return float(maxima[min(max(rank, 1), maxima.size) - 1])


def products(left: NDArray[Any], right: NDArray[Any]) -> Floats:
    """`left @ right.T` for few rows of many columns, shapes (p, n) and (m, n), in this thread alone.

    For matrices this flat, threads of BLAS cost more time waiting for each other than they save.

    >>> products(np.array([[1, 0, 1]]), np.array([[2.0, 3.0, 5.0]])).tolist()
    [[7.0]]
    """
    found = np.zeros((len(left), len(right)))
    if not found.size:
        return found
    width = max(_LEAST_WIDTH, _SERIAL // found.size)
    step = width * max(1, _WIDENED // width)
    widened = np.empty((len(left), step), dtype=right.dtype)  # taken once, as fresh memory is slow to touch
    for start in range(0, left.shape[1], step):
        other = right[:, start : start + step]
        one = widened[:, : other.shape[1]]
        one[:] = left[:, start : start + step]
        whole = one.shape[1] // width * width
        found += np.matmul(
            one[:, :whole].reshape(len(one), -1, width).swapaxes(0, 1),
            other[:, :whole].reshape(len(other), -1, width).transpose(1, 2, 0),
        ).sum(axis=0)
        found += one[:, whole:] @ other[:, whole:].T
    return found


def _inverse_root(squares: Floats) -> NDArray[np.float64]:
    """1 / sqrt, and 0 for 0."""
    return np.divide(1.0, np.sqrt(squares), out=np.zeros_like(squares), where=squares > 0.0)
