"""What is known about a record that could not be read, and where in its file a reader stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import orjson

from whileai.simulations import defaults


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A record that could not be read.

    `record` is the line number in a file of JSON lines and the record's number (from 1) elsewhere; `text` is how the
    record begins, at most 200 characters of it.

    >>> print(BadRecord("runs.jsonl", 160, "no JSON"))
    runs.jsonl, record 160: no JSON
    """

    source: str
    record: int
    reason: str
    text: str = field(default="", repr=False)

    def __str__(self) -> str:
        """Where it is and why it cannot be read, in one line.

        >>> print(BadRecord("runs.jsonl", 160, "no JSON"))
        runs.jsonl, record 160: no JSON
        """
        return f"{self.source}, record {self.record}: {self.reason}"


@dataclass(slots=True)
class Place:
    """Where the reading of one source stands: the number of the record read last, rows by format, the first bad one.

    Rows of ours are not in `formats`: they are what is left of the rows that were counted one by one. `own` are key
    sets, in order, of records that cannot be anything but rows of ours; with `lean` those may come in batches,
    without their conversations.
    """

    name: str
    tell: Callable[[BadRecord], None]
    number: int = 0
    formats: Counter[str] = field(default_factory=Counter)
    first_bad: BadRecord | None = None
    own: set[tuple[Any, ...]] = field(default_factory=set)
    lean: bool = False

    def bad(self, reason: str, shown: Any = "", number: int | None = None) -> None:
        """Tell of the record at this place (or of the given number) that it cannot be read, with what to show of it."""
        found = BadRecord(self.name, self.number if number is None else number, reason, beginning(shown))
        self.first_bad = self.first_bad or found
        self.tell(found)


def beginning(shown: Any) -> str:
    r"""How a record begins, as text: at most 200 characters, characters that cannot be printed escaped.

    >>> beginning({"a": 1}), beginning(b"{cut\x00")
    ('{"a":1}', '{cut\\x00')
    """
    if isinstance(shown, bytes):
        shown = shown[: 4 * defaults.BAD_RECORD_CHARS].decode("utf-8", "backslashreplace")
    elif not isinstance(shown, str):
        shown = _as_json(shown)
    shown = shown[: defaults.BAD_RECORD_CHARS]
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)[
        : defaults.BAD_RECORD_CHARS
    ]


def _as_json(value: Any) -> str:
    try:
        return orjson.dumps(value, default=str, option=orjson.OPT_NON_STR_KEYS).decode()
    except (TypeError, ValueError):
        return f"a {type(value).__name__}"
