"""Tables of text, comma, tab or semicolon separated, read as records: their cells are text, or JSON where rows nest."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count, islice
from typing import Any

from whileai.simulations import defaults
from whileai.simulations.errors import ReadError
from whileai.simulations.rows.arrowtypes import check_names
from whileai.simulations.rows.formats import OWN_KEYS, column_names
from whileai.simulations.rows.formats.identity import TASK_FIELDS
from whileai.simulations.rows.jsontext import parse
from whileai.simulations.rows.records import Place
from whileai.simulations.rows.stream import CutShortError
from whileai.simulations.rows.values import number

_CHAT_OR_TEXT = {"prompt", "completion", "chosen", "rejected"}
NESTED = _CHAT_OR_TEXT | {
    "messages", "steps", "markers", "conversations", "conversation", "tools", "tool_calls", "token_logprobs",
    "judge_meta", "metadata", "info", "lineage", "usage", "sampling", "metrics", "privileged", "faults", "gold_labels",
}  # fmt: skip
NUMBERS = frozenset({"reward", "rollout_index", "gold_reward", "logprob", "n_tokens"})

_TELLING = frozenset({*OWN_KEYS, *TASK_FIELDS, *_CHAT_OR_TEXT, "rollout_index", "question", "score"})
_HEADER_CHARS = 60_000
_NOT_UTF8 = re.compile("[\udc80-\udcff]")
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
_LINE_END = re.compile(rb"\r\n?|\n")
_UNCLOSED = "unexpected end of data"  # what csv says where a file ends inside a quote


def first_lines(text: bytes, most: int) -> list[bytes]:
    r"""The first lines of a text, those that are blank left out; a lone carriage return ends a line too.

    >>> first_lines(b"a\rb\r\n\nc", 4)
    [b'a', b'b', b'c']
    """
    return [line for line in _LINE_END.split(text, most)[:most] if line.strip()]


def separator(lines: Sequence[bytes], *, named: bool = False) -> str | None:
    """What separates the names of the header, the first of some lines; None when they are no table with a header.

    Prose and code have commas too, so unless the file is `named` as a table, the header must have a name that only
    rows have, or any that a format looks for and the other lines as many cells.

    >>> separator([b"task_id,reward,final_text"]), separator([b"import time, json"])
    (',', None)
    >>> separator([b",task_id,reward"])
    ','
    """
    text = lines[0].decode("utf-8", "surrogateescape").strip("\r\n")
    found = max(",\t;", key=text.count)
    if not text or len(text) > _HEADER_CHARS:
        return None
    names = _column_names(_cells(text, found))
    if not all(re.fullmatch(r"[^\W\d][\w .:/-]{0,99}", name) for name in names):
        return None
    if len(names) == 1:
        return found if names[0] in OWN_KEYS else None
    known = named or not _TELLING.isdisjoint(names) or (not column_names().isdisjoint(names) and is_table(lines))
    return found if known else None


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter))
    except csv.Error:
        return [line]


def _column_names(cells: list[str]) -> list[str]:
    """The names of a header; columns at its beginning without one, as pandas writes its index, are `index`, `index_1`.

    >>> _column_names(["", "", "task_id", "index"])
    ['index_1', 'index_2', 'task_id', 'index']
    """
    names = [cell.strip() for cell in cells]
    unnamed = next((at for at, name in enumerate(names) if name), len(names))
    candidates = chain(("index",), (f"index_{number}" for number in count(1)))
    free = (name for name in candidates if name not in names)
    return [*islice(free, unnamed), *names[unnamed:]]


def is_table(lines: Iterable[bytes]) -> bool:
    r"""Whether lines of text look like a table, with or without a header: several cells, as many in each line.

    >>> is_table([b"a,1,Hello", b"b,0,Hi"]), is_table([b"Dear reader,", b"hello"]), is_table([b"one line, no more"])
    (True, False, False)
    """
    texts = [text for line in lines if (text := line.decode("utf-8", "replace").strip("\r\n"))]
    return len(texts) > 1 and any(_is_even(texts, delimiter) for delimiter in ",\t;")


def _is_even(texts: list[str], delimiter: str) -> bool:
    try:
        widths = {len(cells) for cells in csv.reader(texts, delimiter=delimiter)}
    except csv.Error:
        return False
    return len(widths) == 1 and widths != {1}


def csv_values(blocks: Iterable[bytes], place: Place, delimiter: str) -> Iterator[dict[str, Any]]:
    r"""One record a line after the header; an empty cell is None.

    >>> list(csv_values([b'task_id,reward,steps\n', b'a,0.5,"[{""tool"": ""get""}]"\n'], Place("r.csv", print), ","))
    [{'task_id': 'a', 'reward': 0.5, 'steps': [{'tool': 'get'}]}]
    """
    csv.field_size_limit(max(csv.field_size_limit(), min(defaults.MAX_RECORD_BYTES, 2**31 - 1)))
    table = csv.reader(_lines(blocks, place), delimiter=delimiter, strict=True)
    names = _header(table)
    while True:
        line = table.line_num
        try:
            cells = next(table)
        except StopIteration:
            return
        except csv.Error as error:
            place.number += 1
            place.bad(_reason(error, place.number, table.line_num - line))
            continue
        if not cells:
            continue
        place.number += 1
        if reason := _fault(cells, names):
            place.bad(reason, delimiter.join(cells))
            continue
        yield {name: _value(name, cell) for name, cell in zip(names, cells, strict=True)}


def _header(table: Iterator[list[str]]) -> list[str]:
    try:
        names = _column_names(next(cells for cells in table if any(map(str.strip, cells))))
    except csv.Error as error:
        raise ReadError(f"no CSV: the header line: {error}") from None
    check_names(names)
    return names


def _reason(error: csv.Error, number: int, lines: int) -> str:
    if str(error) == _UNCLOSED:
        rest = f"the rest of the file from record {number} on, {lines} lines, is inside it and was not read"
        return f"no CSV: a quote is never closed; {rest}"
    return f"no CSV: {error}" + (f", in a quote that spans {lines} lines" if lines > 1 else "")


def _lines(blocks: Iterable[bytes], place: Place) -> Iterator[str]:
    """The lines with their ends, which belong to the text inside a quote; a lone carriage return is one."""
    try:
        for block in blocks:
            text = block.decode("utf-8", "surrogateescape")
            yield from _LINE.findall(text)
    except CutShortError as cut:
        place.number += 1
        place.bad(str(cut), cut.rest)


def _fault(cells: list[str], names: list[str]) -> str | None:
    if len(cells) != len(names):
        return f"{len(cells)} cells, the header names {len(names)} columns"
    if any(not cell.isascii() and _NOT_UTF8.search(cell) for cell in cells):
        return "not UTF-8: save the table as UTF-8"
    return None


def _value(name: str, cell: str) -> Any:
    if not cell:
        return None
    if name in NUMBERS:
        read = number(cell)
        return cell if read is None else read
    return _nested(name, cell) if name in NESTED else cell


def _nested(name: str, cell: str) -> Any:
    if cell.lstrip()[:1] not in ("{", "["):
        return cell
    try:
        value = parse(cell.encode("utf-8", "surrogatepass"))
    except ValueError:
        return cell
    if name in _CHAT_OR_TEXT:
        is_chat = isinstance(value, list) and value and all(isinstance(v, dict) and "role" in v for v in value)
        return value if is_chat else cell
    return value
