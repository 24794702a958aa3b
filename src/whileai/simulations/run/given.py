"""The arguments of `simulate` that have no number to check, refused before anything is played."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from whileai.simulations.rows.write import check_name
from whileai.simulations.run.knobs import Knobs

_STRATEGIES = (None, "coverage")
_CALLABLES = ("on_progress", "execute", "until")


def check(given: Mapping[str, Any], knobs: Knobs) -> None:
    """The arguments that have no number to check."""
    if given["checkpoint"] is not None and knobs.runs is not None and knobs.runs > 1:
        raise ValueError(
            f"runs={knobs.runs} and checkpoint exclude each other: call once for each run, each with a file of its own"
        )
    if given["strategy"] not in _STRATEGIES:
        raise ValueError(
            f'strategy must be "coverage" (every pair of values as early as possible), got {given["strategy"]!r}'
        )
    if given["scaffold"] is not None and not isinstance(given["scaffold"], str):
        raise ValueError(f"scaffold must be the name of what runs the agent, got {type(given['scaffold']).__name__}")
    for name in _CALLABLES:
        if given[name] is not None and not callable(given[name]):
            raise ValueError(f"{name} must be a callable, got {type(given[name]).__name__}")
    for name in ("output", "checkpoint"):
        if given[name] is not None:
            _check_file(name, given[name])
    if given["output"] is not None:
        check_name(given["output"])
    if callable(given["agent"]) and not callable(getattr(given["agent"], "complete", None)):
        for name in ("logprobs", "sampling"):
            if given[name]:
                raise ValueError(
                    f"{name}= is for an agent that is a model; a callable asks its own model: leave {name}= out, and "
                    "let it return what it knows beside its final_text"
                )


def _check_file(name: str, path: Any) -> None:
    """Refuse a file that cannot be made before anything is played for it."""
    if not isinstance(path, str | os.PathLike):
        raise ValueError(f"{name} must be the path of a file, got {type(path).__name__}")
    folder = Path(path).parent
    if not folder.is_dir():
        raise FileNotFoundError(f"{name}={os.fspath(path)!r}: there is no folder {os.fspath(folder)!r}; make it first")
    if Path(path).is_dir():
        raise IsADirectoryError(f"{name}={os.fspath(path)!r} is a folder: give the name of a file in it")
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise type(error)(
            error.errno, f"{name}= cannot be written, since no file can be made there ({error.strerror})", str(folder)
        ) from None
