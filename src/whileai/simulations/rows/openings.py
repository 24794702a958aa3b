"""Phrases indexed by the word they open with, so that a text costs a look-up a word and not a search a phrase."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

_WORD = re.compile(r"\w+|'\w+")
_HEAD = re.compile(r"\(\?:([\w'| -]+)\)|(\w+)|\(?\[|\(?\\d")
_NUMBER = "0"  # the head of every phrase that opens with a number
_NEGATED = re.compile(r"(?:\(\?:)?n\??'\??t")  # "n't" as phrases spell it


class Opening:
    """A pattern that opens with one of its `heads`: plain words, written first or as its first bracket."""

    __slots__ = ("__dict__", "admits", "heads", "source")

    def __init__(self, source: str, *, admits: bool) -> None:
        head = _HEAD.match(source)
        if head is None:
            raise ValueError(f"a phrase opens with a word or a bracket of words, got {source!r}")
        words = [_WORD.findall(each)[0] for each in (head[1] or head[2] or _NUMBER).split("|")]
        if _NEGATED.match(source, head.end()):  # "isn't" is read as the words "isn" and "'t"
            words = [word + ending for word in words for ending in ("", "n", "nt", "t")]  # and "didnt", "cant"
        self.heads, self.source, self.admits = words, source, admits

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern, compiled when its first head is met."""
        return re.compile(self.source)


class OpeningBook:
    """Phrases of two kinds: those that admit, and those that deny and so cover the words they span.

    >>> book = OpeningBook(denials=["no errors?"], admissions=["(?:error|errors)", "(?:is|was)(?:n?'?t| not)"])
    >>> [book.admits(text) for text in ("there were no errors", "it isn't there", "two errors")]
    [False, True, True]
    """

    def __init__(self, denials: Sequence[str], admissions: Sequence[str]) -> None:
        admitting = [Opening(source, admits=True) for source in admissions]
        self._admitting = _by_head(admitting)
        self._all = _by_head([*(Opening(source, admits=False) for source in denials), *admitting])

    def admits(self, text: str) -> bool:
        """Whether a phrase that admits stands in a lower-case text outside of all that deny."""
        end = 0
        for start, openings in _met(self._all, text):
            if start >= end:
                for opening in openings:
                    if found := opening.pattern.match(text, start):
                        if opening.admits:
                            return True
                        end = found.end()
                        break
        return False

    def may_admit(self, text: str) -> bool:
        """Whether a phrase that admits stands in a lower-case text at all."""
        return any(
            opening.pattern.match(text, start)
            for start, openings in _met(self._admitting, text)
            for opening in openings
        )


def _by_head(openings: list[Opening]) -> dict[str, list[Opening]]:
    index: dict[str, list[Opening]] = {}
    for opening in openings:
        for head in dict.fromkeys(opening.heads):
            index.setdefault(head, []).append(opening)
    return index


def _met(index: dict[str, list[Opening]], text: str) -> Iterator[tuple[int, list[Opening]]]:
    """Where a text has a word that phrases open with, and these phrases."""
    for word in _WORD.finditer(text):
        spelled = word[0]
        openings = index.get(_NUMBER if spelled.isdecimal() else spelled)
        if openings is not None:
            yield word.start(), openings
