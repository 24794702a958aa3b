"""The asks of a test suite: from a list of texts and rows, or from a file of either."""

from __future__ import annotations

import ast
import json
import warnings
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from whileai.simulations.rows.load import load_rows
from whileai.simulations.rows.text import ask_text
from whileai.simulations.rows.values import as_text, is_mapping

LITERAL_FLOOR = 15  # characters a text in a .py file must exceed to be an ask; convention
_ACCEPTED = "a list of prompts or of rows with a prompt, or a path to a .py, .jsonl or .json file"


def read_asks(asks: Any) -> list[str]:
    """The asks as texts, in order; blank ones and rows without a prompt are left out, None is no ask.

    Raises `ValueError` for a text that is no path to such a file, `FileNotFoundError` for a missing one.

    >>> read_asks(["Where is order 4473?", " ", {"prompt": "Cancel it"}, None])
    ['Where is order 4473?', 'Cancel it']
    """
    if asks is None:
        return []
    if isinstance(asks, str | PathLike):
        asks = _of_file(Path(asks))
    elif isinstance(asks, bytes | Mapping) or not isinstance(asks, Iterable):
        raise TypeError(f"asks takes {_ACCEPTED}, got {type(asks).__name__}")
    texts = (ask_text(ask) if is_mapping(ask) else as_text(ask) for ask in asks)
    return [text for text in texts if text.strip()]


def _of_file(path: Path) -> Iterable[Any]:
    kind = path.suffix.lower()
    if kind not in (".py", ".jsonl", ".json"):
        raise ValueError(f"asks takes {_ACCEPTED}; {str(path)!r} is none of them")
    if kind == ".py":
        return _literals(path.read_bytes())
    if kind == ".json" and (texts := _texts(path.read_bytes())) is not None:
        return texts
    rows = list(load_rows(path, format="row"))
    return rows if any(map(ask_text, rows)) else load_rows(path)  # asks as they stand, else some tool's own format


def _texts(document: bytes) -> list[str] | None:
    """The texts of a JSON list that holds nothing else."""
    try:
        held = json.loads(document)
    except (ValueError, RecursionError):
        return None
    return held if isinstance(held, list) and all(isinstance(item, str) for item in held) else None


def _literals(source: bytes) -> Iterable[str]:
    """The texts passed to a call or held in a list, tuple or set of some Python source, each once, in order."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a strange escape in somebody's test is none of ours
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
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
