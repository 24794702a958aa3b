"""How many terminal columns a text takes, and texts cut to fit into some; wide scripts take two a character."""

from __future__ import annotations

import unicodedata

_MARKS = frozenset({"Mn", "Me"})  # categories of characters that stand on the one before
_MOST_A_COLUMN = 4  # characters: of more, marks are heaped up; convention


def columns(text: str) -> int:
    r"""Terminal columns of a text: two for a wide character, none for a mark on another.

    >>> columns("退款"), columns("e\u0301")
    (4, 1)
    """
    return len(text) if text.isascii() else sum(map(_cell, text))


def _cell(character: str) -> int:
    if unicodedata.category(character) in _MARKS:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cut(text: str, most: int) -> str:
    """A text in at most so many columns, its middle left out: both ends of a name tell it from its like.

    >>> cut("marker:argument_grounding_of_refunds", 20)
    'marker:arg…f_refunds'
    """
    if len(text) <= _MOST_A_COLUMN * most and columns(text) <= most:
        return text
    head, tail = most // 2, most - 1 - most // 2
    return f"{taken(text, head)}…{taken(text[::-1], tail)[::-1]}"


def taken(text: str, most: int) -> str:
    """The start of a text that fits into so many columns."""
    used, end = 0, 0
    for character in text[: _MOST_A_COLUMN * most]:
        used += _cell(character)
        if used > most:
            break
        end += 1
    return text[:end]
