"""Labels as people hand them in: a mapping, records or a file, read into one shape."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from whileai.simulations.errors import meant
from whileai.simulations.reports import printable
from whileai.simulations.rows.text import prompt_text
from whileai.simulations.score.labels.identity import indexed_id, rollout_id, text_id, written
from whileai.simulations.score.labels.kinds import KINDS
from whileai.simulations.score.labels.label import UNKNOWN, exact_label

FORMS = (
    "a JSONL path (or that of a CSV table or of one JSON object {key: label}), a {key: label} mapping, or records like "
    '{"key": "<scenario_id>#<rollout_index>", "label": 1, "annotator": "ana"}'
)
_LABEL_FIELDS = ("label", "reward", "gold_reward")
LABEL_FIELDS = frozenset(_LABEL_FIELDS)  # one of them is in every record of a label
CLEARED = "cleared"  # the label of a record that only takes an earlier one back
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
        raise ValueError(f"kind must be one of {accepted}, got {printable(repr(kind), _SHOWN)}{meant(kind, KINDS)}")
    return KINDS[kind]


def given_labels(labels: Any) -> list[Given]:
    """Every label of a path, a mapping or an iterable of records, in order, less those that were superseded.

    An item that is no record is a `ValueError` that shows it, a line that is no JSON a `ReadError` with its number.

    >>> [(each.key, each.label) for each in given_labels({"refund-3#0": 1, "refund-3#1": True})]
    [('refund-3#0', 1), ('refund-3#1', None)]
    """
    if isinstance(labels, Mapping):
        return [Given(key := written(name), key or None, exact_label(label), {}) for name, label in labels.items()]
    if isinstance(labels, str | PathLike):
        from whileai.simulations.score.labels.files import file_records

        return _standing([_given(record) for record in file_records(Path(labels), FORMS)])
    if not isinstance(labels, Iterable):
        raise TypeError(f"labels must be {FORMS}, got {type(labels).__name__}")
    return _standing([_given(record) for record in labels])


def _standing(given: list[Given]) -> list[Given]:
    """Without the labels that a later record with `supersedes` takes back, and without a record that does only that."""
    if not any(map(_supersedes, given)):
        return given
    of_key: dict[str, list[int]] = {}  # the places of the records that stand
    for place, each in enumerate(given):
        places = of_key.setdefault(each.key, [])
        if each.key and _supersedes(each):
            places[:] = [at for at in places if not is_replaced(given[at].record, each.record)]
            if each.record.get("label") == CLEARED:
                continue
        places.append(place)
    return [given[place] for place in sorted(chain.from_iterable(of_key.values()))]


def _supersedes(given: Given) -> bool:
    return given.record.get("supersedes") is True


def is_replaced(record: Mapping[str, Any], later: Mapping[str, Any]) -> bool:
    """Whether a record is its annotator's to replace: of the same name, or of none; nobody replaces another's.

    >>> ana, nobody = {"annotator": "ana"}, {}
    >>> is_replaced(ana, {"annotator": "bo"}), is_replaced(ana, nobody), is_replaced(nobody, ana)
    (False, False, True)
    """
    name = written(record.get("annotator"))
    return not name or name == written(later.get("annotator"))


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
