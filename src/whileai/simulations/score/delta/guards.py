"""Guards that must not regress, and the proxy that must not run away from the target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.kernels.signflip import least_tasks
from whileai.simulations.kernels.tally import SAME, TaskSums
from whileai.simulations.reports import counted
from whileai.simulations.score.delta.metrics import Entry, Metric, is_down, is_up, turned
from whileai.simulations.score.delta.verdicts import cannot_decide
from whileai.simulations.score.stats.summary import PASS

PROXY_NOT_MEASURED, PROXY_IS_TARGET = "proxy_not_measured", "proxy_is_target"
_WORDS = {
    "b_better": "moved",
    "a_better": "moved_the_wrong_way",
    "no_difference_detected": "no_change_detected",
    "insufficient_data": "insufficient_data",
}


def lists(entries: Mapping[str, Entry], guards: list[str]) -> dict[str, list[str]]:
    """`improved`, `slipped`, `regressions` (the guards that fell) and `within_noise`, in metric order."""
    fell = [key for key, entry in entries.items() if is_down(entry)]
    return {
        "improved": [key for key, entry in entries.items() if is_up(entry)],
        "slipped": [key for key in fell if key not in guards],
        "regressions": [key for key in fell if key in guards],
        "within_noise": [key for key, entry in entries.items() if entry["within_noise"]],
    }


def guard_keys(guards: list[str], metrics: Mapping[str, Metric]) -> dict[str, list[str]]:
    """The guards as asked for, those that are no metric compared, and those that hold one value on each side."""
    return {
        "must_not_regress": guards,
        "unmeasured_guards": [key for key in guards if key not in metrics],
        "degenerate_guards": _degenerate(guards, metrics),
    }


def cannot_fail(report: Mapping[str, Any], key: str) -> str:
    """Why a measured guard cannot fail on rows like these; "" where it can."""
    entry, alpha = report["metrics"][key], report["alpha"]
    reasons = []
    if entry["verdict"] == "insufficient_data":
        reasons.append(f"{counted(entry['n_used'], 'task')}: too few for a verdict")
    elif cannot_decide(entry, alpha):
        level, least = f"{1 - alpha:.4g}", least_tasks(alpha)
        tasks = counted(entry["n_paired"], "task")
        reasons.append(f"{tasks} cannot reach a verdict at level {level}, {least} are the least")
    if key in report["degenerate_guards"] and holds_one_value(entry):
        reasons.append(f"every row holds {entry['mean_a']:.4g}")
    return "; ".join(reasons)


def holds_one_value(entry: Entry) -> bool:
    """Whether a degenerate guard's one value is the same on both sides."""
    return bool(abs(entry["mean_b"] - entry["mean_a"]) <= SAME)


def _degenerate(guards: list[str], metrics: Mapping[str, Metric]) -> list[str]:
    """On each side all rows hold one value."""
    return [key for key in guards if key in metrics and all(map(TaskSums.all_equal, _sides(metrics[key])))]


def _sides(metric: Metric) -> tuple[TaskSums, TaskSums]:
    return metric.before, metric.after


def proxy_keys(proxy: str | None, target: str | None, entries: Mapping[str, Entry]) -> dict[str, Any]:
    """The report keys of the proxy, compared with the target, or with pass@1 when there is no measured target."""
    against = target if target is not None and target in entries else PASS
    entry = entries.get(proxy) if proxy is not None else None
    if proxy is None or entry is None:
        verdict = None if proxy is None else PROXY_NOT_MEASURED
    else:
        verdict = PROXY_IS_TARGET if proxy == against else _WORDS[entry["gain_verdict"]]
    return {
        "proxy": proxy,
        "proxy_verdict": verdict,
        "proxy_delta": None if entry is None else entry["delta"],
        "proxy_ci95": None if entry is None else entry["ci95"],
        "over_optimized": entry is not None and proxy != against and _ran_away(entry, entries[against]),
    }


def _ran_away(proxy: Entry, target: Entry) -> bool:
    if not is_up(proxy):
        return False
    if not is_up(target):
        return True
    lowest = turned(proxy["ci95"], proxy["lower_is_better"])[0]
    return bool(lowest > turned(target["ci95"], target["lower_is_better"])[1])
