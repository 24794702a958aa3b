"""What a result is made of: plain values to compare, and what is none."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Iterator
from typing import Any

_TIMES = ("seconds", "seconds_per_row", "ts", "created_at")
_PLAIN = (str, int, float, bool, type(None))


def values(result: Any) -> Any:
    """The values of any result, times left out."""
    if hasattr(result, "trajectories"):
        return values([result.trajectories, result.report()])
    if hasattr(result, "judge_name"):
        return values([list(result), result.warnings])
    if hasattr(result, "rows_read"):
        return values(list(result))
    if hasattr(result, "to_dict"):
        return values(result.to_dict())
    if dataclasses.is_dataclass(result):
        return {field.name: values(getattr(result, field.name)) for field in dataclasses.fields(result)}
    if isinstance(result, dict):
        return {key: values(held) for key, held in result.items() if key not in _TIMES}
    return [values(held) for held in result] if isinstance(result, list | tuple) else result


def text(result: Any) -> str:
    """The values as one text, the same for equal results."""
    return json.dumps(values(result), sort_keys=True, default=_address_free)


def unordered(result: Any) -> str:
    """The same, lists sorted: equal for results that differ in the order of lists only."""
    return json.dumps(_sorted(values(result)), sort_keys=True, default=_address_free)


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(held) for key, held in value.items()}
    return sorted((_sorted(held) for held in value), key=text) if isinstance(value, list) else value


def odd_parts(value: Any, path: str = "$") -> Iterator[str]:
    """Where a value is none that JSON takes as it is: a NumPy scalar, NaN, a key that is no text."""
    if isinstance(value, dict):
        for key, held in value.items():
            if type(key) is not str:
                yield f"{path}: the key {key!r}"
            yield from odd_parts(held, f"{path}.{key}")
    elif isinstance(value, list | tuple):
        for at, held in enumerate(value):
            yield from odd_parts(held, f"{path}[{at}]")
    elif type(value) not in _PLAIN or (isinstance(value, float) and not math.isfinite(value)):
        yield f"{path}: {value!r}, a {type(value).__name__}"
    elif isinstance(value, float) and str(value) == "-0.0":
        yield f"{path}: minus zero"


def _address_free(value: Any) -> str:
    return re.sub(" at 0x[0-9a-f]+", "", repr(value))
