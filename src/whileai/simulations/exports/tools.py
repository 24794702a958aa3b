"""Tools as the files of trainers declare them: schemas in the envelope of OpenAI."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from whileai.simulations.rows.values import is_mapping
from whileai.simulations.score.dimensions.tools import declaration, read_tools


def enveloped(tools: Any) -> list[dict[str, Any]]:
    """The tools as `{"type": "function", "function": {...}}`: from schemas in any of their shapes, and functions.

    Bare names say too little and are left out; anything else is a `TypeError`.

    >>> enveloped([{"name": "get", "input_schema": {"type": "object"}}, "put"])
    [{'type': 'function', 'function': {'name': 'get', 'parameters': {'type': 'object'}}}]
    """
    if tools is None:
        return []
    if isinstance(tools, str | bytes | Mapping) or not isinstance(tools, Iterable):
        raise TypeError(f"tools= takes a sequence of tool schemas (dicts) and functions, got {type(tools).__name__}")
    return [_envelope(tool) for tool in tools if not isinstance(tool, str)]


def _envelope(tool: Any) -> dict[str, Any]:
    declared = tool if is_mapping(tool) else getattr(tool, "schema", None)
    if not is_mapping(declared):
        return {"type": "function", "function": _of_function(tool)}
    body, parameters = declaration(declared)
    function = {name: body[name] for name in ("name", "description", "strict") if body.get(name) is not None}
    return {
        "type": "function",
        "function": {**function, "parameters": parameters or {"type": "object", "properties": {}}},
    }


def _of_function(function: Any) -> dict[str, Any]:
    """What a plain function tells of itself: its name, the first paragraph of its docstring, its parameters."""
    read = read_tools([function])[0]
    described = {"description": read.description} if read.description else {}
    properties: dict[str, Any] = {str(name): {} for name in read.properties or {}}
    return {"name": read.name, **described, "parameters": {"type": "object", "properties": properties}}
