"""Known truths to draw rollouts from, and the measured coverage of the library's intervals on them."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.kernels.estimators import k_way
from whileai.simulations.kernels.intervals import skewed_mean_interval, unit_mean_interval

LEVEL = 0.95
TASKS = (3, 5, 8, 10, 20, 30, 50, 100, 300)
ROLLOUTS = (1, 2, 4, 8, 16, "1-8")
MEANS = (0.02, 0.1, 0.3, 0.5, 0.7, 0.98)
SHAPES = ("equal", "beta10", "beta2", "beta.6", "all-or-nothing", "easy-and-hard")
Floats = NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Cell:
    """One truth: how task difficulties are spread around which mean, and how many tasks and rollouts are drawn."""

    shape: str
    mean: float
    tasks: int
    rollouts: int | str
    k: int = 1
    what: str = "pass@1"

    def seed(self) -> list[int]:
        return [
            *self.shape.encode(),
            int(self.mean * 1000),
            self.tasks,
            *str(self.rollouts).encode(),
            self.k,
            len(self.what),
        ]


@dataclasses.dataclass(frozen=True)
class Measured:
    """What was measured in one cell: the share of intervals that hold the truth, its Monte Carlo error, the widths."""

    cell: Cell
    truth: float
    coverage: float
    error: float
    width: float
    t_width: float
    least_width: float
    runs: int


def difficulties(shape: str, mean: float, size: tuple[int, int], rng: np.random.Generator) -> Floats:
    """Pass probabilities of tasks, drawn around the mean."""
    if shape == "equal":
        return np.full(size, mean)
    if shape == "all-or-nothing":
        return (rng.random(size) < mean).astype(float)
    if shape == "easy-and-hard":
        easy, hard = _easy_hard(mean)
        return np.where(rng.random(size) < 0.8, easy, hard)
    total = {"beta10": 10.0, "beta2": 2.0, "beta.6": 0.6}[shape]
    return rng.beta(total * mean, total * (1 - mean), size)


def _easy_hard(mean: float) -> tuple[float, float]:
    hard = mean * 0.2
    easy = (mean - 0.2 * hard) / 0.8
    return (easy, hard) if easy <= 1 else (1.0, (mean - 0.8) / 0.2)


def truth_of(cell: Cell) -> float:
    """The population value: the mean of p, p^k or 1 - (1 - p)^k over difficulties."""
    if cell.what == "pass@1":
        return cell.mean
    moment = _power_moment(
        cell.shape, cell.mean if cell.what == "pass^k" else 1 - cell.mean, cell.k, cell.what == "pass^k"
    )
    return moment if cell.what == "pass^k" else 1 - moment


def _power_moment(shape: str, mean: float, k: int, as_is: bool) -> float:
    if shape == "equal":
        return mean**k
    if shape == "all-or-nothing":
        return mean
    if shape == "easy-and-hard":
        easy, hard = _easy_hard(mean if as_is else 1 - mean)
        low, high = (easy, hard) if as_is else (1 - easy, 1 - hard)
        return 0.8 * low**k + 0.2 * high**k
    total = {"beta10": 10.0, "beta2": 2.0, "beta.6": 0.6}[shape]
    a = total * mean
    return math.exp(sum(math.log((a + i) / (total + i)) for i in range(k)))


def draw(cell: Cell, runs: int, rng: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """`(rollouts, passes)`, each of shape (runs, tasks)."""
    size = (runs, cell.tasks)
    n = rng.integers(1, 9, size) if cell.rollouts == "1-8" else np.full(size, int(cell.rollouts))
    return n, rng.binomial(n, difficulties(cell.shape, cell.mean, size, rng))


def measure(cell: Cell, runs: int, salt: int = 0) -> Measured:
    """Coverage of the interval on the cell's metric, over `runs` simulated evaluations."""
    rng = np.random.default_rng([*cell.seed(), salt])
    n, c = draw(cell, runs, rng)
    order = np.lexsort((c, n), axis=1)
    n, c = np.take_along_axis(n, order, 1), np.take_along_axis(c, order, 1)
    rows, counts = np.unique(np.concatenate([n, c], axis=1), axis=0, return_counts=True)
    ends = np.array([_ends(row[: cell.tasks], row[cell.tasks :], cell) for row in rows])
    truth = truth_of(cell)
    held = (ends[:, 0] <= truth + 1e-12) & (ends[:, 1] >= truth - 1e-12)
    share = float((held * counts).sum() / runs)
    error = math.sqrt(max(share * (1 - share), 1 / runs) / runs)
    widths = ends[:, 1] - ends[:, 0]
    return Measured(
        cell, truth, share, error, float((widths * counts).sum() / runs), float((ends[:, 2] * counts).sum() / runs),
        float(widths.min()), runs,
    )  # fmt: skip


def _ends(n: NDArray[np.int64], c: NDArray[np.int64], cell: Cell) -> tuple[float, float, float]:
    if cell.what == "pass@1":
        values = c / n
    else:
        powers, ats = k_way(n, c, cell.k)
        values = powers if cell.what == "pass^k" else ats
    found = unit_mean_interval(values, values.size / float((1 / n).sum()), LEVEL)
    assert found is not None
    return found.low, found.high, _t_width(values)


def _t_width(values: Floats) -> float:
    from whileai.simulations.kernels.quantiles import t_quantile

    return 2 * t_quantile(0.975, values.size - 1) * float(values.std(ddof=1)) / math.sqrt(values.size)


def settle(cells: Iterable[Cell], runs: int, bar: Callable[[Measured], float], more: int = 10) -> Iterator[Measured]:
    """Measure each cell; one that comes near its bar is measured again with `more` times the runs."""
    for cell in cells:
        found = measure(cell, runs)
        if found.coverage < bar(found) + 2 * found.error:
            found = measure(cell, more * runs, salt=1)
        yield found


def below_bar(found: Measured, bar: float) -> bool:
    """Whether the coverage is under the bar by more than the Monte Carlo error allows."""
    return found.coverage < bar - 3 * found.error


def pass_rate_cells(
    tasks: Iterable[int] = TASKS, rollouts: Iterable[int | str] = ROLLOUTS, means: Iterable[float] = MEANS
) -> list[Cell]:
    """The grid of pass@1."""
    means = list(means)
    rollouts = list(rollouts)
    return [Cell(s, m, n, k) for s in SHAPES for n in tasks for k in rollouts for m in means]


def five_truths(tasks: int) -> list[Cell]:
    """Five spreads of difficulty with means from .1 to .9, 4 rollouts a task: what widths are averaged over."""
    means = {0.1: "beta2", 0.3: "beta10", 0.5: "beta2", 0.7: "beta10", 0.9: "beta2"}
    return [Cell(shape, mean, tasks, 4) for mean, shape in means.items()]


def k_way_cells(tasks: Iterable[int], pairs: Iterable[tuple[int, int]], means: Iterable[float] = MEANS) -> list[Cell]:
    """The grid of pass^k and pass@k; `pairs` are (k, rollouts)."""
    means, pairs = list(means), list(pairs)
    return [
        Cell(s, m, n, rollouts, k, what)
        for what in ("pass^k", "pass@k")
        for s in SHAPES
        for n in tasks
        for k, rollouts in pairs
        for m in means
    ]


def skewed_coverage(sigma: float, tasks: int, runs: int) -> tuple[float, float]:
    """`(coverage, error)` of the interval on the mean of log-normal task values."""
    rng = np.random.default_rng([int(sigma * 10), tasks])
    truth = math.exp(sigma**2 / 2)
    held = 0
    for values in rng.lognormal(0.0, sigma, (runs, tasks)):
        found = skewed_mean_interval(values, LEVEL)
        assert found is not None
        held += found.low <= truth <= found.high
    share = held / runs
    return share, math.sqrt(share * (1 - share) / runs)
