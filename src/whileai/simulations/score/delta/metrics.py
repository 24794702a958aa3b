"""Which metrics are compared, which way is up on each, and the comparison of every one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.score.delta.arguments import Thresholds, check_compared
from whileai.simulations.score.delta.sides import Side
from whileai.simulations.score.stats.compare import Pair, compare_sums
from whileai.simulations.score.stats.summary import MARKER, PASS

# markers that count something unwanted: the stock tics of style, and replies cut by the token cap
LOWER_IS_BETTER = frozenset(
    MARKER + name for name in ("boilerplate", "self_reference", "hedging", "refusal", "sycophancy", "truncated")
)
_TURNED = {"b_better": "a_better", "a_better": "b_better"}
Ends = tuple[float, float]
Entry = dict[str, Any]


@dataclass(frozen=True)
class Metric:
    """One metric of both sides: per-task sums, and whether lower is better."""

    key: str
    before: TaskSums
    after: TaskSums
    lower: bool

    def compared(self, asked: Thresholds) -> Entry:
        """The comparison, with its verdict read in the direction of a gain."""
        entry = compare_sums(self.key, self.before, self.after, level=asked.level, draws=asked.n_boot, seed=asked.seed)
        return {**entry, "lower_is_better": self.lower, "gain_verdict": gain_verdict(entry["verdict"], self.lower)}

    def pair(self) -> Pair:
        """The shared tasks."""
        return Pair(self.before, self.after)

    def is_rate(self) -> bool:
        """Whether every value lies in [0, 1]."""
        return self.before.within_unit() and self.after.within_unit()


def metrics_of(before: Side, after: Side, listed: list[str] | None, given: Mapping[str, bool]) -> dict[str, Metric]:
    """The metrics compared, by key: pass@1 first, then the listed markers, else those both sides carry, by name."""
    if listed is None:
        shared = before.marker_names & after.marker_names
        keys = [PASS, *(MARKER + name for name in sorted(shared))]
    else:
        keys = [PASS, *(key for key in listed if key != PASS)]
    check_compared("lower_is_better", given, keys)
    sums = {key: (before.passes, after.passes) if key == PASS else (before.sums(key), after.sums(key)) for key in keys}
    return {key: Metric(key, *sums[key], given.get(key, key in LOWER_IS_BETTER)) for key in keys}


def one_sided(before: Side, after: Side, listed: list[str] | None) -> dict[str, list[str]]:
    """The markers that only one side carries and that no list asked for: they are not compared."""
    held = {side.name: side.marker_names if side.n_rows else None for side in (before, after)}
    names: dict[str, list[str]] = {"only_before": [], "only_after": []}
    if listed is None and held["before"] is not None and held["after"] is not None:
        names["only_before"] = sorted(MARKER + name for name in held["before"] - held["after"])
        names["only_after"] = sorted(MARKER + name for name in held["after"] - held["before"])
    return names


def gain_verdict(verdict: str, lower: bool) -> str:
    """The verdict with the sides swapped when lower is better.

    >>> gain_verdict("a_better", lower=True)
    'b_better'
    """
    return _TURNED.get(verdict, verdict) if lower else verdict


def turned(ends: Ends, lower: bool) -> Ends:
    """An interval on a difference, turned so that up is good."""
    return (-ends[1], -ends[0]) if lower else ends


def gain(entry: Mapping[str, Any]) -> float | None:
    """The delta turned so that up is good."""
    delta: float | None = entry["delta"]
    return None if delta is None else -delta if entry["lower_is_better"] else delta


def is_up(entry: Mapping[str, Any]) -> bool:
    """A supported gain outside the re-run band."""
    return entry["gain_verdict"] == "b_better" and not entry["within_noise"]


def is_down(entry: Mapping[str, Any]) -> bool:
    """A supported loss outside the re-run band."""
    return entry["gain_verdict"] == "a_better" and not entry["within_noise"]
