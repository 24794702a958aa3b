"""JSON as programs write it: lines or one document, NaN and lone surrogates included, whole or cut short."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import orjson

from whileai.simulations.errors import TOO_DEEP, ReadError
from whileai.simulations.rows.formats import joined
from whileai.simulations.rows.records import Place
from whileai.simulations.rows.stream import CutShortError, check_size

if TYPE_CHECKING:
    from whileai.simulations.rows.lean import LeanLines

CUT = "the file ends in the middle of a record (perhaps it is still being written)"

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"\s*")
_LONG_INT = re.compile(rb"(?<![^\s\[,:])[0-9]{20}|(?<=-)[0-9]{19}")
_HIGH_NIBBLES = np.uint32(0xF0F0F0F0)
_DIGITS = np.uint32(0x30303030)
_ZERO, _TEN = np.uint8(ord("0")), np.uint8(10)
_TRIED_LINES = 100
_FEW = 16


def parse(text: bytes) -> Any:
    r"""The value of a JSON text; what strict parsers refuse or round (NaN, lone surrogates, long ints) is read exactly.

    >>> parse(b'{"id": 36893488147419103232, "score": NaN, "s": "\\ud800"}')
    {'id': 36893488147419103232, 'score': nan, 's': '\ud800'}
    """
    if has_long_int(text):
        return _parse_exactly(text)
    try:
        return orjson.loads(text)
    except ValueError:
        return _parse_exactly(text)


def _parse_exactly(text: bytes) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError(TOO_DEEP) from None


def why_not(error: ValueError) -> str:
    """The reason of a failed `parse` in few words.

    >>> try:
    ...     parse(b'{"a" 1}')
    ... except ValueError as error:
    ...     why_not(error)
    "no JSON: Expecting ':' delimiter at character 6"
    """
    if isinstance(error, json.JSONDecodeError):
        where = f"character {error.colno}" if error.lineno == 1 else f"line {error.lineno}, character {error.colno}"
        return f"no JSON: {error.msg.removesuffix(' at')} at {where}"
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8: byte 0x{error.object[error.start]:02x} at position {error.start + 1}"
    return str(error).split("; use sys.set_int_max_str_digits")[0]


def has_long_int(text: bytes) -> bool:
    """Whether an int may be there that does not fit 64 bits: orjson rounds it to a float, and does not say so.

    Such a run of 19 or 20 digits covers four aligned groups of four bytes, which are found at a few percent of the
    cost of parsing. Digits after a point, and ids in quotes, are left out before each run is looked at.

    >>> has_long_int(b"[9223372036854775807, 0.1234567890123456789]"), has_long_int(b"[18446744073709551616]")
    (False, True)
    """
    if len(text) < 19:
        return False
    groups = np.frombuffer(text, dtype=np.uint32, count=len(text) // 4)
    digits = (groups & _HIGH_NIBBLES) == _DIGITS
    pairs = digits[:-1] & digits[1:]
    fours = pairs[:-2] & pairs[2:]
    if not fours.any():
        return False
    places = 4 * np.flatnonzero(fours)
    if len(places) > _FEW:
        places = _int_starts(text, places)
    return any(_LONG_INT.search(text, max(0, at - 3), at + 23) for at in places.tolist())


def _int_starts(text: bytes, places: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Where the runs of digits around these places begin, less those that are fractions or begin a string.

    Log-probabilities come by the hundred a row: one look with a pattern at each would cost more than parsing them.
    """
    chars = np.frombuffer(text, dtype=np.uint8)
    for _ in range(3):  # at most three digits come before the first whole group of a run
        places = places - (chars[places - 1] - _ZERO < _TEN)
    before = chars[places - 1]
    starts: npt.NDArray[np.intp] = places[(before != ord(".")) & (before != ord('"')) & (before - _ZERO >= _TEN)]
    return starts


def json_values(blocks: Iterator[bytes], place: Place) -> Iterator[Any]:
    """The values of a JSON text, given as blocks of whole lines: of each line, or of the one document that it is.

    A document that is a list gives its items, unless they are the turns of one record; of a list that ends early, its
    whole items come before the cut is told.
    """
    first = next(blocks)
    line, rest = _first_line(first)
    try:
        value = parse(line)
    except ValueError:
        lines_follow = line[:1] == b"{" and is_object(_first_line(rest)[0]) and not is_object(first)
        if line[:1] in (b"{", b"[") and not lines_follow:
            try:
                return _document_or_lines(_all_of(first, blocks), place)
            except CutShortError as cut:
                return begun_list(cut, place)
        return json_lines(chain((first,), blocks), place)
    following = () if rest.strip() else tuple(islice((block for block in blocks if block.strip()), 1))
    if rest.strip() or following:
        return json_lines(chain((first,), following, blocks), place)
    return _document(value, place)


def begun_list(cut: CutShortError, place: Place) -> Iterator[Any]:
    r"""The whole records of a list in compressed data that ends too early, then the cut; the error for anything else.

    >>> cut = CutShortError("cut short")
    >>> cut.rest = b'[{"task_id": 1}, {"ta'
    >>> list(begun_list(cut, Place("rows.json.gz", print)))
    rows.json.gz, record 2: cut short
    [{'task_id': 1}]
    """
    if (found := _cut_list(cut.rest)) is None:
        raise cut
    return _items_then_cut(*found, str(cut), place)


def json_lines(blocks: Iterable[bytes], place: Place) -> Iterator[Any]:
    """The value of each line that is not blank; a line that is no JSON is told as a bad record.

    Of a lean place, a block of lines may give one `Batch`.

    >>> bad = []
    >>> list(json_lines([b'{"a": 1}\\n', b'{"a": '], Place("runs.jsonl", bad.append)))
    [{'a': 1}]
    >>> bad[0].record, bad[0].reason
    (2, 'the file ends in the middle of a record (perhaps it is still being written)')
    """
    number = place.number
    lean = lean_parser(place)
    try:
        for block in blocks:
            parse_line: Callable[[bytes], Any]
            if lean is not None and (lean.given_up or not place.lean):
                lean = None
            if lean is not None and is_utf8(block):
                if (batch := lean.block(block)) is not None:
                    place.number = number = number + len(batch)
                    yield batch
                    continue
                parse_line = lean.line
            else:
                parse_line = parse if has_long_int(block) else orjson.loads
            for line in block.removesuffix(b"\n").split(b"\n"):
                place.number = number = number + 1
                try:
                    value = parse_line(line)
                except ValueError:
                    if not line.strip():
                        continue
                    try:
                        value = _parse_exactly(line)
                    except ValueError as error:
                        ended = not block.endswith(b"\n") and _ends_early(error, line)
                        place.bad(CUT if ended else why_not(error), line)
                        continue
                yield value
    except CutShortError as cut:
        place.number += 1
        place.bad(str(cut), cut.rest)


def lean_parser(place: Place) -> LeanLines | None:
    """What parses the lines of a place that asks for rows without conversations."""
    if not place.lean:
        return None
    from whileai.simulations.rows.lean import LeanLines

    return LeanLines(place.own, parse)


def is_utf8(block: bytes) -> bool:
    """Whether a block of bytes is UTF-8, which a lean parser does not check of what it leaves out."""
    try:
        return block.isascii() or block.decode() is not None
    except UnicodeDecodeError:
        return False


def is_object(line: bytes) -> bool:
    """Whether a line is a JSON object.

    >>> is_object(b'{"a": 1}'), is_object(b"{"), is_object(b"1")
    (True, False, False)
    """
    try:
        return line.lstrip().startswith(b"{") and isinstance(parse(line), dict)
    except ValueError:
        return False


def _first_line(text: bytes) -> tuple[bytes, bytes]:
    line, _, rest = text.lstrip().partition(b"\n")
    return line, rest


def _all_of(first: bytes, blocks: Iterable[bytes]) -> bytes:
    parts, size = [first], len(first)
    try:
        for block in blocks:
            parts.append(block)
            size += len(block)
            check_size(size, "a JSON document (JSON lines have no such limit)")
    except CutShortError as cut:
        cut.rest = b"".join((*parts, cut.rest))
        raise
    return b"".join(parts)


def _document_or_lines(text: bytes, place: Place) -> Iterator[Any]:
    try:
        return _document(parse(text), place)
    except ValueError as error:
        if isinstance(error, json.JSONDecodeError) and error.msg == "Extra data":
            return _documents(text.decode("utf-8", "surrogatepass"), place)
        if (found := _cut_list(text)) is not None:
            return _items_then_cut(*found, CUT, place)
        if _looks_like_lines(text):
            return json_lines((text,), place)
        reason = CUT if _ends_early(error, text) else why_not(error)
        raise ReadError(reason) from None


def _document(value: Any, place: Place) -> Iterator[Any]:
    items = value if isinstance(value, list) and joined(value) is None else [value]
    for place.number, item in enumerate(items, 1):
        yield item


def _cut_list(text: bytes) -> tuple[list[Any], str] | None:
    """The whole records of a list that ends early, and the beginning of the next one; None for anything else."""
    try:
        begun = codecs.getincrementaldecoder("utf-8")("surrogatepass").decode(text).rstrip()
    except UnicodeDecodeError:
        return None
    items: list[Any] = []
    start = _after_space(begun, 0)
    while begun[start : start + 1] == ("," if items else "["):
        start = _after_space(begun, start + 1)
        try:
            item, start = _DECODER.raw_decode(begun, start)
        except (ValueError, RecursionError) as error:
            if not _is_cut(error):
                return None
            break
        items.append(item)
        start = _after_space(begun, start)
    else:
        if begun[start:]:
            return None
    is_list = items and isinstance(items[0], dict) and joined(items) is None
    return (items, begun[start:]) if is_list else None


def _is_cut(error: BaseException) -> bool:
    """Whether a text failed to parse at its end: in a string, or within a few characters (of a word, an escape)."""
    if not isinstance(error, json.JSONDecodeError):
        return False
    return error.msg.startswith("Unterminated string") or len(error.doc) - error.pos < len("-Infinity")


def _items_then_cut(items: list[Any], rest: str, reason: str, place: Place) -> Iterator[Any]:
    for place.number, item in enumerate(items, 1):
        yield item
    place.number += 1
    place.bad(reason, rest)


def _documents(text: str, place: Place) -> Iterator[Any]:
    """Documents written one after another, each over several lines (as jq prints them)."""
    start = 0
    while (start := _after_space(text, start)) < len(text):
        place.number += 1
        try:
            value, start = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            place.bad(why_not(error) if isinstance(error, ValueError) else TOO_DEEP, text[start:])
            return
        yield value


def _after_space(text: str, start: int) -> int:
    space = _SPACE.match(text, start)
    return space.end() if space else start


def _looks_like_lines(text: bytes) -> bool:
    lines = [line for line in text.split(b"\n", _TRIED_LINES)[:_TRIED_LINES] if line.strip()]
    return len(lines) > 1 and 2 * sum(map(is_object, lines)) >= len(lines)


def _ends_early(error: ValueError, text: bytes) -> bool:
    """Whether a text that failed to parse is the beginning of a JSON object or list."""
    text = text.strip()
    if text[:1] not in (b"{", b"["):
        return False
    at_end = isinstance(error, json.JSONDecodeError) and error.pos >= len(error.doc.rstrip())
    return at_end or not text.endswith((b"}", b"]"))
