"""The asks of a test suite: from a list of texts and rows, or from a file of either."""

from __future__ import annotations

import ast
import json
import warnings
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from whileai.simulations.errors import ReadError
from whileai.simulations.reports import bad_records_text, printable
from whileai.simulations.rows.text import ask_text
from whileai.simulations.rows.values import as_text, is_mapping

LITERAL_FLOOR = 15  # characters a text in a .py file must exceed to be an ask; convention
_LIST_KEYS = ("asks", "prompts")
_IN_A_FILE = 'prompts (JSON texts) or rows with a prompt, one a line or in a list, or {"asks": [...]}'
_ACCEPTED = "a list of prompts or of rows with a prompt, or a path to a .py, .jsonl or .json file"


class Asks(NamedTuple):
    """The texts of a suite, in order, and what a reader should know of how they were read."""

    texts: list[str]
    notes: list[str]


def read_asks(asks: Any) -> Asks:
    """The asks as texts, in order; blank ones and rows without a prompt are left out, None is no ask.

    Raises `ValueError` for a text that is no path to such a file and for a file without asks, `FileNotFoundError` for
    a missing one.

    >>> read_asks(["Where is order 4473?", " ", {"prompt": "Cancel it"}, None]).texts
    ['Where is order 4473?', 'Cancel it']
    """
    notes: list[str] = []
    if asks is None:
        return Asks([], notes)
    if isinstance(asks, str | PathLike):
        asks = _of_file(Path(asks), notes)
    elif isinstance(asks, bytes | Mapping) or not isinstance(asks, Iterable):
        raise TypeError(f"asks takes {_ACCEPTED}, got {type(asks).__name__}")
    texts = (ask_text(ask) if is_mapping(ask) else as_text(ask) for ask in asks)
    return Asks([text for text in texts if text.strip()], notes)


def _of_file(path: Path, notes: list[str]) -> Iterable[Any]:
    kind = path.suffix.lower()
    if kind not in (".py", ".jsonl", ".json"):
        raise ValueError(f"asks takes {_ACCEPTED}; {str(path)!r} is none of them")
    if kind == ".py":
        return _literals(path, notes)
    if kind == ".json" and (texts := _listed(path.read_bytes())) is not None:
        return texts
    if kind == ".jsonl" and _opens_with_a_text(path):
        return _lines(path, notes)
    try:
        rows = _rows(path, "row", notes)
        if any(map(ask_text, rows)):
            return rows  # asks as they stand, else some tool's own format
        notes.clear()
        return _rows(path, None, notes)
    except ReadError as error:
        why = printable(str(error).removeprefix(f"{path.name}, "), 120)
        raise ValueError(f"{path} holds no asks ({why}); wanted {_IN_A_FILE}") from None


def _listed(document: bytes) -> list[Any] | None:
    """The items of a JSON list that holds a text, also where it stands under a key such as `asks`."""
    try:
        held = json.loads(document)
    except (ValueError, RecursionError):
        return None
    if isinstance(held, dict) and len(held) == 1:
        held = next((held[key] for key in _LIST_KEYS if key in held), None)
        return held if isinstance(held, list) else None
    texts_and_rows = isinstance(held, list) and all(isinstance(item, str | dict) for item in held)
    return held if texts_and_rows and (not held or any(isinstance(item, str) for item in held)) else None


def _opens_with_a_text(path: Path) -> bool:
    with path.open("rb") as file:
        return next((line for line in file if line.strip()), b"").removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b'"'


def _lines(path: Path, notes: list[str]) -> list[Any]:
    """The text or row on each line."""
    found, bad = [], []
    for number, line in enumerate(path.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        try:
            item = json.loads(line) if line.strip() else ""
            if isinstance(item, str | dict):
                found.append(item)
            else:
                bad.append({"record": number, "reason": "neither a text nor a row"})
        except (ValueError, RecursionError) as error:
            bad.append({"record": number, "reason": f"no JSON: {error}"})
    _tell_bad(path, len(bad), bad[0] if bad else None, notes)
    return found


def _rows(path: Path, of_format: str | None, notes: list[str]) -> list[dict[str, Any]]:
    from whileai.simulations.rows.load import load_rows

    reader = load_rows(path, format=of_format)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # bad records are told in the notes
        rows = list(reader)
    first = {"record": reader.bad[0].record, "reason": reader.bad[0].reason} if reader.bad else None
    _tell_bad(path, reader.n_bad, first, notes)
    return rows


def _tell_bad(path: Path, n: int, first: Mapping[str, Any] | None, notes: list[str]) -> None:
    if n:
        notes.append(bad_records_text({"source": path, "bad": n, "first_bad": first}))


def _literals(path: Path, notes: list[str]) -> Iterable[str]:
    """The texts passed to a call or held in a list, tuple or set of some Python source, each once, in order."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a strange escape in somebody's test is none of ours
        try:
            tree = ast.parse(path.read_bytes(), path.name)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            notes.append(f"{path} does not parse as Python, so no ask was read: {error or type(error).__name__}")
            return []
    found = sorted((node.lineno, node.col_offset, node.value) for node in _held(tree) if isinstance(node.value, str))
    return dict.fromkeys(text for _, _, text in found if len(text) > LITERAL_FLOOR and " " in text)


def _held(tree: ast.AST) -> Iterator[ast.Constant]:
    for node in ast.walk(tree):
        inside: list[ast.expr] = []
        if isinstance(node, ast.Call):
            inside = [*node.args, *(keyword.value for keyword in node.keywords)]
        elif isinstance(node, ast.List | ast.Tuple | ast.Set):
            inside = node.elts
        yield from (each for each in inside if isinstance(each, ast.Constant))
