"""Files of labels: JSON lines or any other container of records, a table of text, or one JSON object {key: label}."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any, NoReturn

from whileai.simulations.errors import ReadError
from whileai.simulations.rows.csvtext import csv_values, first_lines, separator
from whileai.simulations.rows.formats import UnknownShapeError
from whileai.simulations.rows.inputs import FileInput
from whileai.simulations.rows.records import BadRecord, Place
from whileai.simulations.rows.stream import chunks_of, line_blocks, unpacked, utf8
from whileai.simulations.rows.values import number

LABEL_FIELDS = ("label", "reward", "gold_reward")
_DECIDING_FIELDS = ("key", *LABEL_FIELDS)
_QUOTED_FIELDS = [f'"{name}"'.encode() for name in _DECIDING_FIELDS]
_RECORD_FIELDS = frozenset({
    *_DECIDING_FIELDS, "rollout_id", "scenario_id", "task_id", "rollout_index", "prompt", "final_text", "annotator",
    "kind", "note", "ts",
})  # fmt: skip
_HEADER_LINES = 2


def file_records(path: Path, forms: str) -> Iterator[Any]:
    """The label records of a file; what cannot be read is a `ReadError` that says which line, or which `forms` can.

    A table has a header that names a label, and any name. A file that holds one JSON object without a field of a label
    is a mapping of keys to labels.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "labels.csv")
    ...     _ = file.write_text("key,label\\nrefund-3#0,1\\n")
    ...     list(file_records(file, ""))
    [{'key': 'refund-3#0', 'label': 1}]
    """
    table = _table_records(path) if path.is_file() else None
    if table is not None:
        yield from table
        return
    if path.is_file():
        _refuse_doubled(path)
    try:
        with FileInput(str(path), file=path).values(Place(path.name, _refuse), lambda read: None) as values:
            head = list(islice(values, 2))
            if len(head) == 1 and _is_mapping(head[0]):
                _refuse_doubled_keys(path)
                yield from ({"key": key, "label": label} for key, label in head[0].items())
            else:
                yield from chain(head, values)
    except UnknownShapeError as unknown:
        raise ReadError(f"{unknown}: pass {forms}", source=path.name) from None


def _refuse(bad: BadRecord) -> NoReturn:
    """A label that cannot be read is not passed over: the rows would look labelled."""
    raise ReadError(bad.reason, source=bad.source, record=bad.record)


def _table_records(path: Path) -> list[dict[str, Any]] | None:
    """The lines of a table, its labels as the numbers that text stands for; None for a file that is no such table."""
    with path.open("rb") as file:
        blocks = line_blocks(utf8(unpacked(chunks_of(file.read))))
        try:
            first = next(blocks, b"")
        except ReadError:
            return None  # told by the reader of the file
        header = next(iter(first_lines(first.lstrip(), _HEADER_LINES)), b"")
        delimiter = None if header[:1] in (b"", b"{", b"[") else separator([header], named=True)
        names = header.decode("utf-8", "replace").split(delimiter) if delimiter else []
        if not {name.strip(' "\r\n') for name in names} & set(LABEL_FIELDS):
            return None
        records = list(csv_values(chain((first,), blocks), Place(path.name, _refuse), delimiter or ","))
    return [{name: _label(name, cell) for name, cell in record.items()} for record in records]


def _label(name: str, cell: Any) -> Any:
    if name not in LABEL_FIELDS or not isinstance(cell, str):
        return cell
    read = number(cell)
    return cell if read is None else read


def _is_mapping(record: Any) -> bool:
    return isinstance(record, dict) and bool(record) and _RECORD_FIELDS.isdisjoint(record)


def _refuse_doubled(path: Path) -> None:
    """A line that says two things of one row under one key says neither; a parser would take the last."""
    with path.open("rb") as lines:
        for line_number, line in enumerate(lines, 1):
            if any(line.count(key) > 1 for key in _QUOTED_FIELDS):
                _refuse_doubled_in(line, path.name, line_number, frozenset(_DECIDING_FIELDS))


def _refuse_doubled_keys(path: Path) -> None:
    """The same of a whole file that is one mapping."""
    _refuse_doubled_in(path.read_bytes(), path.name, 1, None)


def _refuse_doubled_in(text: bytes, source: str, record: int, fields: frozenset[str] | None) -> None:
    def undoubled(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        read: dict[str, Any] = {}
        for key, value in pairs:
            if (fields is None or key in fields) and read.setdefault(key, value) != value:
                raise _DoubledError(key)
            read[key] = value
        return read

    try:
        json.loads(text, object_pairs_hook=undoubled)
    except _DoubledError as doubled:
        raise ReadError(f"{doubled} has two values", source=source, record=record) from None
    except (ValueError, RecursionError):
        return  # no JSON, or packed: told by the reader of the file


class _DoubledError(Exception):
    """A key that stands twice in one object, with different values."""
