"""What an agent was told, and which of it holds a value first."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any

from whileai.simulations.score.grounding.normal import BETWEEN, told_plain, words
from whileai.simulations.score.grounding.search import places

_MOST_SCANNED = 1 << 22  # values times characters above which all values are looked for in one pass


def whole_at(text: str, value: str) -> int:
    """Where a value first stands in a text letter by letter; -1 when there is no such place, or it cuts a number.

    >>> whole_at("Refund ORD-5", "ORD-5"), whole_at("Refund ORD-57", "ORD-5")
    (7, -1)
    """
    at = text.find(value)
    if at < 0:
        return -1
    end = at + len(value)
    if text[end : end + 1].isdigit() and text[end - 1].isdigit():
        return -1
    return -1 if at and text[at - 1].isdigit() and text[at].isdigit() else at


class Context:
    """The texts an agent was told in order; `holds` says whether the first so many of them hold a normal value.

    A value is held where it stands once blanks, underscores and hyphens are dropped from both sides, unless that cuts
    a run of digits or joins letters of two words which the value does not set apart.

    >>> context = Context(["Refund ORD 40178, please", {"customer": "C-881"}])
    >>> [context.holds(value, 2) for value in ("ord_40178", "ord-4017", "c-881", "fundord")]
    [True, False, True, False]
    >>> context.holds("c-881", 1)
    False
    """

    def __init__(self, told: Sequence[Any]) -> None:
        self._nowhere = len(told)
        self._text = told_plain(told)
        self._joined_words: str | None = None
        self._first: dict[str, int] = {}  # the number of the first text that holds a value

    def is_long_for(self, n_values: int) -> bool:
        """Whether a search for each of so many values takes longer than one pass that finds all."""
        return n_values * len(self._text) > _MOST_SCANNED

    def look_for(self, values: Iterable[str]) -> None:
        """Find these values in one pass; `holds` finds others when it is asked for them."""
        spellings: dict[str, list[str]] = {}
        for value in dict.fromkeys(values):
            spellings.setdefault("".join(words(value)), []).append(value)
        for wanted, at in places(self._squeezed, spellings):
            for value in spellings[wanted]:
                if value not in self._first and self._fits(value, wanted, at):
                    self._first[value] = self._text_at(at)
        for wanted, alike in spellings.items():
            for value in alike:
                self._first.setdefault(value, self._nowhere if wanted else -1)

    def holds(self, value: str, before: int) -> bool:
        """Whether the first `before` texts hold the normal value."""
        first = self._first.get(value)
        if first is None:
            at = whole_at(self._text, value)
            if at >= 0 and self._text.count(BETWEEN, 0, at) < before:
                return True
            first = self._first[value] = self._first_text(value)
        return first < before

    def _first_text(self, value: str) -> int:
        """The number of the first text that holds a value: -1 of one without letters and digits, past all for none."""
        text = self._text
        for word in value.split():
            if word not in text and word.isalpha():
                return self._nowhere
        wanted = "".join(words(value))
        if not wanted:
            return -1
        at = self._squeezed.find(wanted)
        while at >= 0:
            if self._fits(value, wanted, at):
                return self._text_at(at)
            at = self._squeezed.find(wanted, at + 1)
        return self._nowhere

    def _fits(self, value: str, wanted: str, at: int) -> bool:
        """Whether an occurrence in the squeezed text cuts no run of digits and joins no letters of two words."""
        text, gaps = self._squeezed, self._gaps
        end = at + len(wanted)
        first, last = bisect_left(gaps, at), bisect_left(gaps, end)
        apart = first < len(gaps) and gaps[first] == at
        if at and not apart and wanted[0].isdigit() and text[at - 1].isdigit():
            return False
        apart = last < len(gaps) and gaps[last] == end
        if end < len(text) and not apart and wanted[-1].isdigit() and text[end].isdigit():
            return False
        joins = {gap - at for gap in gaps[first:last]} - {0, *accumulate(map(len, words(value)))}
        return not any(wanted[join - 1].isalpha() and wanted[join].isalpha() for join in joins)

    def _text_at(self, at: int) -> int:
        return bisect_right(self._squeezed_ends, at)

    @property
    def _squeezed(self) -> str:
        """The text without white space, underscores and hyphens."""
        if self._joined_words is None:
            self._joined_words = "".join(words(self._text))
        return self._joined_words

    @cached_property
    def _squeezed_ends(self) -> list[int]:
        return list(accumulate(len(text) + 1 for text in self._squeezed.split(BETWEEN)))

    @cached_property
    def _gaps(self) -> list[int]:
        """Where in the squeezed text a separator stood before, ascending."""
        return list(accumulate(map(len, words(self._text))))
