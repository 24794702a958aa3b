"""Files that a command writes: never one of those it reads."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator

from whileai.simulations.reports import counted, printable


def refuse_inputs(output: str, inputs: Iterable[str]) -> None:
    """A `ValueError` when the output is a file that is read: named so, by a link, by a glob or within a folder.

    >>> refuse_inputs("rows.jsonl", ["./rows.jsonl"])
    Traceback (most recent call last):
    ValueError: rows.jsonl is a file that is read and would be written over: name another output
    """
    for given in inputs:
        if given != "-" and any(_same(output, path) for path in _files(given)):
            raise ValueError(f"{output} is a file that is read and would be written over: name another output")


def wrote_line(n: int, path: str) -> str:
    """That rows were written, and where.

    >>> wrote_line(2, "clean.jsonl")
    'wrote 2 rows to clean.jsonl'
    """
    return f"wrote {counted(n, 'row')} to {printable(path)}"


def _files(given: str) -> Iterator[str]:
    yield given
    if glob.has_magic(given) and not os.path.exists(given):
        yield from glob.iglob(given, recursive=True)
    elif os.path.isdir(given):
        for folder, _, names in os.walk(given):
            yield from (os.path.join(folder, name) for name in names)


def _same(one: str, other: str) -> bool:
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False
