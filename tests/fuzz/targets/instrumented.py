"""The package with its branches counted, all of it loaded, and how a target is run on it."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable
from typing import Any

import atheris

with atheris.instrument_imports(include=["whileai"]):
    from fuzz import claims, values

    claims.of_bytes(b'{"task_id": "a", "reward": 1}')
    values.sample_records()

__all__ = ["chooser", "claims", "holds", "run", "values"]


def chooser(data: Any) -> values.Choose:
    """Choices that fuzzed bytes make."""
    return lambda n: int(data.ConsumeIntInRange(0, n - 1))


def holds(claim: Callable[..., None], *given: Any) -> None:
    """Ask a claim of a value; the value it does not hold of is printed, to be kept as a case."""
    shown = [value.decode("latin-1") if isinstance(value, bytes) else value for value in given]
    text = json.dumps(shown, default=repr)
    try:
        claim(*given)
    except BaseException:
        traceback.print_exc()
        print("FOUND", claim.__name__, text, file=sys.stderr, flush=True)
        raise


def run(one: Callable[[bytes], None]) -> None:
    """Fuzz one target; the arguments of the command are libFuzzer's."""
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
