"""Power of the paired test at the counts that sizing gives: known truths, drawn as paired runs."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.kernels.power import small_sample_tasks, tasks_for
from whileai.simulations.kernels.signflip import paired_test

ALPHA, POWER = 0.05, 0.8
LEAST, MOST = 0.76, 0.84  # the power asked for, within 4 points
EFFECTS = (0.05, 0.1, 0.2, 0.3)
BASES = (0.3, 0.6)
SPREADS = (math.inf, 20.0, 5.0)  # a + b of the Beta that difficulties are drawn from; infinite: all equal
Floats = NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class PowerCell:
    """One truth: every task goes from p to p + (1 - p) gain, difficulties p spread as Beta around the base."""

    base: float
    effect: float
    spread: float
    k: int = 4

    @property
    def gain(self) -> float:
        return self.effect / (1 - self.base)

    def true_sd(self) -> float:
        """Sd of a task's difference of pass rates, by the moments of the Beta."""
        variance = self.base * (1 - self.base) / (self.spread + 1)
        room, room2 = 1 - self.base, (1 - self.base) ** 2 + variance
        after, after2 = room * (1 - self.gain), room2 * (1 - self.gain) ** 2
        return math.sqrt(self.gain**2 * variance + ((room - room2) + (after - after2)) / self.k)

    def tasks(self, *, small: bool) -> int:
        return (small_sample_tasks if small else tasks_for)(self.true_sd(), self.effect, ALPHA, POWER)

    def differences(self, tasks: int, rng: np.random.Generator) -> Floats:
        a, b = self.spread * self.base, self.spread * (1 - self.base)
        before = np.full(tasks, self.base) if math.isinf(self.spread) else rng.beta(a, b, tasks)
        after = before + (1 - before) * self.gain
        return rng.binomial(self.k, after) / self.k - rng.binomial(self.k, before) / self.k


@dataclasses.dataclass(frozen=True)
class MeasuredPower:
    """The share of paired evaluations whose verdict is a gain, with its Monte Carlo error."""

    cell: PowerCell
    tasks: int
    power: float
    error: float

    def reached(self, least: float = LEAST, most: float = MOST) -> bool:
        return least - 3 * self.error <= self.power <= most + 3 * self.error


def power_cells(
    effects: Iterable[float] = EFFECTS, bases: Iterable[float] = BASES, spreads: Iterable[float] = SPREADS
) -> list[PowerCell]:
    """The grid."""
    bases, spreads = list(bases), list(spreads)
    return [PowerCell(base, effect, spread) for base in bases for effect in effects for spread in spreads]


def measure_power(cell: PowerCell, runs: int, *, small: bool = True, salt: int = 0) -> MeasuredPower:
    """Power at `n_tasks_small`, or at `n_tasks`, over `runs` paired evaluations."""
    tasks = cell.tasks(small=small)
    spread = 0 if math.isinf(cell.spread) else int(cell.spread)
    rng = np.random.default_rng([int(1000 * cell.base), int(1000 * cell.effect), spread, salt])
    seen = 0
    for _ in range(runs):
        found = paired_test(cell.differences(tasks, rng), 1 - ALPHA, 2000, 0)
        assert found is not None
        seen += found.interval.low > 0
    share = seen / runs
    return MeasuredPower(cell, tasks, share, math.sqrt(share * (1 - share) / runs))
