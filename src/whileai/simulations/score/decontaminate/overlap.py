"""Word n-grams that a text shares with evaluation texts: the best single text, and how much of the words it covers.

The evaluation texts that hold an n-gram are listed by it. Texts written from one frame share most of theirs, so that
those lists are long and a look at each text would make a row cost as much as there are texts. Long lists are therefore
never walked: texts that hold the same long-listed n-grams are one class, and of a class the earliest text stands for
all, as beyond the short lists nothing tells its texts apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

_LONG = 32  # texts that share an n-gram; above it they are looked at by class

Gram = tuple[str, ...]


class Overlap(NamedTuple):
    """The evaluation text (by place) that covers most words, how many it covers, and the first n-gram shared."""

    text: int
    covered: int
    gram: Gram


class Overlaps:
    """Evaluation texts by their word n-grams.

    >>> index = Overlaps([["where", "is", "my", "order"], ["cancel", "my", "order", "now"]], n=2)
    >>> index.best(["is", "my", "order", "now"])
    Overlap(text=0, covered=3, gram=('is', 'my'))
    """

    def __init__(self, texts: Iterable[Sequence[str]], n: int) -> None:
        self.n = n
        holders: dict[Gram, list[int]] = {}
        for place, said in enumerate(texts):
            for gram in dict.fromkeys(_grams(said, n)):
                holders.setdefault(gram, []).append(place)
        self._short = {gram: held for gram, held in holders.items() if len(held) <= _LONG}
        long = {gram: held for gram, held in holders.items() if len(held) > _LONG}
        self._long = {gram: number for number, gram in enumerate(long)}
        self._holds: dict[int, set[int]] = {}
        for number, held in enumerate(long.values()):
            for place in held:
                self._holds.setdefault(place, set()).add(number)
        classes: dict[frozenset[int], int] = {}
        for place in sorted(self._holds):
            classes.setdefault(frozenset(self._holds[place]), place)
        self._classes = {place: grams for grams, place in classes.items()}
        self._classes_of: dict[int, list[int]] = {}
        for place, grams in self._classes.items():
            for number in grams:
                self._classes_of.setdefault(number, []).append(place)
        self._known: dict[tuple[tuple[int, int], ...], tuple[int, int]] = {}

    def best(self, said: Sequence[str]) -> Overlap | None:
        """The text that covers most of these words with shared n-grams, the earliest of equals; None without one."""
        if len(said) < self.n:
            return None
        short: list[tuple[int, list[int]]] = []
        long: list[tuple[int, int]] = []
        for at, gram in enumerate(_grams(said, self.n)):
            if (held := self._short.get(gram)) is not None:
                short.append((at, held))
            elif (number := self._long.get(gram)) is not None:
                long.append((at, number))
        if not short and not long:
            return None
        found = [(-self._covered(self._places(text, short, long)), text) for text in _listed(short)]
        if long:
            found.append(self._best_class(tuple(long)))
        least, text = min(found)
        first = self._places(text, short, long)[0]
        return Overlap(text, -least, tuple(said[first : first + self.n]))

    def _places(self, text: int, short: list[tuple[int, list[int]]], long: Iterable[tuple[int, int]]) -> list[int]:
        """Where the n-grams begin that a text shares, in order."""
        holds = self._holds.get(text, _NOTHING)
        places = [at for at, held in short if text in held]
        shared = [at for at, number in long if number in holds]
        return sorted(places + shared) if shared else places

    def _best_class(self, long: tuple[tuple[int, int], ...]) -> tuple[int, int]:
        """`(minus the words covered, text)` of the class that covers most with long-listed n-grams alone."""
        if long not in self._known:
            candidates = {text for _, number in long for text in self._classes_of[number]}
            self._known[long] = min((-self._covered(self._places(text, [], long)), text) for text in candidates)
        return self._known[long]

    def _covered(self, places: list[int]) -> int:
        """How many words n-grams at these places cover together."""
        covered, end = 0, 0
        for at in places:
            covered += self.n - max(0, end - at)
            end = at + self.n
        return covered


_NOTHING: frozenset[int] = frozenset()


def _grams(said: Sequence[str], n: int) -> Iterable[Gram]:
    return zip(*(said[start:] for start in range(n)), strict=False)


def _listed(short: list[tuple[int, list[int]]]) -> set[int]:
    return {text for _, held in short for text in held}
