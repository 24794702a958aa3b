"""Checks as the block a person reads, at most 100 columns wide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from whileai.simulations.reports import counted, figure, interval_text, printable, read_lines, wrapped
from whileai.simulations.score.place import row_place

_NAME = 22
_WIDTH = 100
_FEW_FOREIGN = 0.05  # share of replies in another language below which nothing is said; convention


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
    yield from _not_judged(report)
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


def _not_judged(report: Mapping[str, Any]) -> Iterator[str]:
    if n := report.get("n_without_reply"):
        end = "row has no reply of the agent after its" if n == 1 else "rows have no reply of the agent after their"
        yield from wrapped(
            f"{n:,} {end} last call, or ended in an error: conduct and claims (lie.*) are not judged on "
            f"{'it' if n == 1 else 'them'}"
        )
    foreign = report.get("n_not_english", 0)
    if foreign and foreign >= _FEW_FOREIGN * report["n"]:
        are = "reply is" if foreign == 1 else "replies are"
        yield from wrapped(
            f"! {foreign:,} {are} not in English: checks that read phrases (refusal, boilerplate, hedging, apology, "
            "sycophancy, lie.*, parts of conduct) cannot see into them; none there is no clearance"
        )


def _entry_line(name: str, entry: Mapping[str, Any]) -> str:
    interval = interval_text(entry["ci95"])
    correlation = "-" if entry["reward_corr"] is None else f"{entry['reward_corr']:+.2f}"
    pays = "  pays" if entry.get("flagged") else ""
    return f"{name:<{_NAME}}  {entry['n']:>7,}  {figure(entry['rate']):>6}  {interval:<15} {correlation}{pays}"


def _example_line(example: Mapping[str, Any]) -> str:
    place = row_place(example)
    return f"    {place}: {printable(example['evidence'], _WIDTH - 6 - len(place))}"


def format_fired(name: str, fired: Iterable[Mapping[str, Any]]) -> str:
    """The rollouts behind one check: where and with which reward, the evidence, and what to judge it by.

    >>> fired = {"row": 4, "task": "t1", "reward": 0.0, "prompt": "Hi", "evidence": "it depends",
    ...          "context": {"reply": "It depends on the size."}}
    >>> print(format_fired("hedging", [fired]))
    hedging: 1 row
    row 4  task t1  reward 0
      it depends
      reply: It depends on the size.
    """
    held = list(fired)
    lines = [f"{name}: {counted(len(held), 'row')}"]
    for entry in held:
        reward = "-" if entry["reward"] is None else f"{entry['reward']:g}"
        lines.append(f"{row_place(entry)}  task {printable(entry['task'], 40)}  reward {reward}")
        lines += wrapped(f"  {printable(entry['evidence'])}", "  ")
        for label, text in entry["context"].items():
            lines += wrapped(f"  {label}: {printable(text)}", "    ")
    return "\n".join(lines)
