"""What a public function takes, read from its signature: misspelled keywords and values of a wrong kind are refused."""

from __future__ import annotations

import functools
import inspect
import math
import numbers
import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, ParamSpec, TypeVar

from whileai.simulations.errors import WrongKindError, meant

_P = ParamSpec("_P")
_R = TypeVar("_R")
_Fits = Callable[[Any], bool]


def public(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """The function; a call that does not fit its signature is an error that says what was meant.

    An unknown keyword is a `TypeError` with the nearest one there is. A value is held to the plain kinds of its
    annotation (numbers, text, True or False, paths, functions, dicts, pairs, lists), else a `WrongKindError`. Other
    annotations say nothing here, and the first argument, the rows mostly, is the function's own to read.

    >>> @public
    ... def rate(rows: Any, *, threshold: float = 0.5, strict: bool = False) -> None: ...
    >>> rate([], treshold=1)
    Traceback (most recent call last):
    TypeError: rate() got an unexpected keyword argument 'treshold': did you mean 'threshold'?
    >>> rate([], strict="no")
    Traceback (most recent call last):
    whileai.simulations.errors.WrongKindError: strict must be True or False, got 'no'
    """

    @functools.wraps(function)
    def called(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        if not kwargs and len(args) <= 1:  # a function of one row is called for each of millions
            return function(*args, **kwargs)
        taken = _taken(function)
        if kwargs and taken.closed and not kwargs.keys() <= taken.names:
            raise TypeError(_unknown(function.__qualname__, min(kwargs.keys() - taken.names), taken.keywords))
        for at, name, kinds in taken.places:
            if at < len(args):
                _hold(name, args[at], kinds)
        for name, value in kwargs.items():
            if name in taken.kinds:
                _hold(name, value, taken.kinds[name])
        return function(*args, **kwargs)

    return called


class _Kind(NamedTuple):
    """A kind of value: the words for it, and whether a value is one."""

    said: str
    fits: _Fits


class _Taken(NamedTuple):
    """What a function takes: its names, and the kinds of those that are checked, by place and by name."""

    places: tuple[tuple[int, str, tuple[_Kind, ...]], ...]
    names: frozenset[str]
    keywords: tuple[str, ...]
    closed: bool  # it takes no keywords beside those named
    kinds: dict[str, tuple[_Kind, ...]]


@functools.cache
def _taken(function: Callable[..., Any]) -> _Taken:
    named = inspect.signature(function).parameters.values()
    given = [p for p in named if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    kinds = {p.name: found for p in given[1:] if (found := _kinds(p.annotation))}  # the first says itself what it takes
    keywords = tuple(p.name for p in given if p.kind is not p.POSITIONAL_ONLY)
    positional = tuple(p.name for p in given if p.kind is not p.KEYWORD_ONLY)
    closed = not any(p.kind is p.VAR_KEYWORD for p in named)
    places = tuple((at, name, kinds[name]) for at, name in enumerate(positional) if name in kinds)
    return _Taken(places, frozenset(keywords), keywords, closed, kinds)


def _unknown(function: str, keyword: str, keywords: tuple[str, ...]) -> str:
    hint = meant(keyword, keywords) or f": it takes {', '.join(keywords)}"
    return f"{function}() got an unexpected keyword argument {keyword!r}{hint}"


def _hold(name: str, value: Any, kinds: tuple[_Kind, ...]) -> None:
    for kind in kinds:
        if kind.fits(value):
            return
    raise WrongKindError(f"{name} must be {' or '.join(kind.said for kind in kinds)}, got {value!r:.80}")


def _kinds(annotation: Any) -> tuple[_Kind, ...]:
    """The kinds of an annotation as text; none when a part of it is no plain kind."""
    parts = re.split(r" \| (?![^\[]*\])", annotation) if isinstance(annotation, str) else []
    kinds = [_KINDS.get(part) or _KINDS.get(part.partition("[")[0]) for part in parts]
    return () if None in kinds else tuple(kind for kind in kinds if kind)


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool) and not _is_nan(value)


def _is_nan(value: Any) -> bool:
    try:
        return math.isnan(value)
    except OverflowError:
        return False


def _is_whole(value: Any) -> bool:
    return _is_number(value) and (isinstance(value, numbers.Integral) or float(value).is_integer())


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool) or type(value).__name__ == "bool_"  # NumPy's own, which this module never loads


def _is_texts(value: Any) -> bool:
    """Texts, or what may hold texts; a text is a sequence of texts too, which a function may read as one name."""
    if isinstance(value, list | tuple | set | frozenset):
        return all(isinstance(text, str) for text in value)
    return _is_listing(value)


def _is_listing(value: Any) -> bool:
    if type(value) is list:  # what most are; the abstract check costs ten times more
        return True
    return isinstance(value, Iterable) and not isinstance(value, bytes)


def _is_pair(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(map(_is_number, value))


_TEXTS = _Kind("a list of texts", _is_texts)
_KINDS = {
    "None": _Kind("None", lambda value: value is None),
    "bool": _Kind("True or False", _is_flag),
    "int": _Kind("a whole number", _is_whole),
    "float": _Kind("a number", _is_number),
    "str": _Kind("text", lambda value: isinstance(value, str)),
    "os.PathLike": _Kind("a path", lambda value: isinstance(value, os.PathLike)),
    "Callable": _Kind("a function", callable),
    "Mapping": _Kind("a dict", lambda value: isinstance(value, Mapping)),
    "Iterable": _Kind("a list", _is_listing),
    "Sequence": _Kind("a list", _is_listing),
    "tuple[float, float]": _Kind("a pair of numbers", _is_pair),
    "tuple[int, int]": _Kind("a pair of numbers", _is_pair),
    "Sequence[str]": _TEXTS,
    "Iterable[str]": _TEXTS,
    "Collection[str]": _TEXTS,
}
