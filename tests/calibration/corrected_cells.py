"""Judged rows with a few gold labels drawn from known truths, and what the corrected pass rate says of them."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.kernels.corrected import Sample, corrected_rate, draw_p_value
from whileai.simulations.kernels.intervals import wilson
from whileai.simulations.score.corrected import DRAW_P_MIN, MIN_OF_VERDICT

LEVEL = 0.95
JUDGES = ((0.97, 0.03), (0.9, 0.2), (0.75, 0.4))  # chance to pass what passes, to pass what fails
TASKS = (50, 100, 300)
GOLD = (20, 50, 100)
DRAWS = ("even", "by verdict", "by task", "failures four times")
BAR = 0.935
# labels drawn by verdict from a judge that errs more on one side: (judge, tasks, gold, mean)
LOPSIDED = (
    ((0.95, 0.30), 150, 40, 0.8),
    ((0.95, 0.30), 100, 50, 0.8),
    ((0.70, 0.05), 100, 40, 0.2),
    ((0.95, 0.50), 100, 40, 0.9),
)
Floats = NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class CorrectedCell:
    """One truth: task difficulties Beta around the mean (`spread` a + b), a judge, and how labels are drawn.

    `gold` rows are labelled: evenly over rows, half of them of either verdict, as whole tasks, or judged failures four
    times likelier than passes with the chances recorded.
    """

    judge: tuple[float, float]
    tasks: int = 100
    gold: int = 50
    draw: str = "even"
    mean: float = 0.5
    spread: float = 2.0
    k: int = 4

    def seed(self) -> list[int]:
        numbers = (*self.judge, self.tasks, self.gold, self.mean, min(self.spread, 99), self.k)
        return [*self.draw.encode(), *(round(1000 * number) for number in numbers)]

    def fewest_labels(self) -> float:
        """Labels expected of the rarer verdict; 0 where they are drawn by verdict and it may have too few rows."""
        passed = self.mean * self.judge[0] + (1 - self.mean) * self.judge[1]
        likelier = 4.0 if self.draw == "failures four times" else 1.0
        of_passes = self.gold * passed / (passed + likelier * (1 - passed))
        rows = self.tasks * self.k * min(passed, 1 - passed)
        if self.draw == "by verdict":
            return self.gold / 2 if rows > 0.75 * self.gold else 0.0
        return min(of_passes, self.gold - of_passes)

    def labels_wanted(self) -> float:
        """Expected labels of the rarer verdict from which samples with too few are rare."""
        return MIN_OF_VERDICT * (1.0 if self.draw == "by verdict" or self.gold == 2 * MIN_OF_VERDICT else 1.25)

    def sample(self, rng: np.random.Generator) -> Sample:
        difficulties = np.full(self.tasks, self.mean)
        if math.isfinite(self.spread):
            difficulties = rng.beta(self.spread * self.mean, self.spread * (1 - self.mean), self.tasks)
        tasks = np.repeat(np.arange(self.tasks), self.k)
        gold = rng.random(tasks.size) < difficulties[tasks]
        judge = rng.random(tasks.size) < np.where(gold, *self.judge)
        labelled, chances = self._labelled(tasks, judge, rng)
        return Sample(tasks, judge, labelled, gold, chances)

    def _labelled(
        self, tasks: NDArray[np.int64], judge: NDArray[np.bool_], rng: np.random.Generator
    ) -> tuple[NDArray[np.bool_], Floats]:
        n, chances = tasks.size, np.ones(tasks.size)
        labelled = np.zeros(n, dtype=bool)
        if self.draw == "even":
            labelled[rng.choice(n, self.gold, replace=False)] = True
        elif self.draw == "by verdict":
            for verdict in (True, False):
                of_verdict = np.flatnonzero(judge == verdict)
                labelled[rng.choice(of_verdict, min(self.gold // 2, of_verdict.size), replace=False)] = True
        elif self.draw == "by task":
            chosen = np.zeros(self.tasks, dtype=bool)
            chosen[rng.choice(self.tasks, math.ceil(self.gold / self.k), replace=False)] = True
            labelled = chosen[tasks]
        else:
            likelier = np.where(judge, 1.0, 4.0)
            chances = np.minimum(1.0, likelier * self.gold / likelier.sum())
            labelled = rng.random(n) < chances
        return labelled, chances


@dataclasses.dataclass(frozen=True)
class MeasuredCorrection:
    """Coverage with its Monte Carlo error, bias, mean width beside that of the labels alone, and how many were usable.

    Samples with too few labels of a verdict to be corrected are drawn anew, at most as often again as runs are asked.
    """

    cell: CorrectedCell
    coverage: float
    error: float
    bias: float
    width: float
    gold_width: float
    refused_draws: float
    runs: int

    def reached(self) -> bool:
        return self.coverage >= BAR - 3 * self.error


def measure_correction(cell: CorrectedCell, runs: int, salt: int = 0, *, refusals: bool = True) -> MeasuredCorrection:
    """The corrected rate over `runs` usable samples (fewer when usable ones are rare).

    Without `refusals` no sample is asked whether its draw would be refused, a third of the time.
    """
    rng = np.random.default_rng([*cell.seed(), salt])
    kept: list[tuple[bool, float, float, float, bool]] = []
    for _ in range(20 * runs):
        sample = cell.sample(rng)
        passed = int(sample.judge[sample.labelled].sum())
        n_gold = int(sample.labelled.sum())
        if min(passed, n_gold - passed) < MIN_OF_VERDICT:
            continue
        found = corrected_rate(sample, LEVEL)
        low, high = found.interval
        alone = wilson(float(sample.gold[sample.labelled].sum()), n_gold, LEVEL)
        p_value = draw_p_value(sample) if refusals else None
        refused = p_value is not None and p_value < DRAW_P_MIN
        kept.append((low <= cell.mean <= high, found.rate - cell.mean, high - low, alone.high - alone.low, refused))
        if len(kept) == runs:
            break
    share, bias, width, gold_width, refused_share = (float(column) for column in np.mean(kept, axis=0))
    error = math.sqrt(max(share * (1 - share), 1 / len(kept)) / len(kept))
    refused_draws = refused_share if refusals else math.nan
    return MeasuredCorrection(cell, share, error, bias, width, gold_width, refused_draws, len(kept))


def settle_correction(cell: CorrectedCell, runs: int, more: int = 10, *, refusals: bool = True) -> MeasuredCorrection:
    """A cell close to its bar is measured again with `more` times the runs."""
    found = measure_correction(cell, runs, refusals=refusals)
    if found.coverage < BAR + found.error:
        return measure_correction(cell, more * runs, salt=1, refusals=refusals)
    return found


def corrected_cells(
    judges: Iterable[tuple[float, float]] = JUDGES,
    tasks: Iterable[int] = TASKS,
    gold: Iterable[int] = GOLD,
    draws: Iterable[str] = DRAWS,
    truths: Iterable[tuple[float, float]] = ((0.5, 2.0), (0.3, math.inf), (0.7, 2.0), (0.5, 0.6)),
) -> list[CorrectedCell]:
    """The grid, where the labels of either verdict are likely to be enough: chosen samples would not be fair ones."""
    every = itertools.product(judges, tasks, gold, draws, truths)
    grid = [CorrectedCell(judge, n, labels, draw, *truth) for judge, n, labels, draw, truth in every]
    return [cell for cell in grid if cell.fewest_labels() >= cell.labels_wanted()]


def lopsided_cells() -> list[CorrectedCell]:
    """Truths at which few labels of a verdict often show no miss although there are some."""
    return [
        CorrectedCell(judge, tasks, gold, draw, mean, spread)
        for judge, tasks, gold, mean in LOPSIDED
        for draw in ("by verdict", "by task")
        for spread in (2.0, math.inf)
    ]


def easy_draw(tasks: int, gold: int, k: int, rng: np.random.Generator) -> Sample:
    """A sample whose labels are all of the easier half of the tasks: no honest correction is possible."""
    difficulties = rng.beta(1.0, 1.0, tasks)
    codes = np.repeat(np.arange(tasks), k)
    truth = rng.random(codes.size) < difficulties[codes]
    judge = rng.random(codes.size) < np.where(truth, 0.9, 0.2)
    easy = np.flatnonzero((difficulties > np.median(difficulties))[codes])
    labelled = np.zeros(codes.size, dtype=bool)
    labelled[rng.choice(easy, gold, replace=False)] = True
    return Sample(codes, judge, labelled, truth, np.ones(codes.size))
