"""A text searched for many values: each costs a look-up, not a pass over the text."""

from __future__ import annotations

import json
import re
from functools import cached_property

_TOKEN = re.compile(r"[^\s\x00\"',:;(){}\[\]<>=]+")
_GRAM = 4
_MANY = 32  # searches after which an index pays


class Haystack:
    """A text and where values first stand in it.

    >>> hay = Haystack("order ord-5 was sent")
    >>> hay.within("ord-5", 11), hay.within("ord-5", 8), hay.within("ord-6", 20)
    (True, False, False)
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._searches = 0
        self._first: dict[str, int] = {}

    def within(self, value: str, end: int) -> bool:
        """Whether a value stands in the text before `end`, as it is or as JSON spells it."""
        if self._stands(value, end):
            return True
        if value.isprintable() and '"' not in value and "\\" not in value:
            return False
        return self._stands(json.dumps(value, ensure_ascii=False)[1:-1], end)

    def _stands(self, value: str, end: int) -> bool:
        if self._searches < _MANY:
            self._searches += 1
            return self.text.find(value, 0, end) >= 0
        first = self._tokens.get(value)
        if first is not None and first + len(value) <= end:
            return True
        if value not in self._first:
            self._first[value] = self.text.find(value) if self._possible(value) else -1
        return 0 <= self._first[value] <= end - len(value)

    def __contains__(self, value: str) -> bool:
        """Whether a value stands anywhere in the text."""
        return self.within(value, len(self.text))

    @cached_property
    def _tokens(self) -> dict[str, int]:
        """Where each run of characters without space or bracket first stands."""
        first: dict[str, int] = {}
        for token in _TOKEN.finditer(self.text):
            first.setdefault(token[0], token.start())
        return first

    @cached_property
    def _grams(self) -> frozenset[str]:
        return frozenset(self.text[at : at + _GRAM] for at in range(len(self.text) - _GRAM + 1))

    def _possible(self, value: str) -> bool:
        """False when some part of the value is nowhere in the text, so that no search is needed."""
        return all(value[at : at + _GRAM] in self._grams for at in range(len(value) - _GRAM + 1))
