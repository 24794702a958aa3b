"""One row where one row is meant: lists of rows, paths and the like are refused by name."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any


def need_row(function: str, row: Any) -> None:
    """A `TypeError` that names the function when it was not given a dict.

    >>> need_row("score_row", [{"reward": 1}])
    Traceback (most recent call last):
    TypeError: score_row takes one row, a dict, got list: call it on each row of it
    """
    if not isinstance(row, Mapping):
        raise TypeError(f"{function} takes one row, a dict, got {_shown(row)}")


def refuse_rows(function: str, row: Any) -> None:
    """A `TypeError` for what holds rows or names a file of them; other values that are no row pass.

    >>> refuse_rows("trace_flags", None)
    """
    if isinstance(row, list | tuple | str | bytes | PathLike) or hasattr(row, "columns"):
        need_row(function, row)


def _shown(row: Any) -> str:
    if row is None:
        return "None"
    hint = ""
    if isinstance(row, str | bytes | PathLike):
        hint = ": load_rows(path) reads a file"
    elif hasattr(row, "__iter__"):
        hint = ": call it on each row of it"
    return f"{type(row).__name__}{hint}"
