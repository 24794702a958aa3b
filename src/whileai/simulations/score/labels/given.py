"""Labels as people hand them in: a mapping, records or a file, read into one shape."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from whileai.simulations.errors import ReadError
from whileai.simulations.reports import printable
from whileai.simulations.rows.formats import UnknownShapeError
from whileai.simulations.rows.records import BadRecord, Place
from whileai.simulations.rows.text import prompt_text
from whileai.simulations.score.labels.identity import indexed_id, rollout_id, text_id, written
from whileai.simulations.score.labels.kinds import KINDS
from whileai.simulations.score.labels.label import UNKNOWN, exact_label

FORMS = (
    "a JSONL path, a {key: label} mapping, or records like "
    '{"key": "<scenario_id>#<rollout_index>", "label": 1, "annotator": "ana"}'
)
_LABEL_FIELDS = ("label", "reward", "gold_reward")
_DECIDING_FIELDS = ("key", *_LABEL_FIELDS)
_QUOTED_FIELDS = [f'"{name}"'.encode() for name in _DECIDING_FIELDS]
_SHOWN = 80  # characters of a foreign value in a message


class Given(NamedTuple):
    """One label handed in: the row it names (`""` for none), its value (None when it is no 0/1), and its record.

    `shown` is the name as messages show it: a prompt rather than its hash.
    """

    key: str
    shown: str | None
    label: int | None
    record: Mapping[str, Any]


def checked_kind(kind: Any) -> str:
    """The kind as it is stored; a `ValueError` listing the accepted ones for any other.

    >>> checked_kind("verifier")
    'program'
    """
    if not isinstance(kind, str) or kind not in KINDS:
        accepted = ", ".join(map(repr, KINDS))
        raise ValueError(f"kind must be one of {accepted}, got {printable(repr(kind), _SHOWN)}")
    return KINDS[kind]


def given_labels(labels: Any) -> list[Given]:
    """Every label of a path, a mapping or an iterable of records, in order.

    An item that is no record is a `ValueError` that shows it, a line that is no JSON a `ReadError` with its number.

    >>> [(each.key, each.label) for each in given_labels({"refund-3#0": 1, "refund-3#1": True})]
    [('refund-3#0', 1), ('refund-3#1', None)]
    """
    if isinstance(labels, Mapping):
        return [Given(key := written(name), key or None, exact_label(label), {}) for name, label in labels.items()]
    if isinstance(labels, str | PathLike):
        return [_given(record) for record in _file_records(Path(labels))]
    if not isinstance(labels, Iterable):
        raise TypeError(f"labels must be {FORMS}, got {type(labels).__name__}")
    return [_given(record) for record in labels]


def _file_records(path: Path) -> Iterator[Any]:
    if path.is_file():
        _refuse_doubled(path)
    try:
        from whileai.simulations.rows.inputs import FileInput

        with FileInput(str(path), file=path).values(Place(path.name, _refuse), lambda read: None) as values:
            yield from values
    except UnknownShapeError as unknown:
        raise ReadError(f"{unknown}: pass {FORMS}", source=path.name) from None


def _refuse(bad: BadRecord) -> NoReturn:
    """A label that cannot be read is not passed over: the rows would look labelled."""
    raise ReadError(bad.reason, source=bad.source, record=bad.record)


def _refuse_doubled(path: Path) -> None:
    """A line that says two things of one row under one key says neither; a parser would take the last."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if any(line.count(key) > 1 for key in _QUOTED_FIELDS):
                try:
                    json.loads(line, object_pairs_hook=_undoubled)
                except _DoubledError as doubled:
                    raise ReadError(f"{doubled} has two values", source=path.name, record=number) from None
                except (ValueError, RecursionError):
                    continue  # no JSON: told by the reader of the file


class _DoubledError(Exception):
    """A key of a label that stands in its record twice, with different values."""


def _undoubled(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read: dict[str, Any] = {}
    for key, value in pairs:
        if key in _DECIDING_FIELDS and read.setdefault(key, value) != value:
            raise _DoubledError(key)
        read[key] = value
    return read


def _given(record: Any) -> Given:
    if not isinstance(record, Mapping):
        raise ValueError(f"a label names its row, got {printable(repr(record), _SHOWN)}: pass {FORMS}")
    key, shown = _identity(record)
    field = next((name for name in _LABEL_FIELDS if name in record), None)
    return Given(key, shown, None if field is None else exact_label(record[field]), record)


def _identity(record: Mapping[str, Any]) -> tuple[str, str | None]:
    named = written(record.get("key")) or rollout_id(record) or indexed_id(record)
    if named:
        return named, named
    prompt = prompt_text(record.get("prompt"))
    return (text_id(record), prompt) if prompt else ("", None)


def stored(given: Given, annotator: str | None, kind: str, now: float) -> dict[str, Any]:
    """The record that goes onto the row; what it does not say itself comes from the call.

    >>> given = given_labels([{"key": "r1", "label": 0, "note": "late"}])[0]
    >>> stored(given, "ana", "human", 1700000000.0)
    {'label': 0, 'annotator': 'ana', 'kind': 'human', 'ts': 1700000000.0, 'note': 'late'}
    """
    record = given.record
    time = record.get("ts")
    entry = {
        "label": given.label,
        "annotator": written(record.get("annotator")) or written(annotator) or UNKNOWN,
        "kind": checked_kind(own) if written(own := record.get("kind")) else kind,
        "ts": time if time and time == time else now,
    }
    note = written(record.get("note"))
    return {**entry, "note": note} if note else entry
