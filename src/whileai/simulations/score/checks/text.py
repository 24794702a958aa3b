"""Checks as the block a person reads, at most 100 columns wide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from whileai.simulations.reports import counted, figure, interval_text, printable, read_lines, wrapped

_NAME = 22
_PROMPT_CHARS, _EVIDENCE_CHARS = 36, 90


def format_checks(report: Mapping[str, Any]) -> str:
    """A line of counts, one a check that fired with its first rows, those that did not, warnings last.

    >>> print(format_checks({"n": 0, "n_tasks": 0, "n_graded": 0, "checks": {}, "warnings": []}))
    checked 0 rows of 0 tasks, 0 graded
    nothing fired
    """
    return "\n".join(line.rstrip() for line in _lines(report))


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    yield from read_lines(report.get("read") or ())
    n, tasks = counted(report["n"], "row"), counted(report["n_tasks"], "task")
    yield f"checked {n} of {tasks}, {report['n_graded']:,} graded"
    fired = {name: entry for name, entry in report["checks"].items() if entry["n"]}
    if fired:
        yield f"{'':<{_NAME}}  {'rows':>7}  {'rate':>6}  {'95% over tasks':<15} with reward"
    for name, entry in fired.items():
        yield _entry_line(name, entry)
        yield from map(_example_line, entry["examples"])
    quiet = [name for name in report["checks"] if name not in fired]
    if not fired:
        yield "nothing fired"
    elif quiet:
        yield from wrapped(f"fired on no row: {', '.join(quiet)}")
    if fired and not report["n_graded"]:
        yield "no row has a 0/1 reward: grade the rows first to see whether the reward pays for any of this"
    for sentence in report["warnings"]:
        yield from wrapped(f"! {printable(sentence)}")


def _entry_line(name: str, entry: Mapping[str, Any]) -> str:
    interval = interval_text(entry["ci95"])
    correlation = "-" if entry["reward_corr"] is None else f"{entry['reward_corr']:+.2f}"
    pays = "  pays" if entry.get("flagged") else ""
    return f"{name:<{_NAME}}  {entry['n']:>7,}  {figure(entry['rate']):>6}  {interval:<15} {correlation}{pays}"


def _example_line(example: Mapping[str, Any]) -> str:
    place = f"row {example['row']}"
    if "file" in example:
        place = f"{printable(example['file'], 30)} {place}"
    return f"    {place}: {printable(example['evidence'], _EVIDENCE_CHARS - len(place))}"


def format_fired(name: str, fired: Iterable[Mapping[str, Any]]) -> str:
    """The rollouts behind one check, two lines each: where and with which reward, then the evidence.

    >>> fired = {"row": 4, "task": "t1", "reward": 0.0, "prompt": "Hi", "evidence": "... and"}
    >>> print(format_fired("truncated", [fired]))
    truncated: 1 row
    row 4  task t1  reward 0
      ... and
    """
    held = list(fired)
    lines = [f"{name}: {counted(len(held), 'row')}"]
    for entry in held:
        place = f"{printable(entry['file'], 40)} row {entry['row']}" if "file" in entry else f"row {entry['row']}"
        reward = "-" if entry["reward"] is None else f"{entry['reward']:g}"
        lines.append(f"{place}  task {printable(entry['task'], 40)}  reward {reward}")
        lines += wrapped(f"  {printable(entry['evidence'])}", "  ")
    return "\n".join(lines)
