"""Blocks of a document as tables of written cells: what the HTML shows and what the script sorts and draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from whileai.simulations.web.document import Block, Queued, Rollouts
from whileai.simulations.web.text import interval, number

Cells = dict[str, Any]
TONES = {"good": "good", "bad": "bad", "flat": "no clear sign", "unknown": "not known"}


def block_view(block: Block) -> Cells:
    """The block with a `grid`: `columns`, and `rows` of cells, each with the filter it opens.

    >>> bar = {"label": "a", "value": 2, "text": None, "filter": None}
    >>> block_view({"kind": "bars", "title": "t", "x": "rows", "rows": [bar]})["grid"]["rows"]
    [{'cells': [{'text': 'a'}, {'plot': True}, {'text': '2', 'sort': 2}], 'filter': None}]
    """
    view: Cells = dict(block)
    if grid_of := _GRIDS.get(block["kind"]):
        view["grid"] = grid_of(view)
    return view


def review_view(queue: Sequence[Queued], rollouts: Rollouts) -> Cells:
    """The review queue as a table; each row opens its rollout among those of the queue."""
    rows = []
    for place, queued in enumerate(queue):
        item = rollouts["items"][queued["rollout"]]
        cells = [
            _number(place + 1),
            _words(rollout_name(item)),
            _words(item["label"]),
            _words("; ".join(queued["why"])),
            {},
        ]
        rows.append({"cells": cells, "filter": ":review", "rollout": queued["rollout"]})
    columns = [
        _column("#", "number"), _column("rollout"), _column("graded"), _column("why look at it"), _column("your label"),
    ]  # fmt: skip
    return {"kind": "table", "title": "", "search": False, "grid": {"columns": columns, "rows": rows}}


def rollout_name(item: Mapping[str, Any]) -> str:
    """What a rollout is called on the page.

    >>> rollout_name({"task": "refund", "attempt": 2}), rollout_name({"task": "7", "attempt": None, "side": "after"})
    ('refund #2', 'task 7, after')
    """
    task = f"task {item['task']}" if item["task"].isdecimal() else item["task"]
    name = task if item["attempt"] is None else f"{task} #{item['attempt']}"
    return f"{name}, {item['side']}" if item.get("side") else name


def _column(label: str, kind: str = "text") -> Cells:
    return {"label": label, "type": kind}


def _words(text: str | None) -> Cells:
    return {"text": text or ""}


def _number(value: float | None, unit: str = "number", ends: tuple[float | None, float | None] = (None, None)) -> Cells:
    cell: Cells = {"text": number(value, unit), "sort": value}
    return cell | {"ends": written} if (written := interval(*ends, unit)) else cell


def _noted(text: str, note: str | None) -> Cells:
    return _words(text) | ({"note": note} if note else {})


def _intervals(block: Cells) -> Cells:
    unit, rows = block["unit"], []
    counted = any(row["n"] is not None for row in block["rows"])
    for row in block["rows"]:
        estimate = _number(row["value"], unit, (row["low"], row["high"]))
        if row["tone"] != "flat" or block["reference"] is not None:
            estimate["tone"] = row["tone"]
        cells = [_noted(row["label"], row["note"]), {"plot": True}, estimate] + [_number(row["n"])] * counted
        rows.append({"cells": cells, "filter": row["filter"]})
    name = str({"delta": "difference", "number": "value"}.get(unit, unit))
    whole = any("ends" in row["cells"][2] for row in rows)
    columns = [_column(""), _column("", "plot"), _column(f"{name} [interval]" if whole else name, "interval")]
    return {"columns": columns + [_column(block.get("of") or "n", "number")] * counted, "rows": rows}


def _bars(block: Cells) -> Cells:
    rows = []
    for row in block["rows"]:
        end = _number(row["value"]) | ({} if row["text"] is None else _words(row["text"]))
        rows.append({"cells": [_words(row["label"]), {"plot": True}, end], "filter": row["filter"]})
    return {"columns": [_column(""), _column("", "plot"), _column(block["x"], "number")], "rows": rows}


def _steps(block: Cells) -> Cells:
    rows = []
    for row in block["rows"]:
        sign = "−" if row["kind"] == "dropped" and row["value"] else ""
        cells = [
            _noted(row["label"], row["note"]), {"plot": True},
            {"text": sign + number(row["value"]), "sort": row["value"]},
        ]  # fmt: skip
        rows.append({"cells": cells, "filter": row.get("filter"), "kind": row["kind"]})
    return {"columns": [_column(""), _column("", "plot"), _column("rows", "number")], "rows": rows}


def _histogram(block: Cells) -> Cells:
    rows = [
        {"cells": [_words(each["label"]), _number(each["count"])], "filter": each["filter"]} for each in block["bins"]
    ]
    return {"columns": [_column(block["x"]), _column(block.get("y") or "count", "number")], "rows": rows}


def _scatter(block: Cells) -> Cells:
    rows = [
        {"cells": [_words(each["label"]), _number(each["x"]), _number(each["y"])], "filter": each["filter"]}
        for each in block["points"]
    ]
    return {"columns": [_column(""), _column(block["x"], "number"), _column(block["y"], "number")], "rows": rows}


def _table(block: Cells) -> Cells:
    columns = [_column(each["label"], each["type"]) for each in block["columns"]]
    rows = [
        {
            "cells": [_cell(row.get(each["key"]), each["type"]) for each in block["columns"]],
            "filter": row.get("filter"),
        }
        for row in block["rows"]
    ]
    return {"columns": columns, "rows": rows}


def _cell(value: Any, kind: str) -> Cells:
    if kind == "text":
        return _words(None if value is None else str(value))
    unit = "rate" if kind == "interval" else kind
    if isinstance(value, Mapping):
        return _number(value["value"], unit, (value.get("low"), value.get("high")))
    return _number(value, unit)


_GRIDS: dict[str, Callable[[Cells], Cells]] = {
    "intervals": _intervals,
    "bars": _bars,
    "steps": _steps,
    "histogram": _histogram,
    "scatter": _scatter,
    "table": _table,
}
