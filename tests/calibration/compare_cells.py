"""Pairs of runs drawn from known truths, and what the comparison says of them: false alarms, coverage, power."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.kernels.signflip import PairedTest, least_tasks, paired_test, these_tasks_p
from whileai.simulations.kernels.welch import welch_interval

LEVEL, DRAWS = 0.95, 2000
Floats = NDArray[np.float64]
Pair = tuple[Floats, Floats]
Draw = Callable[[np.random.Generator, int], Pair]


@dataclasses.dataclass(frozen=True)
class Share:
    """A measured share with its Monte Carlo error."""

    what: str
    share: float
    runs: int

    @property
    def error(self) -> float:
        return math.sqrt(max(self.share * (1 - self.share), 1 / self.runs) / self.runs)

    def at_most(self, bar: float) -> bool:
        return self.share <= bar + 3 * self.error

    def at_least(self, bar: float) -> bool:
        return self.share >= bar - 3 * self.error


def beta(a: float, b: float) -> Draw:
    """Both runs at the same difficulties, Beta(a, b)."""

    def draw(rng: np.random.Generator, n: int) -> Pair:
        p = rng.beta(a, b, n)
        return p, p

    return draw


def all_equal(p: float) -> Draw:
    """Both runs pass every task with one chance."""
    return lambda _, n: (np.full(n, p), np.full(n, p))


def cancelling(rng: np.random.Generator, n: int) -> Pair:
    """Each task moves by .3 up or down, by a coin: the mean over tasks does not change."""
    p = rng.uniform(0.3, 0.7, n)
    return p, p + 0.3 * rng.choice([-1.0, 1.0], n)


def easy_and_hard(rng: np.random.Generator, n: int) -> Pair:
    """Four fifths at .95, one fifth at .1."""
    p = np.where(rng.random(n) < 0.8, 0.95, 0.1)
    return p, p


NULLS: dict[str, Draw] = {
    "Beta(3, 2)": beta(3, 2),
    "Beta(.5, .5)": beta(0.5, 0.5),
    "all .6": all_equal(0.6),
    "easy and hard": easy_and_hard,
    "effects that cancel": cancelling,
}


def gained_evenly(gain: float) -> Draw:
    """Beta(3, 2) tasks that each gain what the room allows, `gain` on average over tasks."""

    def draw(rng: np.random.Generator, n: int) -> Pair:
        p = rng.beta(3, 2, n)
        return p, np.minimum(1.0, p + gain * (1 - p) / 0.4)

    return draw


def gained_by_few(gain: float) -> Draw:
    """Beta(3, 2) tasks of which a share goes to 1 so that the mean gain is `gain`."""

    def draw(rng: np.random.Generator, n: int) -> Pair:
        p = rng.beta(3, 2, n)
        return p, np.where(rng.random(n) < gain / 0.4, 1.0, p)

    return draw


def differences(draw: Draw, n: int, runs: int, k: int = 4, salt: int = 0) -> Iterator[Floats]:
    """Per-task differences of pairs of runs, k rollouts a task on each side."""
    rng = np.random.default_rng([n, runs, k, salt])
    for _ in range(runs):
        before, after = draw(rng, n)
        yield (rng.binomial(k, after, n) - rng.binomial(k, before, n)) / k


def paired(differences: Floats) -> PairedTest:
    """The test, made once for equal differences in any order: with few tasks most draws come again."""
    return _paired(np.sort(differences).tobytes())


@functools.lru_cache(100_000)
def _paired(differences: bytes) -> PairedTest:
    found = paired_test(np.frombuffer(differences), LEVEL, DRAWS, 0)
    assert found is not None
    return found


def rejects(d: Floats) -> bool:
    """Whether the paired comparison gives a verdict."""
    found = paired(d)
    return found.interval.low > 0 or found.interval.high < 0


def verdicts(what: str, draw: Draw, n: int, runs: int, k: int = 4) -> Share:
    """The share of pairs of runs that get a verdict: false alarms under a null, power otherwise."""
    return Share(what, float(np.mean([rejects(d) for d in differences(draw, n, runs, k)])), runs)


def coverage(what: str, draw: Draw, effect: float, n: int, runs: int, k: int = 4) -> Share:
    """The share of intervals that hold the mean effect."""
    held = 0
    for d in differences(draw, n, runs, k, salt=1):
        found = paired(d)
        held += found.interval.low - 1e-9 <= effect <= found.interval.high + 1e-9
    return Share(what, held / runs, runs)


UNTIED: tuple[Callable[[np.random.Generator, int], Floats], ...] = (
    lambda rng, n: rng.normal(size=n),
    lambda rng, n: rng.exponential(size=n) - rng.exponential(size=n),  # differences of skewed values
)


def shifted_coverage(what: str, draw: Draw, effect: float, n: int, runs: int) -> Share:
    """Coverage where every task of the second run gains `effect`, difficulties squeezed so that none leaves [0, 1]."""

    def shifted(rng: np.random.Generator, tasks: int) -> Pair:
        p = draw(rng, tasks)[0] * (1 - effect)
        return p, p + effect

    return coverage(what, shifted, effect, n, runs)


def untied(what: str, values: Callable[[np.random.Generator, int], Floats], n: int, runs: int) -> Share:
    """False alarms on differences without ties."""
    rng = np.random.default_rng([n, runs, 7])
    return Share(what, float(np.mean([rejects(values(rng, n)) for _ in range(runs)])), runs)


def contradictions(runs: int) -> int:
    """Of so many pairs of runs, n from 3 to 150, those whose verdict and p disagree, either way."""
    rng = np.random.default_rng(3)
    shapes = [*NULLS.values(), gained_evenly(0.1), gained_by_few(0.2)]
    found = 0
    for number in range(runs):
        n = int(rng.integers(3, 151))
        before, after = shapes[number % len(shapes)](rng, n)
        k = int(rng.choice([1, 2, 4, 8]))
        test = paired_test((rng.binomial(k, after, n) - rng.binomial(k, before, n)) / k, LEVEL, DRAWS, number)
        assert test is not None
        verdict = test.interval.low > 0 or test.interval.high < 0
        if n >= least_tasks(1 - LEVEL):
            found += verdict != (test.p_value <= 1 - LEVEL + 1e-12)
        else:
            found += verdict
    return found


def unpaired(what: str, draw: Draw, n_a: int, n_b: int, runs: int, k: int = 4) -> Share:
    """False alarms of the comparison over different tasks."""
    rng = np.random.default_rng([n_a, n_b, runs])
    alarms = 0
    for _ in range(runs):
        a = rng.binomial(k, draw(rng, n_a)[0], n_a) / k
        b = rng.binomial(k, draw(rng, n_b)[0], n_b) / k
        found = welch_interval(a, b, LEVEL, unit=True)
        assert found is not None
        alarms += found.low > 0 or found.high < 0
    return Share(what, alarms / runs, runs)


def these_tasks(what: str, draw: Draw, n: int, runs: int, k: int = 4) -> Share:
    """The share of pairs in which `p_value_these_tasks` is at most .05."""
    rng = np.random.default_rng([n, runs, 11])
    size = np.full(n, k)
    hits = 0
    for _ in range(runs):
        before, after = draw(rng, n)
        p = these_tasks_p(rng.binomial(k, before, n), size, rng.binomial(k, after, n), size)
        hits += p is not None and p <= 0.05
    return Share(what, hits / runs, runs)
