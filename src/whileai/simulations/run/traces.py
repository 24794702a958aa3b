"""Rollouts that were recorded elsewhere: read into rows, looked over for what a simulation can use, as a chat."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from whileai.simulations.errors import ReadError
from whileai.simulations.reports import Report, counted, printable
from whileai.simulations.rows import formats
from whileai.simulations.rows.formats import UnknownShapeError
from whileai.simulations.rows.grade import label
from whileai.simulations.rows.load import load_rows
from whileai.simulations.rows.table import row_items
from whileai.simulations.rows.text import ask_text, calls, steps_of
from whileai.simulations.rows.values import is_mapping
from whileai.simulations.run.transcript import called
from whileai.simulations.schema import from_row, to_row
from whileai.simulations.score.checklist.vocabulary import text_of
from whileai.simulations.score.grading import behavior_signature
from whileai.simulations.score.optimize.faults import NO_FAULT, fault_kind
from whileai.simulations.signature import public

Row = dict[str, Any]
_SHOWN_ASKS = 3
_ASK_CHARS = 80


@public
def load_traces(source: Any) -> list[Row]:
    """Recorded rollouts as rows of one shape, each a new dict, from all that `load_rows` reads and looser records too.

    `source` is a path, an iterable of dicts, a run, or a table. A record needs no known format: its ask is the first of
    `prompt`, `question`, `input`, `task`, `ask`; its steps the first non-empty list of `steps`, `tool_trace`, `trace`,
    else what its `messages` tell; its reply the first of `final_text`, `final`, `output`, `response`, `answer`. A step
    may name its arguments `input`, `args`, `parameters` and its result `output`, `response`; a result among messages
    goes to its call by id, then by tool name, then to the first open call. `reward` is kept: a boolean as 0 or 1,
    numeric text as a number, what is neither under `judge_meta.raw_reward` with the row ungraded. Columns that nothing
    reads stay. Records with neither an ask nor steps are left out.

    `ReadError` for a file in which no record is a rollout, `TypeError` for what holds no records.

    >>> rows = load_traces([{"question": "Where is order 5?", "answer": "On its way.", "reward": "0.5"}, {"note": ""}])
    >>> [(row["prompt"], row["final_text"], row["reward"]) for row in rows]
    [('Where is order 5?', 'On its way.', 0.5)]
    """
    if isinstance(source, Iterable) and not isinstance(source, str | os.PathLike | Mapping | bytes | bytearray):
        held = getattr(source, "trajectories", source)
        if hasattr(held, "columns") or callable(getattr(held, "read", None)):
            return list(_traces(load_rows(held)))
        return list(_traces(_rows_in(list(held))))
    try:
        return list(_traces(load_rows(source)))
    except ReadError as error:
        return _of_no_format(source, error)


def _rows_in(records: list[Any]) -> Iterable[Row]:
    """The rows of records in memory: those of a known tool as its reader has them, all others as they stand."""
    if records and all(isinstance(record, str | os.PathLike) for record in records):
        return load_rows(records)
    if not records or not _is_foreign(next((record for record in records if isinstance(record, dict)), None)):
        return load_rows(records, format=formats.OWN) if records else ()
    if all(map(_is_foreign, records)) and (read := _read(records)) is not None:
        return read
    return chain.from_iterable((_is_foreign(one) and _read([one])) or [one] for one in records if isinstance(one, dict))


def _is_foreign(record: Any) -> bool:
    """Whether a record is of a tool that `load_rows` knows."""
    try:
        return isinstance(record, dict) and formats.recognise(record) is not None
    except UnknownShapeError:
        return False


def _read(records: list[Any]) -> list[Row] | None:
    """The rows of records of known tools; None when the reader finds no rollout in them."""
    try:
        return list(load_rows(records))
    except ReadError:
        return None


def _of_no_format(source: Any, refused: ReadError) -> list[Row]:
    """The traces of a file whose records are of no known format; refused as before when there are none."""
    try:
        found = list(_traces(load_rows(source, format=formats.OWN)))
    except ReadError:
        raise refused from None
    if not found:
        raise refused
    return found


def _traces(rows: Iterable[Row]) -> Iterator[Row]:
    for row in rows:
        parts = from_row(row)
        if parts[0].prompt or parts[1].steps:
            read = to_row(*parts)
            if isinstance(steps := read.get("steps"), list):
                read["steps"] = [called(step) if _is_call(step) else step for step in steps]
            yield read


def _is_call(step: Any) -> bool:
    """Whether a step is a call whose arguments are still text."""
    return is_mapping(step) and isinstance(step.get("tool"), str) and isinstance(step.get("arguments"), str)


@public
def conversation(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The chat of a row, built from its `prompt`, its `steps` and its reply; without steps its own `messages`.

    Turns have `role` and `content`; a call is an assistant turn with `tool_calls` (`name`, `arguments`), its result a
    `tool` turn with the `name` of the tool. Turns of the user after the last reply are left out. The system prompt is
    none of a row's turns. `TypeError` for what is no dict.

    >>> row = {"prompt": "Order 5?", "steps": [{"tool": "get", "arguments": {"id": 5}, "result": "paid"}],
    ...        "final_text": "Paid."}
    >>> [turn["role"] for turn in conversation(row)]
    ['user', 'assistant', 'tool', 'assistant']
    """
    held = dict(row) if isinstance(row, Mapping) else row
    if isinstance(held, dict) and steps_of(held):
        held.pop("messages", None)
    task, rollout, _, _ = from_row(held)
    messages: list[dict[str, Any]] = to_row(task, rollout)["messages"]
    return messages


@public
def mine_traces(rows: Iterable[Any]) -> Report:
    """What recorded rollouts hold that a simulation can start from; a report that prints itself.

    `n` rows; `tools` (`{name: {n, fault_n}}`: calls, and those that failed), most called first; `faults` (`{fault: n}`:
    rows that met it, by the first result that shows one) and `world_states` (distinct, first seen first);
    `unique_behaviors` (by `behavior_signature`); `flaw_rows`, the positions of rows that met a fault or have the label
    0; `asks`, distinct, first seen first. Nothing is written on the rows; entries that are no dict count for nothing
    beside rows, and are a `TypeError` where there is no row among them.

    >>> mined = mine_traces([{"prompt": "Order 5?", "steps": [{"tool": "get", "result": {"status": "timeout"}}]}])
    >>> mined["tools"], mined["faults"], mined["flaw_rows"]
    ({'get': {'n': 1, 'fault_n': 1}}, {'timeout': 1}, [0])
    """
    tools: dict[str, dict[str, int]] = {}
    faults: Counter[str] = Counter()
    states: dict[str, None] = {}
    asks: dict[str, None] = {}
    behaviors: set[str] = set()
    flawed = []
    held = row_items(getattr(rows, "trajectories", rows))
    if held and not any(isinstance(row, dict) for row in held):
        kind = type(held[0]).__name__
        raise TypeError(f"rows must be a list of dicts, and the first entry is {kind}; load_traces reads files")
    for place, row in enumerate(held):
        if not isinstance(row, dict):
            continue
        for call in calls(row):
            counts = tools.setdefault(call.name, {"n": 0, "fault_n": 0})
            counts["n"] += 1
            counts["fault_n"] += call.failed
        fault = fault_kind(row)
        if fault != NO_FAULT:
            faults[fault] += 1
        if fault != NO_FAULT or label(row) == 0:
            flawed.append(place)
        if state := text_of(row.get("world_state")):
            states.setdefault(state)
        if ask := ask_text(row) or from_row(row)[0].prompt:
            asks.setdefault(ask)
        behaviors.add(behavior_signature(row))
    values = {
        "n": sum(isinstance(row, dict) for row in held),
        "tools": dict(sorted(tools.items(), key=lambda entry: (-entry[1]["n"], entry[0]))),
        "faults": dict(sorted(faults.items(), key=lambda entry: (-entry[1], entry[0]))),
        "world_states": list(states),
        "unique_behaviors": len(behaviors),
        "flaw_rows": flawed,
        "asks": list(asks),
    }
    return Report(values, show=_shown)


def _shown(mined: Mapping[str, Any]) -> str:
    tools = ", ".join(
        f"{printable(name, 40)} {tally['n']:,}" + (f" ({tally['fault_n']:,} failed)" if tally["fault_n"] else "")
        for name, tally in mined["tools"].items()
    )
    faults = ", ".join(f"{printable(fault, 40)} {n:,}" for fault, n in mined["faults"].items())
    lines = [
        f"{counted(mined['n'], 'row')}, {counted(len(mined['asks']), 'ask')}, "
        f"{counted(mined['unique_behaviors'], 'behavior')}, {counted(len(mined['flaw_rows']), 'row')} with a flaw",
        f"calls: {tools or 'none'}",
        f"faults met: {faults or 'none'}",
        *(f"  ask: {printable(ask, _ASK_CHARS)}" for ask in mined["asks"][:_SHOWN_ASKS]),
    ]
    if mined["world_states"]:
        lines.insert(3, "world states: " + ", ".join(printable(state, 40) for state in mined["world_states"]))
    return "\n".join(lines)
