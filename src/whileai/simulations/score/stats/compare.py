"""Two runs on one metric: paired by task where they share tasks, unpaired means where they do not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.arguments import between, whole
from whileai.simulations.defaults import BOOTSTRAP_DRAWS, CI_LEVEL, MIN_PAIRED_TASKS
from whileai.simulations.kernels.intervals import Interval
from whileai.simulations.kernels.signflip import paired_test, these_tasks_p
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.kernels.welch import welch_interval
from whileai.simulations.reports import Report, counted
from whileai.simulations.rows.table import RowTable, Tasks
from whileai.simulations.score.stats.summary import PASS, metric_sums
from whileai.simulations.score.stats.text import format_comparison
from whileai.simulations.signature import public

Floats = NDArray[np.float64]
UNPAIRED_MAJORITY_SHARE = 0.5  # paired share below which most tasks were dropped; the meaning of "most"


@public
def compare_runs(
    a: Iterable[Any],
    b: Iterable[Any],
    metric: str = PASS,
    n_boot: int = BOOTSTRAP_DRAWS,
    seed: int = 0,
    min_paired: int = MIN_PAIRED_TASKS,
    level: float = CI_LEVEL,
) -> Report:
    """Test whether run `b` differs from run `a` on one metric, paired by task.

    Shared tasks are compared as differences (b minus a) by the sign-flip test, exact where the differences have few
    combinations, else with `n_boot` draws from `seed`; the interval inverts the same test, so `verdict` (`b_better`,
    `a_better`, `no_difference_detected`, `insufficient_data`), `ci95` (at `level`) and `p_value` agree. With fewer
    than `min_paired` shared tasks it falls back to a Welch interval over unpaired task means and says so.
    `p_value_these_tasks` answers another question, whether anything changed on these very tasks, and is never the
    verdict. `mean_a` and `mean_b` are over all tasks of a run, `delta` over the shared ones. Methods and what they
    reach: docs/calibration-comparisons.md. `ValueError` for a `level` outside (0, 1) or an unknown metric.

    >>> a = [{"task_id": t, "reward": 0} for t in "abcdef"]
    >>> b = [{"task_id": t, "reward": 1} for t in "abcdef"]
    >>> compare_runs(a, b)["verdict"]
    'b_better'
    """
    level = between("level", level, 0, 1, ends=False)
    draws, seed, min_paired = whole("n_boot", n_boot, 1), whole("seed", seed, 0), whole("min_paired", min_paired)
    index = Tasks()
    sums = [metric_sums(RowTable(rows, index), metric) for rows in (a, b)]
    found = compare_sums(metric, sums[0], sums[1], level=level, draws=draws, seed=seed, min_paired=min_paired)
    return Report(found, show=format_comparison)


def compare_sums(
    metric: str, a: TaskSums, b: TaskSums, *, level: float, draws: int, seed: int, min_paired: int = MIN_PAIRED_TASKS
) -> dict[str, Any]:
    """The comparison from per-task sums whose task codes share one index; keys as for `compare_runs`."""
    pair = Pair(a, b)
    paired = pair.n_shared >= max(1, min_paired)
    result: dict[str, Any] = {
        "metric": metric,
        "paired": paired,
        "n_paired": pair.n_shared,
        "n_only_a": a.codes().size - pair.n_shared,
        "n_only_b": b.codes().size - pair.n_shared,
        "paired_share": pair.share,
        "n_used": pair.n_shared if paired else min(a.codes().size, b.codes().size),
        "mean_a": _mean(a.means()),
        "mean_b": _mean(b.means()),
        **(_paired(pair, level, draws, seed) if paired else _unpaired(pair, level)),
        "level": level,
        "p_value_these_tasks": pair.these_tasks_p(),
    }
    result["verdict"] = verdict(result["delta"], result["ci95"])
    notes = [result.pop("limit"), _note(result, min_paired)]
    return {**result, "note": "; ".join(note for note in notes if note)}


class Pair:
    """The shared tasks of two sides whose codes share one index; `codes` are theirs, ascending."""

    def __init__(self, a: TaskSums, b: TaskSums) -> None:
        self.a, self.b = a, b
        codes_a, codes_b = a.codes(), b.codes()
        self.codes, self.at_a, self.at_b = np.intersect1d(codes_a, codes_b, assume_unique=True, return_indices=True)
        self.n_shared = int(self.codes.size)
        union = codes_a.size + codes_b.size - self.n_shared
        self.share = self.n_shared / union if union else None
        self.unit = a.within_unit() and b.within_unit()

    def differences(self) -> Floats:
        """Mean of b minus mean of a, for each shared task."""
        return self.b.means()[self.at_b] - self.a.means()[self.at_a]

    def these_tasks_p(self) -> float | None:
        """The p of `kernels.signflip.these_tasks_p`; None unless every value is 0 or 1."""
        if not self.n_shared or not (self.a.all_binary() and self.b.all_binary()):
            return None
        counts = [side.sums()[at].astype(np.int64) for side, at in ((self.a, self.at_a), (self.b, self.at_b))]
        sizes = [side.counts()[at] for side, at in ((self.a, self.at_a), (self.b, self.at_b))]
        return these_tasks_p(counts[0], sizes[0], counts[1], sizes[1])


def _paired(pair: Pair, level: float, draws: int, seed: int) -> dict[str, Any]:
    differences = pair.differences()
    found = paired_test(differences, level, draws, seed)
    delta = float(differences.mean())
    if found is None:
        return {"delta": delta, "ci95": None, "p_value": None, "limit": ""}
    limit = ""
    if differences.size < found.tasks_needed:
        limit = (
            f"{differences.size} shared tasks cannot reach a verdict at level {level:g} "
            f"(p is {2.0**-differences.size:.3g} at best): {found.tasks_needed} are the least"
        )
    return {"delta": delta, "ci95": _clipped(found.interval, pair.unit), "p_value": found.p_value, "limit": limit}


def _clipped(ends: Interval, unit: bool) -> tuple[float, float]:
    return (max(-1.0, ends.low), min(1.0, ends.high)) if unit else (ends.low, ends.high)


def _unpaired(pair: Pair, level: float) -> dict[str, Any]:
    means_a, means_b = pair.a.means(), pair.b.means()
    both = means_a.size and means_b.size
    found = welch_interval(means_a, means_b, level, unit=pair.unit) if both else None
    return {
        "delta": float(means_b.mean() - means_a.mean()) if both else None,
        "ci95": None if found is None else (found.low, found.high),
        "p_value": None,
        "limit": "",
    }


def _mean(means: Floats) -> float | None:
    return float(means.mean()) if means.size else None


def verdict(delta: float | None, ends: tuple[float, float] | None) -> str:
    """What an interval on a difference says.

    >>> verdict(0.2, (0.1, 0.3)), verdict(0.2, (-0.1, 0.5)), verdict(0.2, None)
    ('b_better', 'no_difference_detected', 'insufficient_data')
    """
    if delta is None or ends is None:
        return "insufficient_data"
    if ends[0] > 0:
        return "b_better"
    return "a_better" if ends[1] < 0 else "no_difference_detected"


def _without(result: dict[str, Any]) -> str:
    sides = [side for side in ("a", "b") if result[f"mean_{side}"] is None]
    what = "0/1 reward" if result["metric"] == PASS else "value of the metric"
    return f"{' and '.join(sides)} {'has' if len(sides) == 1 else 'have'} no {what}"


def _note(result: dict[str, Any], min_paired: int) -> str:
    only_a, only_b, shared = result["n_only_a"], result["n_only_b"], result["n_paired"]
    if result["delta"] is None:
        return f"fewer than {min_paired} shared tasks: {_without(result)}"
    if not result["paired"]:
        return f"fewer than {min_paired} shared tasks ({shared}): unpaired task means, a weaker test"
    if not only_a and not only_b:
        return ""
    most = "most tasks unpaired: " if result["paired_share"] < UNPAIRED_MAJORITY_SHARE else ""
    return (
        f"{most}{counted(only_a, 'task')} only in a and {only_b} only in b were dropped; the verdict rests on the "
        f"{shared} shared"
    )
