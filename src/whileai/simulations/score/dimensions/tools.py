"""A tool as its schema or its function declares it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from whileai.simulations.rows.names import READ_WORDS, name_words, words_in
from whileai.simulations.rows.values import as_text, is_mapping

_PARAMETER_KEYS = ("parameters", "input_schema", "inputSchema")
_IDENTIFIERS = words_in("id path file name key ref reference number repo asin sku")
_IDENTIFIER_ENDS = ("_id", "_path", "_ref")
_NAMESPACE = re.compile(r"[./:]|__")
_NOT_VERBS = words_in("status info history help back open load")  # read words that begin no read for certain
_READ_VERBS = (READ_WORDS - _NOT_VERBS) | {"look"}
_JOINS = frozenset(("and", "or", "then"))
_ACCEPTED = "a sequence of tool schemas (dicts) and functions"


@dataclass(frozen=True)
class Tool:
    """What a tool declares; `properties` is None where it declares no parameters."""

    name: str
    description: str
    properties: Mapping[Any, Any] | None
    required: bool
    returns: Any

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of its name, lower case, without a namespace that stands before several of them."""
        own = name_words(_NAMESPACE.split(self.name)[-1])
        return own if len(own) > 1 else name_words(self.name)

    @cached_property
    def reads(self) -> bool:
        """Whether its name opens with a verb that reads; a second verb after "and" may do anything."""
        return bool(self.words) and self.words[0] in _READ_VERBS and _JOINS.isdisjoint(self.words)

    @cached_property
    def takes_identifier(self) -> bool:
        """Whether a parameter, at any depth, names a record of the world."""
        return any(map(_is_identifier, _property_names(self.properties)))


def read_tools(tools: Any) -> list[Tool]:
    """The tools of an agent, in order: function schemas in their three shapes, and plain functions; None is no tool.

    Raises `TypeError` for anything else.

    >>> [tool.name for tool in read_tools([{"name": "get_order"}, sorted])]
    ['get_order', 'sorted']
    """
    if tools is None:
        return []
    if isinstance(tools, str | bytes | Mapping) or not isinstance(tools, Iterable):
        raise TypeError(f"tools= takes {_ACCEPTED}, got {type(tools).__name__}")
    return [_tool(tool) for tool in tools]


def tool_names(tools: Iterable[Tool]) -> list[str]:
    """Their names, each once, in order; a tool without a name gives none."""
    return list(dict.fromkeys(tool.name for tool in tools if tool.name))


def _tool(declared: Any) -> Tool:
    if is_mapping(declared):
        return _of_schema(declared)
    if callable(declared) and not isinstance(declared, type) and isinstance(getattr(declared, "__name__", None), str):
        return _of_function(declared)
    raise TypeError(f"tools= takes {_ACCEPTED}, and one is of type {type(declared).__name__}")


def declaration(schema: Mapping[Any, Any]) -> tuple[Mapping[Any, Any], Mapping[Any, Any]]:
    """What a schema in any of its shapes says of a tool, and the JSON Schema of its parameters; {} for none.

    >>> declaration({"type": "function", "function": {"name": "get", "parameters": {"type": "object"}}})
    ({'name': 'get', 'parameters': {'type': 'object'}}, {'type': 'object'})
    >>> declaration({"name": "get", "input_schema": {"type": "object"}})[1]
    {'type': 'object'}
    """
    inner = schema.get("function")
    body: Mapping[Any, Any] = inner if is_mapping(inner) else schema
    return body, next((body[key] for key in _PARAMETER_KEYS if is_mapping(body.get(key))), {})


def _of_schema(schema: Mapping[Any, Any]) -> Tool:
    body, parameters = declaration(schema)
    properties = parameters.get("properties")
    return Tool(
        name=as_text(body.get("name")).strip(),
        description=as_text(body.get("description")).strip(),
        properties=properties if is_mapping(properties) else None,
        required=bool(parameters.get("required")),
        returns=body.get("returns") or schema.get("returns"),
    )


def _of_function(function: Any) -> Tool:
    paragraph = (inspect.getdoc(function) or "").strip().partition("\n\n")[0]
    parameters = _parameters(function)
    return Tool(
        name=function.__name__.strip(),
        description=" ".join(paragraph.split()),
        properties=None if parameters is None else {parameter.name: {} for parameter in parameters},
        required=any(parameter.default is parameter.empty for parameter in parameters or ()),
        returns=None,
    )


def _parameters(function: Any) -> list[inspect.Parameter] | None:
    try:
        every = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # some functions written in C tell nothing
        return None
    return [parameter for parameter in every if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)]


def _property_names(properties: Mapping[Any, Any] | None) -> Iterator[str]:
    """The names of parameters, those inside objects and lists of objects included; a schema is entered once."""
    waiting: list[Any] = [properties]
    entered: set[int] = set()
    while waiting:
        level = waiting.pop()
        if not is_mapping(level) or id(level) in entered:
            continue
        entered.add(id(level))
        for name, schema in level.items():
            yield as_text(name)
            for inner in (schema, schema.get("items")) if is_mapping(schema) else ():
                if is_mapping(inner):
                    waiting.append(inner.get("properties"))


def _is_identifier(parameter: str) -> bool:
    name = "_".join(name_words(parameter))
    return name in _IDENTIFIERS or name.endswith(_IDENTIFIER_ENDS)
