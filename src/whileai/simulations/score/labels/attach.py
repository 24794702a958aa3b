"""Put hand labels onto rows."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from whileai.simulations.reports import Report, counted, printable, wrapped
from whileai.simulations.rows.collector import collector_off
from whileai.simulations.rows.rowlist import RowList
from whileai.simulations.rows.table import RowTable
from whileai.simulations.score.labels.given import Given, checked_kind, given_labels, stored
from whileai.simulations.score.labels.kinds import GOLD_KIND, MIXED, kind_of
from whileai.simulations.score.labels.label import GOLD, GOLD_LABELS, annotator_of, records_of
from whileai.simulations.score.labels.match import KEY_FORMS, Row, keys_carried, named_rows, shown_keys
from whileai.simulations.signature import public

Record = dict[str, Any]
_KEYS_LISTED = 10  # unmatched keys in the report


@public
def attach_labels(
    rows: Iterable[Any],
    labels: Any,
    annotator: str | None = None,
    kind: str = "human",
    replace: bool = False,
) -> tuple[RowList, Report]:
    """Write hand labels onto rows, in place, and give `(rows, report)`.

    `labels` is a JSONL path (or that of a CSV table with a header, or of one JSON object `{key: label}`), a list of
    records or a `{key: label}` mapping; a label is the number 0 or 1, in a table its digit. A key is the row's
    `rollout_id`, else `<scenario_id>#<rollout_index>`, or a bare scenario with one rollout. A record names its row by
    `key`, `rollout_id`, `scenario_id` with `rollout_index`, or `prompt` (and `final_text`), and may carry `annotator`,
    `kind`, `note` and `ts`; with `supersedes: true` it replaces earlier records of its annotator for the row. Kinds:
    `human`, `program` (or `verifier`), `model`.

    A row's `gold_labels` gains a record a label (`replace` drops older ones), `gold_reward` is the majority of its
    records and `gold_kind` the kind they share, else `mixed`; a tie leaves neither. `reward` is not touched.

    Report: `labels` given, `matched`, `unmatched` (`unmatched_keys`, the first 10), `invalid` (no 0/1), `rows_labeled`,
    `ties`, `annotators` of those rows; `warnings` when there are any. Before any row is changed a `ValueError` refuses
    an unknown kind, an item that is no record, a key of several rows, and labels none of which names a row.

    >>> rows = [{"scenario_id": "refund-3", "rollout_index": i, "reward": 1} for i in (0, 1)]
    >>> rows, report = attach_labels(rows, {"refund-3#1": 0}, annotator="ana")
    >>> rows[1]["gold_reward"], rows[1]["gold_kind"], report["matched"]
    (0, 'human', 1)
    """
    with collector_off():
        return _attached(rows, labels, annotator, checked_kind(kind), replace)


def _attached(
    rows: Iterable[Any], labels: Any, annotator: str | None, kind: str, replace: bool
) -> tuple[RowList, Report]:
    held: list[Row] = [row for row in RowTable(rows).rows if isinstance(row, dict)]
    given = given_labels(labels)
    valid = [each for each in given if each.label is not None]
    now = time.time()
    entries = [(each.key, stored(each, annotator, kind, now)) for each in valid if each.key]
    row_of = named_rows(held, (key for key, _ in entries))
    if valid and not row_of:
        raise ValueError(f"{_lost_text(valid, held)}; no row was changed")
    new: dict[int, tuple[Row, list[Record]]] = {}
    for key, entry in entries:
        if (row := row_of.get(key)) is not None:
            new.setdefault(id(row), (row, []))[1].append(entry)
    for row, added in new.values():
        _add(row, added, replace)
    return RowList.like(rows, held), _report(given, [row for row, _ in new.values()], row_of, held)


def _add(row: Row, added: list[Record], replace: bool) -> None:
    """Add records to a row and settle its gold anew."""
    older = row.get(GOLD_LABELS)
    row[GOLD_LABELS] = [*older, *added] if isinstance(older, list | tuple) and not replace else added
    records = records_of(row)
    passes = sum(label for _, label in records)
    if 2 * passes == len(records):
        row.pop(GOLD, None)
        row.pop(GOLD_KIND, None)
        return
    row[GOLD] = int(2 * passes > len(records))
    kinds = {kind_of(record.get("kind")) for record, _ in records}
    row[GOLD_KIND] = kinds.pop() if len(kinds) == 1 else MIXED


def _report(given: list[Given], touched: list[Row], row_of: Mapping[str, Row], held: list[Row]) -> Report:
    invalid = [each for each in given if each.label is None]
    lost = [each for each in given if each.label is not None and each.key not in row_of]
    ties = sum(GOLD not in row for row in touched)
    values: dict[str, Any] = {
        "labels": len(given),
        "matched": len(given) - len(invalid) - len(lost),
        "unmatched": len(lost),
        "unmatched_keys": [each.shown for each in lost[:_KEYS_LISTED]],
        "invalid": len(invalid),
        "rows_labeled": len(touched),
        "ties": ties,
        "annotators": sorted({annotator_of(record) for row in touched for record in row[GOLD_LABELS]}),
    }
    if warnings := list(_warnings(lost, ties, invalid, held)):
        values["warnings"] = warnings
    return Report(values, show=format_labels)


def _warnings(lost: list[Given], ties: int, invalid: list[Given], held: list[Row]) -> Iterator[str]:
    if lost:
        yield _lost_text(lost, held)
    if ties:
        yield (
            f"{counted(ties, 'row')} with as many passes as failures among the labels: no gold_reward there; "
            "let one more person label them"
        )
    unsure = [each for each in invalid if each.record.get("unsure") is True]
    if unsure:
        yield f"{counted(len(unsure), 'label')} left out as unsure: {shown_keys(each.shown for each in unsure)}"
    if odd := [each for each in invalid if each not in unsure]:
        keys = shown_keys(each.shown for each in odd)
        yield (
            f"{counted(len(odd), 'label')} left out for a value that is not the number 0 or 1 "
            f"(booleans, text and fractions are none): {keys}"
        )


def _lost_text(lost: list[Given], held: list[Row]) -> str:
    names = "names" if len(lost) == 1 else "name"
    keys = shown_keys(each.shown for each in lost)
    return f"{counted(len(lost), 'label')} {names} no row: {keys}; {KEY_FORMS}; {keys_carried(held)}"


def format_labels(report: Mapping[str, Any]) -> str:
    """What was attached and what was not, then the warnings."""
    people = ", ".join(printable(name, 40) for name in report["annotators"]) or "nobody"
    lines = [
        f"{counted(report['labels'], 'label')}: {report['matched']} matched, {report['unmatched']} unmatched, "
        f"{report['invalid']} invalid",
        f"{counted(report['rows_labeled'], 'row')} labelled by {people}, {counted(report['ties'], 'tie')}",
    ]
    for warning in report.get("warnings", ()):
        lines += wrapped(f"! {warning}")
    return "\n".join(lines)
