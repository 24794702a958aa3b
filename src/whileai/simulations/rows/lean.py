"""JSON lines of rows of ours without their conversations, for counts: most of a row is text that no count reads."""

from __future__ import annotations

from collections.abc import Callable
from keyword import iskeyword
from typing import Any

import msgspec
import orjson
from msgspec import UNSET, Raw

from whileai.simulations.rows.task import TASK_FIELDS

CONVERSATION = ("steps", "messages")
_MOST_KEYS = 256
_TRIED = 64  # lines read whole before it is asked whether that is the rule
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
        self._decode: Parse | None = None
        self._n_lean = self._n_whole = 0

    def __call__(self, line: bytes) -> Any:
        """The value of a line; a `ValueError` as of `parse`."""
        if self._decode is None:
            return self._whole(line)
        try:
            found = self._decode(line)
        except _UNFIT:
            return self._whole(line)
        row = msgspec.structs.asdict(found)
        for key in self._optional:
            if row[key] is UNSET:
                del row[key]
        if TASK_FIELDS[0] not in row and tuple(row) not in self._own:
            return self._whole(line)
        reply = row.get("final_text")
        if type(reply) is not str or not reply or reply.isspace():
            return self._whole(line)
        for key in CONVERSATION:
            row.pop(key, None)
        if TASK_FIELDS[0] not in row:
            self._own.add(tuple(row))
        self._n_lean += 1
        return row

    def _whole(self, line: bytes) -> Any:
        value = self._parse(line)
        self._n_whole += 1
        if type(value) is dict and tuple(value) in self._own:
            self._own.add(tuple(key for key in self._keys if key in value))
        if self._n_whole > max(_TRIED, self._n_lean):
            self._decode = None
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
        self._decode = msgspec.json.Decoder(kind).decode


def _field(key: str, lacked: bool) -> Any:
    kind = Raw if key in CONVERSATION else Any
    return (key, kind, UNSET) if lacked else (key, kind)


def _names_a_field(key: str) -> bool:
    return key.isidentifier() and not key.startswith("_") and not iskeyword(key)
