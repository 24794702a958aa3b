"""What is hollow about a scoring run: tools nobody called or that never worked, markers that measured nothing."""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from whileai.simulations.defaults import CI_LEVEL
from whileai.simulations.kernels.intervals import wilson
from whileai.simulations.reports import counted, out_of, printable
from whileai.simulations.rows.calls import Call
from whileai.simulations.rows.text import ask_text, calls, steps_of
from whileai.simulations.rows.values import as_text, is_bool
from whileai.simulations.score.judging.addressed import addressed_warning
from whileai.simulations.score.judging.record import tool_names

LOGGER = logging.getLogger("whileai.simulations")
SILENT_ROWS = 2  # rows without a call that are worth a warning; convention
SILENT_SHARE = 0.1  # share of such rows; convention
DEAD_UPPER = 0.30  # upper end of a dead tool's rate of success; convention
DEAD_CALLS = 3  # answered calls a dead tool needs; convention
_SHOWN_ASKS = 3
_ASK_CHARS = 60
_SURE = 0.9999  # level of the interval that ends the look at a tool
_GOLDEN = 0.618  # the golden section, whose multiples fall far from each other

Row = Mapping[str, Any]


def run_warnings(rows: Sequence[Row], tools: Iterable[Any] | None, quiet: bool = False) -> list[str]:
    """The warnings of a scored run, also logged unless `quiet`; that all rows have one reward is only logged.

    >>> run_warnings([{"prompt": "Where is order 5?", "final_text": "Soon."}], ["get_order"])
    ['0 of 1 row call a tool although tools are declared: check that the agent was given its tools']
    """
    if not rows:
        return []
    used = _Usage(rows)
    declared = sorted(tool_names(tools)) if isinstance(tools, set | frozenset) else tool_names(tools)
    found = [*(_call_warnings(rows, used, declared) if declared else ()), *used.dead_tools(), *_blank_markers(rows)]
    found += addressed_warning(rows, len(rows))
    if quiet:
        return found
    for line in [*found, *one_reward(rows)]:
        LOGGER.warning("%s", line)
    return found


def one_reward(rows: Sequence[Row]) -> list[str]:
    """The note on rows that all have the same reward; none for a single row.

    >>> one_reward([{"reward": 1}, {"reward": 1}])
    ['all 2 rows score 1: a judge that always says the same measures nothing']
    """
    first = rows[0].get("reward") if len(rows) > 1 else None
    if first is None or any(row.get("reward") != first for row in rows):
        return []
    return [f"all {counted(len(rows), 'row')} score {first}: a judge that always says the same measures nothing"]


class _Usage:
    """Which tools the rows call and how often, and the rows that call none."""

    def __init__(self, rows: Sequence[Row]) -> None:
        names = list(map(_called_in, rows))
        self._rows = rows
        self.silent = [row for row, called in zip(rows, names, strict=True) if not called]
        self.called = Counter(chain.from_iterable(names))

    def dead_tools(self) -> Iterable[str]:
        """A line for each tool that hardly ever worked, its calls counted in full.

        A tool is looked into no further once the calls seen, from all over the rows, leave no doubt that it works.
        """
        tallies = {name: [0, 0] for name, n in self.called.items() if is_dead(0, n)}
        for row in _spread(self._rows):
            if not tallies:
                return
            if tallies.keys().isdisjoint(_called_in(row)):
                continue
            for call in calls(row):
                tally = tallies.get(call.name)
                if tally is not None and _counts(call, row):
                    tally[0] += not call.failed
                    tally[1] += 1
                    if _surely_works(*tally):
                        del tallies[call.name]
        for name, (good, answered) in tallies.items():
            if is_dead(good, answered):
                yield (
                    f"{printable(name, 60)} worked in {out_of(good, answered, 'call')}: a tool that hardly ever works "
                    "says more about the tool than about the agent"
                )


def _called_in(row: Row) -> list[str]:
    names = [tool for step in steps_of(row) if type(step) is dict and type(tool := step.get("tool")) is str and tool]
    return names or [call.name for call in calls(row)]  # calls elsewhere, or written otherwise


def _spread(rows: Sequence[Row]) -> Iterable[Row]:
    """All rows, neighbours far apart: what differs along a file, or within a task, is met evenly."""
    n = len(rows)
    step = round(n * _GOLDEN) or 1
    while math.gcd(step, n) > 1:
        step += 1
    return (rows[place * step % n] for place in range(n))


def _surely_works(good: int, answered: int) -> bool:
    """Whether the calls seen so far rule out a dead tool; looked at when their number has doubled."""
    return answered.bit_count() == 1 and wilson(good, answered, _SURE).low > DEAD_UPPER


def _counts(call: Call, row: Row) -> bool:
    """Whether a call says something of its tool: it was answered, and no failure of it was planned."""
    if not call.answered:
        return False
    planned = row.get("faults")
    return not (planned and isinstance(planned, Mapping) and (call.name in planned or "*" in planned))


def is_dead(good: int, answered: int) -> bool:
    """Whether a tool hardly ever works: the upper end of its rate of success is under `DEAD_UPPER`.

    >>> is_dead(0, 9), is_dead(0, 8)
    (True, False)
    """
    return answered >= DEAD_CALLS and wilson(good, answered, CI_LEVEL).high < DEAD_UPPER


def _call_warnings(rows: Sequence[Row], used: _Usage, declared: list[str]) -> Iterable[str]:
    n, silent = len(rows), len(used.silent)
    if silent == n:
        none = out_of(0, n, "row", "call")
        yield f"{none} a tool although tools are declared: check that the agent was given its tools"
        return
    if silent >= SILENT_ROWS or silent / n >= SILENT_SHARE:
        distinct = list(dict.fromkeys(map(ask_text, used.silent)))
        asks = ", ".join(repr(printable(ask, _ASK_CHARS)) for ask in distinct[:_SHOWN_ASKS])
        yield f"{out_of(silent, n, 'row', 'call')} no tool: check whether they needed one, such as {asks}"
    unused = [name for name in declared if name not in used.called]
    if unused:
        names = ", ".join(printable(name, 60) for name in unused)
        yield f"{out_of(len(unused), len(declared), 'declared tool', 'are')} never called: {names}"


def _blank_markers(rows: Sequence[Row]) -> Iterable[str]:
    """Markers that are on rows, and a number on none."""
    seen, measured = set[Any](), set[Any]()
    for row in rows:
        markers = row.get("markers")
        if isinstance(markers, dict) and not measured.issuperset(markers):
            seen.update(markers)
            measured.update(name for name, value in markers.items() if _is_measure(value))
    for name in sorted(map(as_text, seen - measured)):
        yield f"marker {printable(name, 60)} is a number on {out_of(0, len(rows), 'row')}: it measures nothing here"


def _is_measure(value: Any) -> bool:
    return isinstance(value, int | float) and not is_bool(value) and value == value
