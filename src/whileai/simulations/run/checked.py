"""Whether the arguments of a call are what its schema asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.values import is_bool
from whileai.simulations.run.schema import Declared

_KINDS: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list, tuple),
    "object": (dict,),
}


def refused(tool: Declared, arguments: Mapping[str, Any]) -> dict[str, Any] | None:
    """The answer to a call with arguments that are missing or of the wrong kind, None when they will do."""
    missing = [name for name in tool.required if arguments.get(name) in (None, "")]
    if missing:
        return {"status": "rejected", "reason": "missing_required", "missing": missing}
    invalid = {name: why for name, value in arguments.items() if (why := _wrong(tool.properties.get(name, {}), value))}
    return {"status": "rejected", "reason": "invalid", "invalid": invalid} if invalid else None


def _wrong(schema: Mapping[str, Any], value: Any) -> str:
    choices, kind = schema.get("enum"), schema.get("type")
    if isinstance(choices, list) and value is not None and value not in choices:
        return f"must be one of {', '.join(map(str, choices))}"
    if isinstance(kind, str) and kind in _KINDS and value is not None:
        fits = isinstance(value, _KINDS[kind]) and (kind == "boolean" or not is_bool(value))
        whole = kind == "integer" and isinstance(value, float) and value.is_integer()
        if not fits and not whole:
            return f"must be of type {kind}"
    return ""
