"""A typed function as a tool: its schema from its signature and its docstring."""

from __future__ import annotations

import enum
import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from whileai.simulations.rows.values import is_mapping
from whileai.simulations.run.annotations import hints_of, schema_of_type
from whileai.simulations.score.dimensions.tools import declaration, read_tools
from whileai.simulations.signature import public

_Function = TypeVar("_Function", bound=Callable[..., Any])
_NO_PARAMETERS: dict[str, Any] = {"type": "object", "properties": {}}
_SECTION = re.compile(r"(?:Args|Arguments|Parameters|Params):\s*$", re.IGNORECASE)
_DESCRIBED = re.compile(r"(?::param (?:[\w.\[\]]+ )?)?\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s+(\S.*)")


@public
def tool(function: _Function) -> _Function:
    """The function itself, now with `schema`: the OpenAI function schema its signature and docstring declare.

    It stays callable as it was, and goes wherever a tool schema goes: `simulate(tools=[get_order])`. A parameter
    without a default is required; `Literal` and `Enum` give an `enum`, a dataclass or a `TypedDict` an object, a class
    with `model_json_schema` (pydantic's models) what it says. The first paragraph of the docstring describes the tool,
    an "Args:" section its parameters. Raises `TypeError` for anything that is no function with a name, and for a type
    no schema can say.

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
    body, parameters = declaration(declared)
    normal = {
        "name": read.name or str(body.get("name") or "").strip(),
        "description": read.description or str(body.get("description") or "").strip(),
        "parameters": dict(parameters or _NO_PARAMETERS),
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
    hints = hints_of(function)
    for parameter in _parameters(function):
        schema = schema_of_type(hints.get(parameter.name, Any))
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
