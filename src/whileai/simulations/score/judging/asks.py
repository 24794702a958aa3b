"""When two asks are the same."""

from __future__ import annotations


def folded(text: str) -> str:
    """A text by which asks are compared: lower case, each run of white space one blank.

    >>> folded(" Hello  World")
    'hello world'
    """
    return " ".join(text.lower().split())
