"""The few error types of the library, worded once: where, what was found, what was wanted, the way out."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

_MOST_COMPARED = 80  # characters: the matching is quadratic in them
_PACKAGE = __name__.partition(".")[0] + "."
TOO_DEEP = "nested too deeply: the limit is about 1,000 levels (sys.getrecursionlimit)"  # Python's own


class ReadError(ValueError):
    """A file or record that could not be read as rows.

    The message names the file, the record, what was found there and what to do; it is one line.

    >>> str(ReadError("no reward key", source="runs.jsonl", record=17))
    'runs.jsonl, record 17: no reward key'
    """

    def __init__(self, message: str, *, source: str | None = None, record: int | None = None) -> None:
        self.source = source
        self.record = record
        where = ", ".join([*([source] if source else []), *([f"record {record}"] if record is not None else [])])
        super().__init__(f"{where}: {message}" if where else message)


class BadRecordError(ReadError):
    """A record that could not be read, where the first ends the reading; without `strict` it is left out."""


class WrongKindError(TypeError, ValueError):
    """An argument that is none of the kinds a function takes: caught as either, since callers check for either."""


class MissingExtraError(ImportError):
    """An optional library that a call needs is not installed; the message gives the command that installs it.

    >>> str(MissingExtraError("pyarrow", extra="parquet", what="reading Parquet files"))
    "reading Parquet files needs pyarrow: pip install 'whileai[parquet]'"
    """

    def __init__(self, library: str, *, extra: str, what: str) -> None:
        super().__init__(f"{what} needs {library}: pip install 'whileai[{extra}]'", name=library)
        self._said = library, extra, what

    def __reduce__(self) -> Any:  # it may be raised in another process
        return _missing_extra, self._said


def _missing_extra(library: str, extra: str, what: str) -> MissingExtraError:
    return MissingExtraError(library, extra=extra, what=what)


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """A warning at the line that called the package, however deep in it this is."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and f"{frame.f_globals.get('__name__')}.".startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def meant(value: Any, known: Iterable[str]) -> str:
    """The end of a refusal: the known word nearest to what was given, "" when none is near.

    >>> meant("inspct", ["inspect", "trl"]), meant(7, ["inspect"])
    (": did you mean 'inspect'?", '')
    """
    near = get_close_matches(value.strip().lower()[:_MOST_COMPARED], list(known), n=1) if isinstance(value, str) else []
    return f": did you mean {near[0]!r}?" if near else ""


def keys_found(record: Any, most: int = 12) -> str:
    """The keys of a record as one short phrase for a message, at most `most` of them.

    >>> keys_found({"a": 1, "b": 2})
    "keys 'a', 'b'"
    >>> keys_found([1])
    'a list'
    """
    if not isinstance(record, dict):
        article = "an" if type(record).__name__[0] in "aeiou" else "a"
        return f"{article} {type(record).__name__}"
    names = [repr(str(key)[:40]) for key in list(record)[:most]]
    more = f" and {len(record) - most} more" if len(record) > most else ""
    return ("keys " + ", ".join(names) + more) if names else "no keys"
