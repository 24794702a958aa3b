"""The block a person reads first: the overview as text, at most 100 columns wide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whileai.simulations.reports import (
    counted,
    figure,
    interval_text,
    number_text,
    printable,
    read_lines,
    wrapped,
)
from whileai.simulations.score.stats.text import ends_text, estimate_line, more_lines, summary_lines

_BAR = 30


def format_overview(report: Mapping[str, Any]) -> str:
    """The overview as lines: what was read, what to know first, pass rates, difficulty, markers, what is missing."""
    parts = (_read, _warnings, _rates, _difficulty, _markers, _missing)
    return "\n".join(line.rstrip() for part in parts for line in part(report))


def _read(report: Mapping[str, Any]) -> Iterator[str]:
    yield from read_lines(report.get("read") or ())
    rows, tasks = counted(report["rows"], "row"), counted(report["tasks"], "task")
    yield f"{rows}, {tasks}{_per_task(report['rollouts_per_task'])}"
    yield (
        f"graded {report['graded']}: {report['passed']} pass, {report['failed']} fail, "
        f"{report['partial']} {_between(report)}; ungraded {report['ungraded']}{_why(report['ungraded_why'])}"
    )
    if report["failed_runs"]:
        yield f"{counted(report['failed_runs'], 'run')} ended in an error"


def _between(report: Mapping[str, Any]) -> str:
    """What rewards are called that are neither 0 nor 1."""
    least, most = (report["reward"][end] for end in ("least", "most"))
    return "partial" if least is None or (least >= 0 and most <= 1) else "neither"


def _warnings(report: Mapping[str, Any]) -> Iterator[str]:
    for sentence in report["warnings"]:
        yield from wrapped(f"! {printable(sentence)}")


def _per_task(spread: Mapping[str, float] | None) -> str:
    if spread is None:
        return ""
    if spread["min"] == spread["max"]:
        return f", {counted(int(spread['min']), 'rollout')} a task"
    return f", {spread['min']:g} to {spread['max']:g} rollouts a task (median {spread['median']:g})"


def _why(reasons: Mapping[str, int]) -> str:
    if not reasons:
        return ""
    shown = [f"{printable(reason)} {n}" for reason, n in list(reasons.items())[:3]]
    more = f", {len(reasons) - 3} more reasons" if len(reasons) > 3 else ""
    return f" ({', '.join(shown)}{more})"


def _rates(report: Mapping[str, Any]) -> Iterator[str]:
    rates, reward = report["pass_at"], report["reward"]
    yield ""
    yield estimate_line("", "rate", "95% interval", "n")
    if rates["pass_at_1"] is None:
        yield estimate_line("pass@1", "-", "-", "no row has a 0/1 reward")
    else:
        n = f"{counted(rates['n_groups'], 'task')}, {counted(rates['n_rows'], 'rollout')}"
        yield estimate_line("pass@1", number_text(rates["pass_at_1"]), interval_text(rates["ci95"]), n)
    for name, key in (("pass^", "pass_pow_k"), ("pass@", "pass_at_k")):
        for draw in report["k_way"]:
            ends, n = interval_text(draw[f"{key}_ci95"]), counted(draw["n_tasks"], "task")
            yield estimate_line(f"{name}{draw['k']}", number_text(draw[key]), ends, n)
    if report["partial"]:
        n = f"{counted(reward['n_tasks'], 'task')}, {counted(report['graded'], 'graded row')}"
        yield estimate_line("mean reward", figure(reward["mean"]), ends_text(reward["ci95"]), n)


def _difficulty(report: Mapping[str, Any]) -> Iterator[str]:
    spread = report["difficulty"]
    total = spread["n_tasks"]
    if not total:
        return
    low, high = spread["band"]
    yield ""
    yield f"Task difficulty: tasks by pass rate ({low:.0%} to {high:.0%} is where a grouped update finds contrast)"
    most = max(entry["n"] for entry in spread["bins"])
    for entry in spread["bins"]:
        bar = "#" * -(-entry["n"] * _BAR // most) if most else ""
        yield f"  {entry['name']:<7} {_range(entry):>7} |{bar:<{_BAR}} {entry['n']:>6}"
    yield f"  {spread['n_in_band']} of {counted(total, 'task')} in the band"


def _range(entry: Mapping[str, Any]) -> str:
    low, high = round(entry["low"] * 100), round(entry["high"] * 100)
    if low == high:
        return f"{low}%"
    if entry["name"] == "hard":
        return f"<{high}%"
    return f">{low}%" if entry["name"] == "easy" else f"{low}-{high}%"


def _markers(report: Mapping[str, Any]) -> Iterator[str]:
    markers = report["markers"]
    if not markers:
        return
    yield ""
    yield from summary_lines(markers, "marker")
    yield from more_lines(markers, "all of them with --json")


def _missing(report: Mapping[str, Any]) -> Iterator[str]:
    if report["missing"]:
        yield ""
        yield "To say more"
        for sentence in report["missing"]:
            yield from wrapped(f"  - {printable(sentence)}", "    ")
