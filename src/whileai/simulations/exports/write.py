"""Lines into a file, whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

from whileai.simulations.rows.rowjson import row_json
from whileai.simulations.rows.write import write_json_lines

_PYTHONS_OWN = (b"NaN", b"Infinity", b"\\ud")  # of what JSON has no form for


def checked_output(output: Any) -> None:
    """Refuse a file that trainers would not read as it is written: in Parquet, calls and schemas have no one type.

    >>> checked_output("train.parquet")
    Traceback (most recent call last):
    ValueError: output 'train.parquet': training files are JSON lines; name a .jsonl (or .jsonl.gz, .jsonl.zst)
    """
    if output is not None and os.fspath(output).lower().endswith(".parquet"):
        raise ValueError(
            f"output {os.fspath(output)!r}: training files are JSON lines; name a .jsonl (or .jsonl.gz, .jsonl.zst)"
        )


def write_lines(lines: Iterable[Mapping[str, Any]], output: str | os.PathLike[str] | None) -> int:
    """Write lines and return how many; without an output they are made, so that they are checked, and not kept.

    >>> write_lines(iter([{}]), None)
    0
    """
    if output is not None:
        return write_json_lines(map(_encoded, enumerate(lines, 1)), output)
    for _ in lines:
        pass
    return 0


def _encoded(numbered: tuple[int, Mapping[str, Any]]) -> bytes:
    """A line as JSON that every reader takes: NaN is null, and half a surrogate pair the replacement character."""
    number, line = numbered
    text = row_json(line, number)
    if not any(mark in text for mark in _PYTHONS_OWN):
        return text
    value = json.loads(text, parse_constant=lambda _: None)
    return json.dumps(value, ensure_ascii=False).encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
