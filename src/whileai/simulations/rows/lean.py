"""JSON lines of rows of ours without their conversations, for counts: most of a row is text that no count reads."""

from __future__ import annotations

from collections.abc import Callable
from keyword import iskeyword
from typing import Any

import msgspec
import orjson
from msgspec import UNSET, Raw
from msgspec.structs import asdict

from whileai.simulations.rows.task import TASK_FIELDS

CONVERSATION = ("steps", "messages")
_MOST_KEYS = 256
_TRIED = 64  # lines read whole before it is asked whether that is the rule
_OPEN, _CLOSED = b"{}"
_UNFIT = (msgspec.MsgspecError, RecursionError)  # no JSON, or not by the keys known so far; parsing it whole tells

Parse = Callable[[bytes], Any]


class LeanLines:
    r"""Parses lines as `parse` does, and leaves the conversation out of rows that are plainly ours and have a reply.

    What is left out is checked to be JSON but not built, which costs under half of building it. A line is read so when
    all of its keys were seen before, and its task or `own` (the key sets that the reader of rows found to be ours)
    says what it is; every other line is parsed whole.

    >>> read = LeanLines(own=set())
    >>> line = b'{"scenario_id": "a", "reward": 1, "final_text": "Done.", "messages": [{"role": "user"}]}'
    >>> read(line) == orjson.loads(line), read(line)
    (True, {'scenario_id': 'a', 'reward': 1, 'final_text': 'Done.'})
    """

    def __init__(self, own: set[tuple[Any, ...]], parse: Parse = orjson.loads) -> None:
        self._own = own
        self._parse = parse
        self._keys: dict[str, bool] = {}  # and whether rows may lack it
        self._optional: list[str] = []
        self._decoder: msgspec.json.Decoder[Any] | None = None
        self._n_lean = self._n_whole = 0

    def __call__(self, line: bytes) -> Any:
        """The value of a line; a `ValueError` as of `parse`."""
        if self._decoder is None:
            return self._whole(line)
        try:
            row = self._lean(self._decoder.decode(line))
        except _UNFIT:
            row = None
        return self._whole(line) if row is None else row

    def block(self, lines: bytes) -> list[Any] | None:
        """The value of each of some lines, parsed at once; None where they must be parsed one by one."""
        if self._decoder is None:
            return None
        try:
            found = self._decoder.decode_lines(lines)
            if not _a_line_each(lines, len(found)):
                return None
            rows = [*map(self._lean, found)]
            if None in rows:
                each = lines.split(b"\n")
                rows = [self._whole(line) if row is None else row for row, line in zip(rows, each, strict=False)]
        except (*_UNFIT, ValueError):
            return None
        return rows

    def _lean(self, found: Any) -> dict[str, Any] | None:
        """The row without its conversation; None where it has to be parsed whole."""
        row: dict[str, Any] = asdict(found)
        for key in self._optional:
            if row[key] is UNSET:
                del row[key]
        named = TASK_FIELDS[0] in row
        if not named and tuple(row) not in self._own:
            return None
        reply = row.get("final_text")
        if type(reply) is not str or not reply or reply.isspace():
            return None
        for key in CONVERSATION:
            row.pop(key, None)
        if not named:
            self._own.add(tuple(row))
        self._n_lean += 1
        return row

    def _whole(self, line: bytes) -> Any:
        value = self._parse(line)
        self._n_whole += 1
        if type(value) is dict and tuple(value) in self._own:
            self._own.add(tuple(key for key in self._keys if key in value))
        if self._n_whole > max(_TRIED, self._n_lean):
            self._decoder = None
        elif type(value) is dict:
            self._learn(value)
        return value

    def _learn(self, value: dict[str, Any]) -> None:
        """Know the keys of one more row; a row with a key that can name no field is always parsed whole."""
        known = {key: lacked or key not in value for key, lacked in self._keys.items()}
        keys = known | {key: bool(known) for key in value if key not in known}
        if keys == self._keys or len(keys) > _MOST_KEYS or not all(_names_a_field(key) for key in value):
            return
        self._keys = keys
        self._optional = [key for key, lacked in keys.items() if lacked]
        fields = [_field(key, lacked) for key, lacked in keys.items()]
        kind = msgspec.defstruct("Row", fields, forbid_unknown_fields=True, gc=False, kw_only=True)
        self._decoder = msgspec.json.Decoder(kind)


def _a_line_each(lines: bytes, n: int) -> bool:
    """Whether `n` objects, one after the other, have a line each: msgspec takes any space, or none, between them."""
    at, last = lines.find(b"\n"), len(lines) - 1
    while 0 <= at < last:
        if lines[at - 1] != _CLOSED or lines[at + 1] != _OPEN:  # elsewhere these two stand on no two lines
            return False
        at, n = lines.find(b"\n", at + 1), n - 1
    return n == 1


def _field(key: str, lacked: bool) -> Any:
    kind = Raw if key in CONVERSATION else Any
    return (key, kind, UNSET) if lacked else (key, kind)


def _names_a_field(key: str) -> bool:
    return key.isidentifier() and not key.startswith("_") and not iskeyword(key)
