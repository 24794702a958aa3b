"""JSON lines of rows of ours without their conversations, for counts: most of a row is text that no count reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from keyword import iskeyword
from typing import Any

import msgspec
import orjson
from msgspec import Raw
from msgspec.structs import astuple

from whileai.simulations.rows.batch import ABSENT, CONVERSATION, Batch, all_said, is_said
from whileai.simulations.rows.task import TASK_FIELDS

_MOST_KEYS = 256
_TRIED = 4  # blocks read line by line before it is asked whether that is the rule
_OPEN, _CLOSED, _RETURN = b"{}\r"
_UNFIT = (msgspec.MsgspecError, RecursionError, ValueError)  # no JSON, or not by the keys known so far

Parse = Callable[[bytes], Any]
Columns = Mapping[str, tuple[Any, ...]]


class LeanLines:
    r"""Parses blocks of lines by column, without the conversations of rows that are plainly ours and have a reply.

    What is left out is checked to be JSON but not built, which costs under half of building it. A block is read so
    when all of its keys were seen before, and each row's task or `own` (the key sets that the reader of rows found to
    be ours) says what it is; the lines of every other block are parsed one by one, and learnt from.

    >>> read = LeanLines(own=set())
    >>> line = b'{"scenario_id": "a", "reward": 1, "final_text": "Done.", "messages": [{"role": "user"}]}\n'
    >>> read.block(line), read.line(line) == orjson.loads(line)
    (None, True)
    >>> list(read.block(line))
    [{'scenario_id': 'a', 'reward': 1, 'final_text': 'Done.'}]
    """

    def __init__(self, own: set[tuple[Any, ...]], parse: Parse = orjson.loads) -> None:
        self._own = own
        self._parse = parse
        self._keys: dict[str, bool] = {}  # and whether rows may lack it
        self._fields: tuple[str, ...] = ()
        self._optional: list[str] = []
        self._ours: set[frozenset[str]] = set()
        self._learnt: tuple[Any, ...] = ()
        self._decoder: msgspec.json.Decoder[Any] | None = None
        self._n_lean = self._n_whole = 0

    @property
    def given_up(self) -> bool:
        """Whether blocks can mostly not be read at once."""
        return self._n_whole > max(_TRIED, self._n_lean)

    def block(self, lines: bytes) -> Batch | None:
        """The rows of a block of lines; None where its lines must be parsed one by one."""
        found = None if self._decoder is None else self._batch(lines, self._decoder)
        if found is None:
            self._n_whole += 1
        else:
            self._n_lean += 1
        return found

    def _batch(self, lines: bytes, decoder: msgspec.json.Decoder[Any]) -> Batch | None:
        try:
            found = decoder.decode_lines(lines)
            if not _a_line_each(lines, len(found)):
                return None
            held = dict(zip(self._fields, zip(*map(astuple, found), strict=True), strict=True))
            replies = held.get("final_text", (None,) * len(found))
            unsaid = [] if all_said(replies) else [at for at, reply in enumerate(replies) if not is_said(reply)]
            if 2 * len(unsaid) > len(found) or not self._are_ours(held):
                return None
            each = lines.split(b"\n") if unsaid else []
            whole = {at: self._parse(each[at]) for at in unsaid}
        except _UNFIT:
            return None
        return Batch({key: held[key] for key in held if key not in CONVERSATION}, self._optional, whole)

    def _are_ours(self, held: Columns) -> bool:
        """Whether all rows are: a scenario says so, else the keys."""
        lacking = zip(*([value is ABSENT for value in held[key]] for key in self._optional), strict=True)
        for lacks in set(lacking) or {()}:
            keys = held.keys() - {key for key, lacked in zip(self._optional, lacks, strict=True) if lacked}
            if TASK_FIELDS[0] not in keys and keys not in self._ours:
                return False
        return True

    def line(self, line: bytes) -> Any:
        """The value of a line, as `parse` gives it, learnt from."""
        value = self._parse(line)
        if type(value) is dict:
            self._learn(tuple(value))
        return value

    def _learn(self, keys: tuple[Any, ...]) -> None:
        """Know the keys of one more row; a row with a key that can name no field is never read at once."""
        if keys in self._own:
            self._ours.add(frozenset(keys))
        if keys == self._learnt:
            return
        self._learnt = keys
        known = {key: lacked or key not in keys for key, lacked in self._keys.items()}
        known |= {key: bool(self._keys) for key in keys if key not in known}
        if known == self._keys or len(known) > _MOST_KEYS or not all(map(_names_a_field, keys)):
            return
        self._keys = known
        self._optional = [key for key, lacked in known.items() if lacked]
        fields = [_field(key, lacked) for key, lacked in known.items()]
        kind = msgspec.defstruct("Row", fields, forbid_unknown_fields=True, gc=False, kw_only=True)
        self._fields, self._decoder = kind.__struct_fields__, msgspec.json.Decoder(kind)


def _a_line_each(lines: bytes, n: int) -> bool:
    """Whether `n` objects, one after the other, have a line each: msgspec takes any space, or none, between them."""
    at, last = lines.find(b"\n"), len(lines) - 1
    if not lines.startswith(b"{"):  # a blank line would make up for two rows on another
        return False
    while 0 <= at < last:
        end = at - 2 if lines[at - 1] == _RETURN else at - 1
        if lines[end] != _CLOSED or lines[at + 1] != _OPEN:  # elsewhere these two stand on no two lines
            return False
        at, n = lines.find(b"\n", at + 1), n - 1
    return n == 1


def _field(key: str, lacked: bool) -> Any:
    kind = Raw if key in CONVERSATION else Any
    return (key, kind, ABSENT) if lacked else (key, kind)


def _names_a_field(key: str) -> bool:
    return key.isidentifier() and not key.startswith("_") and not iskeyword(key)
