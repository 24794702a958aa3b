"""Do the single evaluation runs agree with the pooled answer?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.score.delta.arguments import Thresholds
from whileai.simulations.score.delta.metrics import Entry, Metric
from whileai.simulations.score.delta.noise import GIVEN, Noise
from whileai.simulations.score.delta.seeds import Seeds
from whileai.simulations.score.delta.sides import Side

_MOST_RUNS = 100  # runs a side beyond which they are not compared one by one
_UP, _DOWN, _FLAT, _NONE = ("up", "UP"), ("DOWN", "down"), ("flat", "flat"), ("n/a", "n/a")


def tag(entry: Entry, *, band: bool) -> str:
    """`up`, `DOWN`, `flat` or `n/a`; `UP` and `down` where lower is better. With `band`, inside it is flat."""
    lower = entry["lower_is_better"]
    if entry["verdict"] == "insufficient_data":
        return _NONE[0]
    if entry["verdict"] == "no_difference_detected" or (band and entry["within_noise"]):
        return _FLAT[0]
    return (_UP if entry["verdict"] == "b_better" else _DOWN)[lower]


def repeats_key(
    sides: tuple[Side, Side], metric: Metric, pooled: Entry, noise: Noise, seeds: Seeds | None, asked: Thresholds
) -> dict[str, Any]:
    """The `repeats` key: the headline metric in each run, run against run, and how many agree with the whole."""
    runs = {side.name: _run_sums(side, metric.key, seeds) for side in sides}
    means = {name: [float(sums.means().mean()) for sums in held] for name, held in runs.items()}
    whole = {"before": metric.before, "after": metric.after}
    pairing, pairs = _pairs(runs, whole)
    compared = [Metric(metric.key, a, b, metric.lower).compared(asked) for a, b in pairs]
    tags = [tag(entry, band=False) for entry in compared]
    pooled_tag = tag(pooled, band=True)
    agree = tags.count(pooled_tag)
    return {
        "metric": metric.key,
        "n_runs": {name: len(held) for name, held in means.items()},
        "run_means": means,
        "range": {name: (min(held), max(held)) if held else None for name, held in means.items()},
        "spread": {name: max(held) - min(held) if held else None for name, held in means.items()},
        "spread_stat": "max - min",
        "pairing": pairing,
        "run_deltas": [entry["delta"] for entry in compared],
        "run_tags": tags,
        "pooled_tag": pooled_tag,
        "agree": agree if tags else None,
        "n": len(tags),
        "note": _note(len(tags), agree, noise, metric.key),
    }


def _run_sums(side: Side, metric: str, seeds: Seeds | None) -> list[TaskSums]:
    """The measured runs of a side: by stamp, else its training seeds, else the side as one run."""
    trained = seeds.sums[side.name] if seeds is not None else None
    if len(side.runs) < 2 and trained:
        return trained
    if 2 <= len(side.runs) <= _MOST_RUNS:
        found = [side.run_sums(metric, run) for run in range(len(side.runs))]
    else:
        found = [side.sums(metric)]
    return [sums for sums in found if sums.n]


def _pairs(
    runs: Mapping[str, list[TaskSums]], whole: Mapping[str, TaskSums]
) -> tuple[str | None, list[tuple[TaskSums, TaskSums]]]:
    before, after = runs["before"], runs["after"]
    if max(len(before), len(after)) < 2:
        return None, []
    if len(before) == len(after):
        return "run by run", list(zip(before, after, strict=True))
    if len(before) > len(after):
        return "before runs against all after rows", [(sums, whole["after"]) for sums in before]
    return "after runs against all before rows", [(whole["before"], sums) for sums in after]


def _note(n: int, agree: int, noise: Noise, metric: str) -> str:
    if n:
        return f"{agree}/{n} runs agree"
    if max(noise.runs.values()) > _MOST_RUNS:
        return f"more than {_MOST_RUNS} runs: not compared one by one"
    given = noise.source == GIVEN and noise.std(metric) is not None
    return "1 run, noise from the given run_std" if given else "1 run, noise unknown"
