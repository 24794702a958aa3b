"""Summaries and comparisons as lines, at most 100 columns wide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whileai.simulations.defaults import CI_LEVEL
from whileai.simulations.reports import counted, figure, fitted, printable, wrapped

_NAME_COLUMNS = 30
_MOST_SHOWN = 40


def estimate_line(name: str, rate: str, interval: str, n: str) -> str:
    """A line of a table of estimates: what of, the number, its interval, what it rests on."""
    return f"{fitted(name, _NAME_COLUMNS)} {rate:>9}   {interval:<18} {n}".rstrip()


def ends_text(ends: Any) -> str:
    """An interval on a number of any size.

    >>> ends_text((0.25, 20000)), ends_text(None)
    ('[0.250, 2e+04]', '-')
    """
    return "-" if ends is None else f"[{figure(ends[0])}, {figure(ends[1])}]"


def summary_lines(summaries: Mapping[str, Mapping[str, Any]], title: str) -> Iterator[str]:
    """A table of what `metric_summary` says of each name; the first 40."""
    yield estimate_line(title, "mean", f"{CI_LEVEL:.0%} interval", "n")
    for name, summary in list(summaries.items())[:_MOST_SHOWN]:
        n = f"{counted(summary['n_tasks'], 'task')}, {counted(summary['n_rows'], 'row')}{_caution(summary)}"
        yield estimate_line(name, figure(summary["mean"]), ends_text(summary["ci95"]), n)


def more_lines(summaries: Mapping[str, Any], where: str) -> Iterator[str]:
    """How many names `summary_lines` leaves out, and where they are."""
    if (n := len(summaries) - _MOST_SHOWN) > 0:
        yield f"... and {n} more ({where})"


def _caution(summary: Mapping[str, Any]) -> str:
    if summary["degenerate"]:
        return ", constant: cannot guard"
    return ", skewed: covers less" if summary["ci95"] is not None and "note" in summary else ""


def format_summary(summary: Mapping[str, Any]) -> str:
    """The block of a `metric_summary`."""
    lines = [*summary_lines({summary["metric"]: summary}, "metric")]
    lines += [f"{counted(summary['n_rows_at_1'], 'row')} at 1, {summary['n_rows_at_0']:,} at 0"]
    for mark, key in (("!", "warning"), ("-", "note")):
        lines += wrapped(f"{mark} {printable(summary[key])}") if key in summary else []
    return "\n".join(lines)


def format_summaries(summaries: Mapping[str, Any]) -> str:
    """The block of a `marker_summary`."""
    if not summaries:
        return "no row has a marker"
    return "\n".join([*summary_lines(summaries, "marker"), *more_lines(summaries, "in the report by name")])


def format_comparison(found: Mapping[str, Any]) -> str:
    """The block of a `compare_runs`: the verdict, by how much, on what it rests."""
    change = "-" if found["delta"] is None else f"{found['delta']:+.3f}"
    lines = [
        f"{printable(found['metric'], 60)}: {found['verdict']}",
        f"a {figure(found['mean_a'])}, b {figure(found['mean_b'])}, delta {change}, "
        f"{100 * found['level']:.4g}% interval {ends_text(found['ci95'])}, "
        + counted(found["n_used"], "paired task" if found["paired"] else "unpaired task"),
    ]
    chances = {"over tasks": found["p_value"], "on these very tasks": found["p_value_these_tasks"]}
    if said := "; ".join(f"p {p:.2g} {where}" for where, p in chances.items() if p is not None):
        lines.append(said)
    return "\n".join(lines + (wrapped(f"- {printable(found['note'])}") if found["note"] else []))
