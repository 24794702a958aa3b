"""A typed function as a tool: its schema from its signature and its docstring."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import re
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from whileai.simulations.rows.values import is_mapping
from whileai.simulations.score.dimensions.tools import read_tools

_Function = TypeVar("_Function", bound=Callable[..., Any])
_SIMPLE: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    dict: {"type": "object"},
    list: {"type": "array"},
    tuple: {"type": "array"},
    set: {"type": "array"},
    frozenset: {"type": "array"},
    type(None): {"type": "null"},
}
_LISTS = (list, tuple, set, frozenset)
_PARAMETER_KEYS = ("parameters", "input_schema", "inputSchema")
_NO_PARAMETERS: dict[str, Any] = {"type": "object", "properties": {}}
_DEEPEST = 6  # types inside types that are read; what lies deeper is an object
_SECTION = re.compile(r"(?:Args|Arguments|Parameters|Params):\s*$", re.IGNORECASE)
_DESCRIBED = re.compile(r"(?::param (?:[\w.\[\]]+ )?)?\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s+(\S.*)")


def tool(function: _Function) -> _Function:
    """The function itself, now with `schema`: the OpenAI function schema its signature and docstring declare.

    It stays callable as it was, and goes wherever a tool schema goes: `simulate(tools=[get_order])`. A parameter
    without a default is required; `Literal` and `Enum` give an `enum`, a dataclass or a `TypedDict` an object. The
    first paragraph of the docstring describes the tool, an "Args:" section its parameters. Raises `TypeError` for
    anything that is no function with a name, and for a type no schema can say.

    >>> @tool
    ... def get_order(order_id: str, full: bool = False) -> dict:
    ...     '''One order with its status.'''
    ...     return {"order_id": order_id, "status": "paid"}
    >>> get_order("5257")["status"], get_order.schema["function"]["parameters"]["required"]
    ('paid', ['order_id'])
    """
    if not callable(function) or isinstance(function, type) or not isinstance(getattr(function, "__name__", None), str):
        raise TypeError(
            f"tool takes a function with a name, got {type(function).__name__}; use it as @tool above a def"
        )
    function.schema = _enveloped(_of_function(function))  # type: ignore[attr-defined]
    return function


def schema_of(declared: Any) -> dict[str, Any]:
    """A tool in its normal form `{"name", "description", "parameters"}`, and `returns` when that is declared.

    `declared` is a schema in one of its three shapes (bare, OpenAI's envelope, Anthropic's `input_schema`) or a
    function. Raises `TypeError` for anything else.

    >>> schema_of({"type": "function", "function": {"name": "ping"}})
    {'name': 'ping', 'description': '', 'parameters': {'type': 'object', 'properties': {}}}
    """
    read = read_tools([declared])[0]  # refuses what is no tool
    if not is_mapping(declared):
        stamped = getattr(declared, "schema", None)
        if not is_mapping(stamped):
            return _of_function(declared)
        declared = stamped
    inner = declared.get("function")
    body: Mapping[Any, Any] = inner if is_mapping(inner) else declared
    parameters = next((body[key] for key in _PARAMETER_KEYS if is_mapping(body.get(key))), _NO_PARAMETERS)
    normal = {
        "name": read.name or str(body.get("name") or "").strip(),
        "description": read.description or str(body.get("description") or "").strip(),
        "parameters": dict(parameters),
    }
    returns = body.get("returns") or declared.get("returns")
    return {**normal, "returns": returns} if returns else normal


def tool_schemas(tools: Iterable[Any] | None) -> list[dict[str, Any]]:
    """The tools in OpenAI's envelope, `{"type": "function", "function": {...}}`, as an endpoint takes them.

    What a tool says it `returns` is for the world and not for the endpoint, so it is left out; so is a schema
    without a name.

    >>> tool_schemas([{"name": "ping"}])[0]["function"]["name"]
    'ping'
    """
    read_tools(tools)  # refuses what is no sequence of tools
    normal = (schema_of(declared) for declared in tools or ())
    return [_enveloped(schema) for schema in normal if schema["name"]]


def _enveloped(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "function", "function": {key: schema[key] for key in ("name", "description", "parameters")}}


def _of_function(function: Any) -> dict[str, Any]:
    text = inspect.getdoc(function) or ""
    described = _described(text)
    properties: dict[str, Any] = {}
    required = []
    for parameter in _parameters(function):
        schema = _schema(_hints(function).get(parameter.name, Any), 0)
        if parameter.name in described:
            schema["description"] = described[parameter.name]
        if parameter.default is parameter.empty:
            required.append(parameter.name)
        elif isinstance(parameter.default, str | int | float | bool):
            default = parameter.default
            schema["default"] = default.value if isinstance(default, enum.Enum) else default
        properties[parameter.name] = schema
    parameters = {"type": "object", "properties": properties, **({"required": required} if required else {})}
    description = " ".join(text.strip().partition("\n\n")[0].split())
    return {"name": function.__name__.strip(), "description": description, "parameters": parameters}


def _parameters(function: Any) -> list[inspect.Parameter]:
    try:
        every = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # some functions written in C tell nothing
        return []
    return [one for one in every if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]


def _hints(function: Any) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function, include_extras=True)
    except (NameError, TypeError, AttributeError):  # a name only a type checker can see
        return {}


def _described(text: str) -> dict[str, str]:
    """What a docstring says of each parameter, in an "Args:" section or in `:param name:` lines."""
    found: dict[str, str] = {}
    inside, last = False, ""
    for line in text.splitlines():
        stripped = line.strip()
        if _SECTION.match(stripped):
            inside, last = True, ""
        elif stripped.startswith(":param") or (inside and line[:1].isspace() and _DESCRIBED.match(stripped)):
            if match := _DESCRIBED.match(stripped):
                last = match[1]
                found[last] = match[2].strip()
        elif inside and stripped and line[:1].isspace() and last:
            found[last] += f" {stripped}"
        elif stripped:
            inside = False
    return found


def _schema(hint: Any, depth: int) -> dict[str, Any]:
    """The JSON schema of a type; `{}` for any value."""
    if hint is Any or hint is inspect.Parameter.empty or isinstance(hint, TypeVar):
        return {}
    if hint in _SIMPLE if isinstance(hint, type) else False:
        return dict(_SIMPLE[hint])
    if depth >= _DEEPEST:
        return {"type": "object"}
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return _annotated(inner, depth)
    if origin is typing.Literal:
        return _enumerated(list(inner))
    if origin in (typing.Union, types.UnionType):
        return _any_of([one for one in inner if one is not type(None)], depth)
    if origin in _LISTS or (isinstance(origin, type) and issubclass(origin, Iterable) and not _maps(origin)):
        items = _schema(inner[0], depth + 1) if inner else {}
        return {"type": "array", "items": items} if items else {"type": "array"}
    if isinstance(origin, type) and _maps(origin):
        values = _schema(inner[1], depth + 1) if len(inner) == 2 else {}
        return {"type": "object", "additionalProperties": values} if values else {"type": "object"}
    return _of_class(hint, depth)


def _maps(origin: type) -> bool:
    return issubclass(origin, Mapping)


def _annotated(inner: tuple[Any, ...], depth: int) -> dict[str, Any]:
    schema = _schema(inner[0], depth)
    said = next((note for note in inner[1:] if isinstance(note, str)), None)
    return {**schema, "description": said} if said else schema


def _any_of(kinds: list[Any], depth: int) -> dict[str, Any]:
    schemas = [_schema(kind, depth + 1) for kind in kinds]
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}


def _enumerated(values: list[Any]) -> dict[str, Any]:
    values = [value.value if isinstance(value, enum.Enum) else value for value in values]
    kinds = {type(value) for value in values}
    kind = _SIMPLE.get(kinds.pop(), {}) if len(kinds) == 1 else {}
    return {**kind, "enum": values}


def _of_class(hint: Any, depth: int) -> dict[str, Any]:
    if not isinstance(hint, type):
        raise TypeError(f"tool knows no JSON schema for the type {hint!r}; annotate the parameter with a plain type")
    if issubclass(hint, enum.Enum):
        return _enumerated([member.value for member in hint])
    if dataclasses.is_dataclass(hint):
        required = [
            field.name
            for field in dataclasses.fields(hint)
            if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        ]
        return _object(typing.get_type_hints(hint, include_extras=True), required, depth)
    if typing.is_typeddict(hint):
        return _object(
            typing.get_type_hints(hint),
            [name for name in typing.get_type_hints(hint) if name in getattr(hint, "__required_keys__", ())],
            depth,
        )
    if issubclass(hint, str | int | float | Mapping):
        base = next(kind for kind in (bool, int, float, str, dict) if issubclass(hint, kind) or kind is dict)
        return dict(_SIMPLE[base])
    return {"type": "string"} if hint.__module__ in ("datetime", "decimal", "uuid", "pathlib") else {"type": "object"}


def _object(hints: Mapping[str, Any], required: list[str], depth: int) -> dict[str, Any]:
    properties = {name: _schema(kind, depth + 1) for name, kind in hints.items()}
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}
