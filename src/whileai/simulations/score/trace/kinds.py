"""The kinds a caller gives to tools."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from whileai.simulations.errors import warn
from whileai.simulations.reports import printable
from whileai.simulations.rows.effects import Effect

_KINDS = tuple(effect.value for effect in Effect)


def checked_kinds(kinds: Any) -> Mapping[str, str] | None:
    """The kinds of tools as given: a mapping or None, else a `TypeError`.

    A value that is none of the four kinds means none of them; a `UserWarning` says so where it looks misspelled.

    >>> checked_kinds({"lookup": "read", "ping": "none"})
    {'lookup': 'read', 'ping': 'none'}
    """
    if kinds is None:
        return None
    if not isinstance(kinds, Mapping):
        raise TypeError(f"kinds must map tool names to {', '.join(_KINDS)}, got {kinds!r:.80}")
    for tool, kind in kinds.items():
        if isinstance(kind, str) and kind not in _KINDS and (near := get_close_matches(kind.lower(), _KINDS, n=1)):
            warn(
                f"kinds: {printable(tool, 60)} is {printable(kind, 60)!r}, which means none of the four: did you mean "
                f"{near[0]!r}?"
            )
    return kinds
