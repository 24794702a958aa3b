"""Which value that the world returned a reply names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from whileai.simulations.rows.calls import Call
from whileai.simulations.rows.values import as_text

SHORTEST = 3  # characters a value needs to be worth citing; convention
_SAYS_NOTHING = frozenset({"ok", "true", "false", "none", "null", "status"})
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")
_BETWEEN_WORDS = re.compile(r"[\W_]+")


def cited(reply: str, reads: Iterable[Call]) -> str | None:
    """The longest value the reads returned that the reply names in whole words, None when there is none.

    What the agent passed to the read as an argument it knew before: naming the order it was asked about cites nothing.

    >>> read = Call("get_order", {"id": "ORD-4017"}, result={"id": "ORD-4017", "policy": "final_sale"})
    >>> cited("I cannot refund ORD-4017, it was a final sale.", [read])
    'final_sale'
    """
    said = f" {_words(reply)} "
    spoken = frozenset(said.split())
    found = ""
    for call in reads:
        known = {_words(text) for text in _leaves(call.arguments)}
        for text in _leaves(call.result):
            if len(text) > max(len(found), SHORTEST - 1) and text.lower() not in _SAYS_NOTHING:
                words = _words(text)
                if words and spoken.issuperset(words.split()) and f" {words} " in said and words not in known:
                    found = text
    return found or None


def _words(text: str) -> str:
    return _BETWEEN_WORDS.sub(" ", _THOUSANDS.sub("", text.lower())).strip()


def _leaves(value: Any) -> Iterator[str]:
    """Every value inside a value as text, containers aside."""
    pending = [value]
    while pending:
        inner = pending.pop()
        if isinstance(inner, Mapping):
            pending.extend(inner.values())
        elif isinstance(inner, list | tuple):
            pending.extend(inner)
        else:
            yield as_text(inner).strip()
