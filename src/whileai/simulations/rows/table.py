"""`RowTable`: the columns that reports compute on, read from the rows in one pass each.

A table covers a list of rows, or one batch of a stream: batches that share a `Tasks` index number their tasks alike,
so what is counted in one can be added to what was counted in another.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from operator import itemgetter
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.rows.batch import Batch
from whileai.simulations.rows.grade import REWARD_FIELDS, grade, label, score_of
from whileai.simulations.rows.task import TASK_FIELDS, task_key
from whileai.simulations.rows.values import LARGEST, finite, is_mapping

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Row = Mapping[str, Any]

_NUMBER_TYPES = frozenset({int, float})
_NUMBER_OR_NONE = frozenset({int, float, type(None)})
_TEXT = frozenset({str})
_MOST_AT_ONCE = 2048  # rows of a batch: of more, columns nobody asks for would take memory


class _Codes(dict[str, int]):
    """The code of each task; one that was not met gets the next."""

    def __missing__(self, name: str) -> int:
        self[name] = code = len(self)
        return code


class Tasks:
    """The tasks met so far: each task key and its code, in order of first appearance."""

    def __init__(self) -> None:
        self._codes = _Codes()
        self._names: list[str] = []

    def __len__(self) -> int:
        return len(self._codes)

    @property
    def names(self) -> list[str]:
        """Task keys by code."""
        return list(self._codes)

    def name(self, code: int) -> str:
        """The task key of a code."""
        if len(self._names) < len(self._codes):
            self._names.extend(islice(self._codes, len(self._names), None))
        return self._names[code]

    def code(self, name: str) -> int | None:
        """The code of a task, None when it was not met."""
        return self._codes.get(name)

    def absorb(self, other: Tasks) -> Ints:
        """The code here of each task of another index, by its code there; new tasks get the next codes, in its order.

        >>> index, other = Tasks(), Tasks()
        >>> index.encode([{"task_id": "a"}]), other.encode([{"task_id": "b"}, {"task_id": "a"}])
        (array([0]), array([0, 1]))
        >>> index.absorb(other)
        array([1, 0])
        """
        return np.fromiter(map(self._codes.__getitem__, other._codes), dtype=np.int64, count=len(other))

    def encode(self, rows: Sequence[Row], column: Callable[[str], Sequence[Any]] | None = None) -> Ints:
        """The task code of each row, shape (len(rows),); new tasks get the next codes.

        `column` gives what the rows have under a key, where that is at hand.
        """
        ids = _plain_ids(column or (lambda field: [row.get(field) for row in rows])) or [task_key(row) for row in rows]
        return np.fromiter(map(self._codes.__getitem__, ids), dtype=np.int64, count=len(rows))


def _plain_ids(column: Callable[[str], Sequence[Any]]) -> Sequence[str] | None:
    """The task keys where one field holds them all as text and no earlier field is set; None where rows differ."""
    for field in TASK_FIELDS:
        ids = column(field)
        kinds = set(map(type, ids))
        if kinds == _TEXT:
            return None if "" in ids else ids
        if kinds != {type(None)}:
            return None
    return None


class RowTable:
    """The columns of some rows, each read when first asked for.

    `rows` is any iterable of mappings (items that are none are left out); the rows themselves are not changed and
    not copied. Columns are arrays of shape (len(table),): `tasks` the task codes, `grades` the finite reward or NaN,
    `labels` the 0/1 label or NaN, `binary` where a label is.

    >>> table = RowTable([{"task_id": "a", "reward": 1}, {"task_id": "b", "reward": 0.5}, {"task_id": "a"}])
    >>> table.tasks.tolist(), table.labels.tolist(), table.grades.tolist()
    ([0, 1, 0], [1.0, nan, nan], [1.0, 0.5, nan])
    """

    def __init__(self, rows: Iterable[Any], index: Tasks | None = None) -> None:
        self.rows: Sequence[Row] = rows if isinstance(rows, Batch) else _mappings(rows)
        self.index = Tasks() if index is None else index

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, key: str) -> Sequence[Any]:
        """The values under one key, None where a row has none."""
        if self._alike is None:
            return [row.get(key) for row in self.rows]
        found = self._alike.get(key)
        return [None] * len(self.rows) if found is None else found

    def has(self, key: str) -> bool:
        """Whether a row has the key."""
        return self.rows.has(key) if isinstance(self.rows, Batch) else any(key in row for row in self.rows)

    def distinct(self, key: str) -> Sequence[Any]:
        """The values under one key, each once where they can be hashed; None where a row has none."""
        if self._alike is not None and key not in self._alike:
            return [None]
        return distinct(self.column(key))

    @cached_property
    def _alike(self) -> Mapping[Any, Sequence[Any]] | None:
        """The columns where they are at hand, or are all wanted: of few rows with the same keys."""
        if isinstance(self.rows, Batch):
            return self.rows.columns
        if not 1 < len(self.rows) <= _MOST_AT_ONCE or set(map(type, self.rows)) != {dict}:
            return None
        names = list(self.rows[0])
        if len(names) < 2 or set(map(len, self.rows)) != {len(names)}:
            return None
        try:
            return dict(zip(names, zip(*map(itemgetter(*names), self.rows), strict=True), strict=True))
        except KeyError:
            return None

    @cached_property
    def tasks(self) -> Ints:
        """Task codes of `index`, by `task_key`."""
        return self.index.encode(self.rows, self.column)

    @cached_property
    def grades(self) -> Floats:
        """The finite number in `reward`, else in `qwen_reward`, else NaN."""
        return self._scores(lambda scores: np.isnan(scores), grade)

    @cached_property
    def graded(self) -> NDArray[np.bool_]:
        """Where a row has a grade."""
        return ~np.isnan(self.grades)

    @cached_property
    def labels(self) -> Floats:
        """The 0/1 label: `reward`, else `qwen_reward`, where exactly 0 or 1, else NaN."""
        scores = self._scores(lambda scores: ~((scores == 0) | (scores == 1)), lambda row: _nan(label(row)))
        return np.where((scores == 0) | (scores == 1), scores, np.nan)

    @cached_property
    def binary(self) -> NDArray[np.bool_]:
        """Where a row has a 0/1 label."""
        return ~np.isnan(self.labels)

    def _scores(self, unsettled: Any, rule: Any) -> Floats:
        """`reward` as an array; the rows it leaves `unsettled` are read again by the row `rule` if they may differ."""
        scores = self._rewards
        fallback = REWARD_FIELDS[1]
        if self._alike is not None and fallback not in self._alike:
            return scores
        again = [i for i in np.flatnonzero(unsettled(scores)).tolist() if fallback in self.rows[i]]
        if again:
            scores = scores.copy()
            scores[again] = [rule(self.rows[i]) for i in again]
        return scores

    @cached_property
    def _rewards(self) -> Floats:
        return _numbers(self.column(REWARD_FIELDS[0]), score_of)

    @cached_property
    def markers(self) -> dict[str, tuple[Ints, Floats]]:
        """Each marker by name (first met first): the positions of rows with a finite value, and the values.

        Booleans count as 1/0 and numeric text counts; a marker without any such value has empty arrays.
        """
        held = self.column("markers")
        alike = _columns_of_alike(held)
        if alike is not None:
            every = np.arange(len(held), dtype=np.int64)
            return _named(dict.fromkeys(alike, every), alike)
        return _named(*_columns_of_each(held))


def _columns_of_alike(held: Sequence[Any]) -> dict[Any, list[Any]] | None:
    """The values under each key of dicts that all have the same keys; None when they do not."""
    if set(map(type, held)) != {dict}:
        return None
    names = list(held[0])
    if set(map(len, held)) != {len(names)}:
        return None
    try:
        return {name: [markers[name] for markers in held] for name in names}
    except KeyError:
        return None


def _columns_of_each(held: Sequence[Any]) -> tuple[dict[Any, list[int]], dict[Any, list[Any]]]:
    """`(places, values)` by key of mappings whose keys differ; what is no mapping is passed over."""
    places: dict[Any, list[int]] = {}
    values: dict[Any, list[Any]] = {}
    for position, markers in enumerate(held):
        if not is_mapping(markers):
            continue
        for name, value in markers.items():
            if name in values:
                places[name].append(position)
                values[name].append(value)
            else:
                places[name], values[name] = [position], [value]
    return places, values


def _named(places: Mapping[Any, list[int] | Ints], values: Mapping[Any, list[Any]]) -> dict[str, tuple[Ints, Floats]]:
    named: dict[str, tuple[Ints, Floats]] = {}
    for name, found in values.items():
        numbers = _numbers(found, finite)
        kept = ~np.isnan(numbers)
        column = np.asarray(places[name], dtype=np.int64)[kept], numbers[kept]
        text = name if isinstance(name, str) else str(name)
        if text in named:
            column = np.concatenate([named[text][0], column[0]]), np.concatenate([named[text][1], column[1]])
        named[text] = column
    return named


def _numbers(values: Sequence[Any], rule: Any) -> Floats:
    """The values as finite floats, NaN where `rule` gives None; plain numbers take the fast path."""
    kinds = set(map(type, values))
    if kinds <= _NUMBER_OR_NONE:
        try:
            scores = np.array(values, dtype=np.float64)
        except OverflowError:
            pass
        else:
            within = np.abs(scores) <= LARGEST
            return scores if within.all() else np.where(within, scores, np.nan)
    return np.fromiter((_nan(rule(value)) for value in values), dtype=np.float64, count=len(values))


def _nan(value: float | None) -> float:
    return math.nan if value is None else float(value)


def distinct(values: Sequence[Any]) -> Sequence[Any]:
    """The values, each once where they can be hashed: a million equal settings become one.

    >>> distinct(["m1", None, "m1"]), distinct([[1], [1]])
    (['m1', None], [[1], [1]])
    """
    try:
        return list(dict.fromkeys(values))
    except TypeError:
        return values


def row_items(rows: Iterable[Any]) -> list[Any]:
    """All items of some rows as a list, those that are no dicts included; a list comes back as it is.

    Raises `TypeError` for what is no iterable of rows: one row, a path, a table.

    >>> row_items(row for row in [{"reward": 1}, None])
    [{'reward': 1}, None]
    """
    if isinstance(rows, Mapping | str | bytes | PathLike) or hasattr(rows, "columns"):
        raise TypeError(f"rows must be an iterable of dicts, got {type(rows).__name__}: {_hint(rows)}")
    try:
        return rows if isinstance(rows, list) else list(rows)
    except TypeError:
        raise TypeError(f"rows must be an iterable of dicts, got {type(rows).__name__}") from None


def _mappings(rows: Iterable[Any]) -> list[Row]:
    held = row_items(rows)
    if set(map(type, held)) <= {dict}:
        return held
    return [row for row in held if isinstance(row, Mapping)]


def _hint(rows: Any) -> str:
    if isinstance(rows, Mapping):
        return "wrap one row in a list"
    return (
        "load_rows(path) reads a file"
        if isinstance(rows, str | bytes | PathLike)
        else "load_rows(table) gives its rows"
    )
