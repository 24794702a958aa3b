"""The block a person reads first: the overview as text, at most 100 columns wide."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from whileai.simulations.reports import interval_text, number_text, printable

WIDTH = 100
_NAME_CHARS = 30
_BAR = 30
_MARKERS_SHOWN = 40


def format_overview(report: Mapping[str, Any]) -> str:
    """The overview as lines: what was read, pass rates, task difficulty, markers, what is missing to say more."""
    return "\n".join(
        line.rstrip()
        for part in (_read(report), _rates(report), _difficulty(report), _markers(report), _missing(report))
        for line in part
    )


def _read(report: Mapping[str, Any]) -> Iterator[str]:
    for entry in report.get("read") or ():
        formats = ", ".join(
            f"{name} ({n})" if len(entry["formats"]) > 1 else name for name, n in entry["formats"].items()
        )
        yield f"{printable(entry['source'], 60)}: {formats or 'no rows'}, {_count(entry['rows'], 'row')}"
        if entry["bad"]:
            first = entry["first_bad"]
            yield from _wrapped(f"! {_count(entry['bad'], 'bad record')} left out; first: {printable(first)}")
        for note in entry["notes"]:
            yield from _wrapped(f"- {printable(note)}")
    yield f"{_count(report['rows'], 'row')}, {_count(report['tasks'], 'task')}{_per_task(report['rollouts_per_task'])}"
    yield (
        f"graded {report['graded']}: {report['passed']} pass, {report['failed']} fail, "
        f"{report['partial']} partial; ungraded {report['ungraded']}{_why(report['ungraded_why'])}"
    )
    if report["failed_runs"]:
        yield f"{_count(report['failed_runs'], 'run')} ended in an error"


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}" + ("" if n == 1 else "s")


def _per_task(spread: Mapping[str, float] | None) -> str:
    if spread is None:
        return ""
    if spread["min"] == spread["max"]:
        return f", {_count(int(spread['min']), 'rollout')} a task"
    return f", {spread['min']:g} to {spread['max']:g} rollouts a task (median {spread['median']:g})"


def _why(reasons: Mapping[str, int]) -> str:
    if not reasons:
        return ""
    shown = [f"{printable(reason)} {n}" for reason, n in list(reasons.items())[:3]]
    more = f", {len(reasons) - 3} more reasons" if len(reasons) > 3 else ""
    return f" ({', '.join(shown)}{more})"


def _rates(report: Mapping[str, Any]) -> Iterator[str]:
    rates = report["pass_at"]
    yield ""
    if rates["pass_at_1"] is None:
        yield "pass@1  -  (no row has a 0/1 reward)"
        return
    yield _line("", "rate", "95% interval", "n")
    yield _line(
        "pass@1",
        number_text(rates["pass_at_1"]),
        interval_text(rates["ci95"]),
        f"{_count(rates['n_groups'], 'task')}, {_count(rates['n_rows'], 'rollout')}",
    )
    for draw in report["k_way"]:
        n = _count(draw["n_tasks"], "task")
        yield _line(f"pass^{draw['k']}", number_text(draw["pass_pow_k"]), interval_text(draw["pass_pow_k_ci95"]), n)
    for draw in report["k_way"]:
        n = _count(draw["n_tasks"], "task")
        yield _line(f"pass@{draw['k']}", number_text(draw["pass_at_k"]), interval_text(draw["pass_at_k_ci95"]), n)


def _line(name: str, rate: str, interval: str, n: str) -> str:
    return f"{name:<{_NAME_CHARS}} {rate:>7}   {interval:<16} {n}"


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
    yield f"  {spread['n_in_band']} of {_count(total, 'task')} in the band"


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
    yield _line("marker", "mean", "95% interval", "n")
    for name, summary in list(markers.items())[:_MARKERS_SHOWN]:
        tail = f"{_count(summary['n_tasks'], 'task')}, {_count(summary['n_rows'], 'row')}"
        if summary["degenerate"]:
            tail += ", constant: cannot guard"
        yield _line(printable(name, _NAME_CHARS), number_text(summary["mean"]), interval_text(summary["ci95"]), tail)
    if len(markers) > _MARKERS_SHOWN:
        yield f"... and {len(markers) - _MARKERS_SHOWN} more (all of them with --json)"


def _missing(report: Mapping[str, Any]) -> Iterator[str]:
    if report["missing"]:
        yield ""
        yield "To say more"
        for sentence in report["missing"]:
            yield from _wrapped(f"- {printable(sentence)}")


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False) or [text]
