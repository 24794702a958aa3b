"""Rows in batches: in a list as they come, or by column where many are parsed at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, overload

Row = dict[str, Any]
CONVERSATION = ("steps", "messages")
_NO_ROWS: Mapping[int, Row] = {}


class _Absent:
    """What stands in a column where a row does not have its key."""


ABSENT: Any = _Absent()


class Batch(Sequence[Row]):
    """Rows by column, without their conversations; each is made when it is asked for.

    `held` are the values under each key, `ABSENT` where a row lacks an `optional` one; `whole` are rows that keep
    their conversation, by position.

    >>> batch = Batch({"task_id": ("a", "b"), "reward": (1, ABSENT)}, optional=["reward"])
    >>> batch.columns["reward"], list(batch)
    ([1, None], [{'task_id': 'a', 'reward': 1}, {'task_id': 'b'}])
    """

    def __init__(
        self,
        held: Mapping[str, Iterable[Any]],
        optional: Iterable[str] = (),
        whole: Mapping[int, Row] = _NO_ROWS,
    ) -> None:
        self._held = {key: list(values) for key, values in held.items()}
        self._optional, self._whole = set(optional) & self._held.keys(), {**whole}
        self._n = len(next(iter(self._held.values())))

    @cached_property
    def columns(self) -> dict[str, list[Any]]:
        """The values under each key, None for what is absent."""
        filled = {key: [None if value is ABSENT else value for value in self._held[key]] for key in self._optional}
        return {**self._held, **filled}

    def took(self, more: Row | Batch) -> bool:
        """Add a row, or the rows of another batch, and say so; False where it does not have the same keys."""
        keys = self._held.keys()
        if isinstance(more, Batch):
            if more._held.keys() != keys:
                return False
            for key, values in more._held.items():
                self._held[key] += values
            self._whole.update((self._n + at, row) for at, row in more._whole.items())
            self._optional |= more._optional
        else:
            if not more.keys() <= {*keys, *CONVERSATION}:
                return False
            for key, values in self._held.items():
                values.append(more.get(key, ABSENT))
            self._whole[self._n] = more
            self._optional |= keys - more.keys()
        self._n += len(more) if isinstance(more, Batch) else 1
        self.__dict__.pop("columns", None)
        return True

    def has(self, key: str) -> bool:
        """Whether a row has the key."""
        return any(value is not ABSENT for value in self._held.get(key, ())) or any(
            key in row for row in self._whole.values()
        )

    def __len__(self) -> int:
        return self._n

    @overload
    def __getitem__(self, at: int) -> Row: ...

    @overload
    def __getitem__(self, at: slice) -> list[Row]: ...

    def __getitem__(self, at: int | slice) -> Row | list[Row]:
        if isinstance(at, slice):
            return [self[place] for place in range(self._n)[at]]
        place = range(self._n)[at]
        if place in self._whole:
            return self._whole[place]
        return {key: values[place] for key, values in self._held.items() if values[place] is not ABSENT}

    def __iter__(self) -> Iterator[Row]:
        return map(self.__getitem__, range(self._n))


def in_batches(values: Iterable[Any], size: int, *, light: bool) -> Iterator[list[Row] | Batch]:
    """The rows about `size` at a time; batches among them are joined in place. `light` drops what no count reads.

    A row is made light before the next is parsed, so that what it drops is dropped while the processor has it at hand.
    """
    held: Any = []
    for value in values:
        if light and type(value) is dict:
            _lighten(value)
        if type(held) is list and type(value) is not Batch:
            held.append(value)
        elif type(held) is list or not held.took(value):
            if held:
                yield held
            held = value if type(value) is Batch else [value]
        if len(held) >= size:
            yield held
            held = []
    if held:
        yield held


def _lighten(row: Row) -> None:
    """Drop the conversation; a row without a reply keeps its messages, from which that is read."""
    row.pop("steps", None)
    if "messages" in row and is_said(row.get("final_text")):
        del row["messages"]


def is_said(reply: Any) -> bool:
    """Whether a reply is text with anything in it."""
    return type(reply) is str and bool(reply) and not reply.isspace()


def all_said(replies: Collection[Any]) -> bool:
    """Whether each is; a loop over `is_said` would take as long as half of the other work on a row."""
    return set(map(type, replies)) == {str} and all(replies) and not any(map(str.isspace, replies))
