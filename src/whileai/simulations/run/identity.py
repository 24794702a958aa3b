"""What tells one agent or grader from another of the same name: the same in any process that runs the same code."""

from __future__ import annotations

import dis
import functools
from collections.abc import Iterator, Mapping
from types import CodeType, FunctionType, MethodType
from typing import Any

_DEEPEST = 4  # functions inside functions that are looked into; convention
_PLAIN = (str, bytes, bool, int, float, type(None))


def identity_of(function: Any) -> list[Any]:
    """What a callable is: its `version` where it has one, else its code and the plain values it was made with.

    Values that change while it runs (lists, objects, counters) and what its module holds do not count: name what else
    would change its answers in `version`.

    >>> identity_of(lambda ask: "Hi") == identity_of(lambda ask: "Hi"), identity_of(lambda ask: "Hi")[0]
    (True, 'code')
    >>> identity_of(lambda ask: "Hi") == identity_of(lambda ask: "Ho")
    False
    """
    version = getattr(function, "version", None)
    if isinstance(version, str | int | float) and version != "":
        return ["version", str(version)]
    return ["code", *_told(function, 0)]


def _told(function: Any, depth: int) -> Iterator[Any]:
    if isinstance(function, functools.partial):
        yield from _told(function.func, depth)
        yield [*_values(enumerate(function.args), depth), *_values(function.keywords.items(), depth)]
    elif isinstance(function, MethodType):
        yield from _told(function.__func__, depth)
        yield from _of_object(function.__self__, depth)
    elif isinstance(function, FunctionType):
        yield from _of_function(function, depth)
    else:
        called = next((vars(one)["__call__"] for one in type(function).__mro__ if "__call__" in vars(one)), None)
        if isinstance(called, FunctionType) and not isinstance(function, type):
            yield from _told(called, depth)
        yield from _of_object(function, depth)


def _of_function(function: FunctionType, depth: int) -> Iterator[Any]:
    code = function.__code__
    yield _of_code(code)
    yield _values(enumerate(function.__defaults__ or ()), depth)
    yield _values((function.__kwdefaults__ or {}).items(), depth)
    counters = {one.argval for one in dis.get_instructions(code) if one.opname == "STORE_DEREF"}
    held = ((name, cell) for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True))
    yield _values(((name, _content(cell)) for name, cell in held if name not in counters), depth)


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not bound yet
        return None


def _of_object(held: Any, depth: int) -> Iterator[Any]:
    """The class of an object and its texts: its numbers may well count its calls."""
    yield getattr(held, "__qualname__", type(held).__qualname__)
    texts = getattr(held, "__dict__", {})
    if isinstance(texts, Mapping):
        yield _values(((name, value) for name, value in sorted(texts.items()) if isinstance(value, str)), depth)


def _values(pairs: Any, depth: int) -> list[Any]:
    """The plain values among some, and the code of functions."""
    found: list[Any] = []
    for name, value in pairs:
        if isinstance(value, _PLAIN):
            found.append([str(name), repr(value)])
        elif isinstance(value, tuple):
            found.append([str(name), _values(enumerate(value), depth + 1) if depth < _DEEPEST else []])
        elif isinstance(value, FunctionType | MethodType | functools.partial) and depth < _DEEPEST:
            found.append([str(name), list(_told(value, depth + 1))])
    return found


def _of_code(code: CodeType) -> list[Any]:
    """A function's code as plain values: what it does and with which constants and names, not where it stands."""
    constants = [_of_code(one) if isinstance(one, CodeType) else _spelt(one) for one in code.co_consts]
    return [code.co_name, code.co_code.hex(), constants, list(code.co_names), list(code.co_varnames)]


def _spelt(constant: Any) -> str:
    if isinstance(constant, frozenset):
        return repr(sorted(map(repr, constant)))
    return repr(constant)
