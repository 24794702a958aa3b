"""Whether the arguments of a call are what its schema asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whileai.simulations.rows.values import is_bool, is_mapping
from whileai.simulations.run.schema import Declared

_KINDS: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list, tuple),
    "object": (dict,),
    "null": (type(None),),
}
_DEEPEST = 12  # values inside values that are looked at; convention


def refused(tool: Declared, arguments: Mapping[str, Any]) -> dict[str, Any] | None:
    """The answer to a call with arguments that are missing or of the wrong kind, None when they will do.

    What is wrong inside an argument is told by its path: `to.street`, `items[1]`.
    """
    missing = [name for name in tool.required if arguments.get(name) in (None, "")]
    if missing:
        return {"status": "rejected", "reason": "missing_required", "missing": missing}
    invalid: dict[str, str] = {}
    for name, value in arguments.items():
        if name in tool.properties and value is not None:
            invalid.update(_wrong(name, tool.properties[name], value, 0))
        elif name not in tool.properties and tool.closed:
            invalid[name] = "is no parameter of this tool"
    return {"status": "rejected", "reason": "invalid", "invalid": invalid} if invalid else None


def _wrong(path: str, schema: Mapping[str, Any], value: Any, depth: int) -> Iterator[tuple[str, str]]:
    """What is wrong with a value, by path."""
    choices = schema.get("enum")
    if isinstance(choices, list) and value not in choices:
        yield path, f"must be one of {', '.join(map(str, choices))}"
        return
    if "const" in schema and value != schema["const"]:
        yield path, f"must be {schema['const']}"
        return
    if not _fits(schema.get("type"), value):
        kinds = schema["type"] if isinstance(schema["type"], list | tuple) else [schema["type"]]
        yield path, f"must be of type {' or '.join(map(str, kinds))}"
        return
    if depth >= _DEEPEST:
        return
    for part in _listed(schema.get("allOf")):
        yield from _wrong(path, part, value, depth + 1)
    for key in ("anyOf", "oneOf"):
        branches = _listed(schema.get(key))
        found = [list(_wrong(path, branch, value, depth + 1)) for branch in branches]
        if found and all(found):
            yield min(found, key=len)[0] if len(found) == 1 else (path, _none_of(branches, found))
    if is_mapping(value):
        yield from _wrong_inside(path, schema, value, depth)
    elif isinstance(value, list | tuple) and is_mapping(items := schema.get("items")):
        for place, one in enumerate(value):
            yield from _wrong(f"{path}[{place}]", items, one, depth + 1)


def _wrong_inside(
    path: str, schema: Mapping[str, Any], value: Mapping[str, Any], depth: int
) -> Iterator[tuple[str, str]]:
    properties = schema.get("properties")
    properties = properties if is_mapping(properties) else {}
    required = schema.get("required")
    for name in required if isinstance(required, list | tuple) else ():
        if name not in value:
            yield f"{path}.{name}", "is missing"
    for name, one in value.items():
        further = schema.get("additionalProperties")
        inner = properties.get(name, further if is_mapping(further) else {})
        if name not in properties and further is False:
            yield f"{path}.{name}", "is no field of it"
        elif is_mapping(inner):
            yield from _wrong(f"{path}.{name}", inner, one, depth + 1)


def _none_of(branches: list[Mapping[str, Any]], found: list[list[tuple[str, str]]]) -> str:
    """What would fit: the kinds of all branches, else what the nearest of them says."""
    said = [wrong[0][1].removeprefix("must be ") for wrong in found if wrong[0][1].startswith("must be ")]
    return f"must be {' or '.join(dict.fromkeys(said))}" if len(said) == len(branches) else found[0][0][1]


def _fits(kind: Any, value: Any) -> bool:
    """Whether a value is of a JSON type, or of one of several; an unknown one fits."""
    if isinstance(kind, list | tuple):
        return any(_fits(one, value) for one in kind)
    if not isinstance(kind, str) or kind not in _KINDS:
        return True
    fits = isinstance(value, _KINDS[kind]) and (kind == "boolean" or not is_bool(value))
    return fits or (kind == "integer" and isinstance(value, float) and value.is_integer())


def _listed(branches: Any) -> list[Mapping[str, Any]]:
    return [one for one in branches if is_mapping(one)] if isinstance(branches, list | tuple) else []
