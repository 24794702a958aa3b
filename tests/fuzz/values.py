"""Odd values and broken records, drawn by whatever chooses: hypothesis in the suite, atheris in `make fuzz`."""

from __future__ import annotations

import copy
import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from samples import found
from whileai.simulations.errors import ReadError
from whileai.simulations.rows.formats import recognise
from whileai.simulations.rows.load import load_rows

Choose = Callable[[int], int]  # of so many, one: 0 to n - 1

_LARGEST = 60_000  # bytes of a sample record: a larger one costs more than it shows
_OF_A_FORMAT = 3  # sample records kept of each
JUNK: list[Any] = [
    None, True, False, 0, 1, -1, 3, 0.5, 2**53 + 1, 10**400, 1e308, float("nan"), float("inf"), "", " ", "x", "0.5",
    "nan", "1_0", "\ud800", "\x00", "a\nb", "[]", "{", '{"a": 1}', "[1, [2]]", "<think>", "</think>", "true", "error",
    "assistant", "user", "system", "tool", "stop", "2024-01-01T00:00:00Z", "1e5", "-0", [], {}, [None], [3], [[]], [{}],
    ["x"], {"type": 5}, {"role": "user"}, {"role": "assistant", "content": "x"}, {"type": "text", "text": "x"},
    {"": ""}, {"a": {"b": [1]}}, {"reward": 1}, {"id": None, "name": [], "arguments": "{"},
]  # fmt: skip


def junk(choose: Choose) -> Any:
    """One odd value, its own copy."""
    return copy.deepcopy(JUNK[choose(len(JUNK))])


def broken(record: dict[str, Any], choose: Choose) -> dict[str, Any]:
    """The record after up to four edits: a value replaced, removed, repeated, or put where another one stands."""
    record = copy.deepcopy(record)
    for _ in range(1 + choose(4)):
        _edit(record, choose)
    return record


def _edit(record: dict[str, Any], choose: Choose) -> None:
    places = list(_places(record))
    if not places:
        record["reward"] = junk(choose)
        return
    holder, key = places[choose(len(places))]
    kind = choose(5)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(holder[key]))
    elif kind == 2:
        other, name = places[choose(len(places))]
        holder[key] = copy.deepcopy(other[name])
    else:
        holder[key] = junk(choose)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ())
    for key, inner in items:
        yield value, key
        yield from _places(inner)


@cache
def sample_records() -> dict[str, list[dict[str, Any]]]:
    """The smallest records of the sample files, by format."""
    by_format: dict[str, list[tuple[int, dict[str, Any]]]] = defaultdict(list)
    folder = found("formats/swe-agent") or found("formats/openai-chat")  # those of other projects where they are there
    for path in sorted([] if folder is None else folder.parent.rglob("*.*")):
        for size, record in _records(path):
            try:
                module = recognise(record)
                if not list(load_rows([record])):
                    continue
            except ReadError:
                continue
            by_format["row" if module is None else module.NAME].append((size, record))
    kept = {name: sorted(found, key=lambda pair: pair[0])[:_OF_A_FORMAT] for name, found in by_format.items()}
    return {name: [record for _, record in pairs] for name, pairs in sorted(kept.items())}


def _records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    if path.suffix in (".json", ".traj"):
        value = json.loads(path.read_text(encoding="utf-8"))
        values = value if isinstance(value, list) else [value]
    elif path.suffix == ".jsonl":
        values = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    else:
        values = []
    for record in values:
        if isinstance(record, dict) and (size := len(json.dumps(record))) < _LARGEST:
            yield size, record
