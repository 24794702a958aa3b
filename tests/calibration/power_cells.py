"""Power of the paired test at the counts that sizing gives: known truths, drawn as paired runs."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterable

import numpy as np
from compare_cells import paired
from numpy.typing import NDArray

from whileai.simulations.kernels.power import tasks_for
from whileai.simulations.kernels.signflip import least_tasks
from whileai.simulations.score.stats.sizing import holdout_size

ALPHA, POWER = 0.05, 0.8  # ALPHA is that of `paired`
LEAST, MOST = 0.76, 0.84  # the power asked for, within 4 points
EFFECTS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
BASES = (0.2, 0.3, 0.5, 0.6, 0.8)
ROLLOUTS = (1, 4, 8)
SPREADS = (math.inf, 5.0)  # a + b of the Beta that difficulties are drawn from; infinite: all equal
Floats = NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class PowerCell:
    """One truth: every task goes from p to p + (1 - p) gain, difficulties p spread as Beta around the base."""

    base: float
    effect: float
    spread: float
    k: int = 4

    @property
    def fills_room(self) -> bool:
        """Whether every task ends at 1 from where it is, so that no difference of unlike tasks is like a normal one."""
        return self.base + self.effect > 1 - 1e-9 and not math.isinf(self.spread)

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
        """What `holdout_size` says: by its model where tasks are alike, else by the sd that pairs of runs show."""
        sd = self.true_sd()
        if not small:
            return tasks_for(sd, self.effect, ALPHA, POWER)
        given = None if math.isinf(self.spread) else sd
        sized: int = holdout_size(self.effect, base=self.base, k=self.k, task_std=given)["n_tasks_small"]
        return sized

    def differences(self, tasks: int, rng: np.random.Generator) -> Floats:
        a, b = self.spread * self.base, self.spread * (1 - self.base)
        before = np.full(tasks, self.base) if math.isinf(self.spread) else rng.beta(a, b, tasks)
        after = np.minimum(1.0, before + (1 - before) * self.gain)
        return rng.binomial(self.k, after) / self.k - rng.binomial(self.k, before) / self.k


@dataclasses.dataclass(frozen=True)
class MeasuredPower:
    """The share of paired evaluations whose verdict is a gain, with its Monte Carlo error."""

    cell: PowerCell
    tasks: int
    power: float
    error: float

    def reached(self) -> bool:
        return self.power >= LEAST - 3 * self.error

    def over(self) -> bool:
        return self.power > MOST + 3 * self.error


def power_cells(
    effects: Iterable[float] = EFFECTS,
    bases: Iterable[float] = BASES,
    rollouts: Iterable[int] = ROLLOUTS,
    spreads: Iterable[float] = SPREADS,
) -> list[PowerCell]:
    """The grid, where a base leaves room for the effect."""
    every = itertools.product(rollouts, bases, effects, spreads)
    return [PowerCell(base, effect, spread, k) for k, base, effect, spread in every if base + effect <= 1 + 1e-9]


def measure_power(cell: PowerCell, runs: int, *, small: bool = True, fewer: int = 0, salt: int = 0) -> MeasuredPower:
    """Power at `n_tasks_small`, or at `n_tasks`, less `fewer`, over `runs` paired evaluations."""
    tasks = cell.tasks(small=small) - fewer
    if tasks < least_tasks(ALPHA):
        return MeasuredPower(cell, tasks, 0.0, 0.0)
    spread = 0 if math.isinf(cell.spread) else int(cell.spread)
    rng = np.random.default_rng([int(1000 * cell.base), int(1000 * cell.effect), spread, cell.k, salt])
    seen = 0
    for _ in range(runs):
        seen += paired(cell.differences(tasks, rng)).interval.low > 0
    share = seen / runs
    return MeasuredPower(cell, tasks, share, math.sqrt(share * (1 - share) / runs))
