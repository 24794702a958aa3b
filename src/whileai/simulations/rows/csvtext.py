"""Tables of text, comma, tab or semicolon separated, read as records: their cells are text, or JSON where rows nest."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from itertools import chain, count, islice
from typing import Any

from whileai.simulations import defaults
from whileai.simulations.rows.formats import OWN_KEYS
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

_HEADER_CHARS = 60_000
_NOT_UTF8 = re.compile("[\udc80-\udcff]")


def separator(line: bytes) -> str | None:
    """What separates the names of a header line; None when the line is no header.

    >>> separator(b"task_id,reward,final_text"), separator(b"Dear reader, hello, and, hello")
    (',', None)
    >>> separator(b",task_id,reward")
    ','
    """
    text = line.decode("utf-8", "surrogateescape").strip("\r\n")
    found = max(",\t;", key=text.count)
    if not text or len(text) > _HEADER_CHARS:
        return None
    names = _column_names(next(csv.reader([text], delimiter=found)))
    plain = all(re.fullmatch(r"[^\W\d][\w .:/-]{0,99}", name) for name in names)
    known = len(names) > 1 or names[0] in OWN_KEYS
    return found if plain and known and len(set(names)) == len(names) else None


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
    table = csv.reader(_lines(blocks, place), delimiter=delimiter)
    names = _column_names(next(cells for cells in table if any(map(str.strip, cells))))
    while True:
        try:
            cells = next(table)
        except StopIteration:
            return
        except csv.Error as error:
            place.number += 1
            place.bad(f"no CSV: {error}")
            continue
        if not cells:
            continue
        place.number += 1
        if reason := _fault(cells, names):
            place.bad(reason, delimiter.join(cells))
            continue
        yield {name: _value(name, cell) for name, cell in zip(names, cells, strict=True)}


def _lines(blocks: Iterable[bytes], place: Place) -> Iterator[str]:
    try:
        for block in blocks:
            for line in block.removesuffix(b"\n").split(b"\n"):
                yield line.decode("utf-8", "surrogateescape") + "\n"
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
