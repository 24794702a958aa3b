"""Where the columns of a row go: carried by name, an axis, read by a field, or kept for `to_row`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.values import as_text
from whileai.simulations.schema.copies import PLAIN, outer_copy
from whileai.simulations.schema.types import AXES, CARRIED_COLUMNS, VERDICT_COLUMNS

Row = Mapping[str, Any]

_AXES = frozenset(AXES)
_CARRIED = frozenset(CARRIED_COLUMNS)
_READ = frozenset({
    "schema_version", "prompt", "steps", "final_text", "scenario_id", "spec_id", "seed", "world_state", "faults",
    "rollout_index", "model_version", "policy_version", "markers", "calibration", *VERDICT_COLUMNS,
})  # fmt: skip


def sorted_columns(row: Row) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """The axes, the columns carried by name, and the columns that no field reads."""
    axes: dict[str, Any] = {}
    carried: dict[str, Any] = {}
    rest: dict[str, Any] = {}
    for key, value in row.items():
        if key in _READ:
            continue
        if type(value) not in PLAIN:
            value = outer_copy(value)
        if key in _CARRIED:
            if value is not None:
                carried[key] = value
        elif key in _AXES:
            if value is not None:
                axes[key] = value
        else:
            rest[key] = value
    return axes, carried, rest


def text_column(row: Row, key: str, rest: dict[str, Any]) -> str | None:
    """A text column; of a value that is no text the original is kept beside its text form."""
    value = row.get(key)
    if value is None or type(value) is str:
        return value
    rest[key] = outer_copy(value)
    return as_text(value)


def optional_text(value: Any) -> str | None:
    """The value as text, None when there is none."""
    return None if value is None else as_text(value)
