"""Types of Python as JSON schemas."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime as dt
import decimal
import enum
import inspect
import sys
import types
import typing
import uuid
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any, TypeVar

from whileai.simulations.rows.values import is_mapping
from whileai.simulations.run.refs import inlined

_SIMPLE: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    dict: {"type": "object"},
    bytes: {"type": "string", "contentEncoding": "base64"},
    bytearray: {"type": "string", "contentEncoding": "base64"},
    dt.datetime: {"type": "string", "format": "date-time"},
    dt.date: {"type": "string", "format": "date"},
    dt.time: {"type": "string", "format": "time"},
    dt.timedelta: {"type": "string", "format": "duration"},
    uuid.UUID: {"type": "string", "format": "uuid"},
    list: {"type": "array"},
    tuple: {"type": "array"},
    set: {"type": "array"},
    frozenset: {"type": "array"},
    type(None): {"type": "null"},
}
_LISTS = (list, tuple, set, frozenset)
_DEEPEST = 6  # types inside types that are read; what lies deeper is an object


def hints_of(function: Any) -> dict[str, Any]:
    """The annotations of a function, or of a class, as types; one that cannot be resolved is left out alone."""
    with contextlib.suppress(NameError, TypeError, AttributeError, SyntaxError):
        return typing.get_type_hints(function, include_extras=True)
    own = inspect.unwrap(function) if not isinstance(function, type) else function
    module = getattr(sys.modules.get(own.__module__ or ""), "__dict__", {})
    there = {**module, **getattr(own, "__globals__", {})}
    found: dict[str, Any] = dict.fromkeys(getattr(own, "__annotations__", {}), Any)
    for name, hint in getattr(own, "__annotations__", {}).items():
        alone = types.SimpleNamespace(__annotations__={name: hint})
        with contextlib.suppress(NameError, TypeError, AttributeError, SyntaxError):  # one only a type checker can see
            found |= typing.get_type_hints(alone, there, include_extras=True)
    return found


def schema_of_type(hint: Any, depth: int = 0) -> dict[str, Any]:
    """The JSON schema of a type; `{}` for any value. A `TypeError` for a type that no schema can say.

    >>> schema_of_type(list[int]), schema_of_type(str | None)
    ({'type': 'array', 'items': {'type': 'integer'}}, {'type': 'string'})
    """
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
        items = schema_of_type(inner[0], depth + 1) if inner else {}
        return {"type": "array", "items": items} if items else {"type": "array"}
    if isinstance(origin, type) and _maps(origin):
        values = schema_of_type(inner[1], depth + 1) if len(inner) == 2 else {}
        return {"type": "object", "additionalProperties": values} if values else {"type": "object"}
    return _of_class(hint, depth)


def _maps(origin: type) -> bool:
    return issubclass(origin, Mapping)


def _annotated(inner: tuple[Any, ...], depth: int) -> dict[str, Any]:
    schema = schema_of_type(inner[0], depth)
    said = next((note for note in inner[1:] if isinstance(note, str)), None)
    return {**schema, "description": said} if said else schema


def _any_of(kinds: list[Any], depth: int) -> dict[str, Any]:
    schemas = [schema_of_type(kind, depth + 1) for kind in kinds]
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
        return _object(hints_of(hint), required, depth)
    if typing.is_typeddict(hint):
        hints = hints_of(hint)
        needed = [name for name, kind in hints.items() if _is_required(hint, name, kind)]
        return _object({name: _bare(kind) for name, kind in hints.items()}, needed, depth)
    if (own := _own_schema(hint)) is not None:
        return own
    for base in (bool, int, float, str, bytes, dt.datetime, dt.date):
        if issubclass(hint, base):
            return dict(_SIMPLE[base])
    return {"type": "string"} if issubclass(hint, decimal.Decimal | PurePath) else {"type": "object"}


def _is_required(hint: Any, name: str, kind: Any) -> bool:
    origin = typing.get_origin(kind)
    said = origin in (typing.Required, typing.NotRequired)
    return origin is typing.Required if said else name in getattr(hint, "__required_keys__", ())


def _bare(hint: Any) -> Any:
    """A type without `Required` or `NotRequired` around it."""
    return typing.get_args(hint)[0] if typing.get_origin(hint) in (typing.Required, typing.NotRequired) else hint


def _own_schema(hint: Any) -> dict[str, Any] | None:
    """The schema a class gives of itself, as pydantic's models do, with its references in place."""
    make = getattr(hint, "model_json_schema", None)
    schema = make() if callable(make) else None
    return dict(inlined(schema)) if is_mapping(schema) else None


def _object(hints: Mapping[str, Any], required: list[str], depth: int) -> dict[str, Any]:
    properties = {name: schema_of_type(kind, depth + 1) for name, kind in hints.items()}
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}
