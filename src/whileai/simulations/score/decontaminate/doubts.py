"""What makes the counts themselves doubtful: no evaluation rows, a field no row has, ids that are row numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from whileai.simulations.reports import out_of, printable
from whileai.simulations.rows.text import ask_text
from whileai.simulations.rows.words import normalised
from whileai.simulations.score.decontaminate.evaluation import Evaluation

_KEPT_KEYS = 200  # names of row keys a hint is chosen from
_MOST_DIGITS = 6  # of an id that may be the number of a row; convention


def no_rows(found: Evaluation) -> list[str]:
    """A sentence when the evaluation side, or one source of it, has no rows."""
    if not found.n_rows:
        return ["the evaluation set has no rows: nothing was compared, and 0 dropped is no clearance"]
    if not found.empty:
        return []
    return [f"no rows in {', '.join(map(printable, found.empty))}: nothing was compared with it"]


class FieldsSeen:
    """Which of the compared fields held text.

    >>> seen = FieldsSeen(["promt"])
    >>> seen.add("promt", "", {"prompt": "Hi", "reward": 1})
    >>> seen.notes()
    ["no row has text under 'promt', so nothing was compared there: did you mean 'prompt'?"]
    """

    def __init__(self, fields: Iterable[str]) -> None:
        self._filled = dict.fromkeys(fields, False)
        self._looked: set[str] = set()
        self._keys: dict[str, None] = {"prompt": None, "final_text": None}

    def add(self, name: str, text: str, row: Mapping[str, Any]) -> None:
        """Take the text that one row has under a field."""
        if self._filled[name]:
            return
        self._filled[name] = bool(text.strip())
        self._looked.add(name)
        if len(self._keys) < _KEPT_KEYS:
            self._keys.update(dict.fromkeys(key for key in row if isinstance(key, str)))

    def merge(self, other: FieldsSeen) -> None:
        """Add what was seen of the same fields in other rows."""
        for name, filled in other._filled.items():
            self._filled[name] = self._filled[name] or filled
        self._looked |= other._looked
        if len(self._keys) < _KEPT_KEYS:
            self._keys.update(other._keys)

    def notes(self) -> list[str]:
        """A sentence for each field that was looked at and never held text."""
        return [self._note(name) for name, filled in self._filled.items() if name in self._looked and not filled]

    def _note(self, name: str) -> str:
        near = get_close_matches(name, [key for key in self._keys if key != name], n=1)
        hint = f": did you mean {printable(near[0], 60)!r}?" if near and name not in self._keys else ""
        return f"no row has text under {printable(name, 60)!r}, so nothing was compared there{hint}"


class NumberedIds:
    """Rows dropped by their id, as long as every id is a small number, as a file's rows are numbered."""

    def __init__(self, found: Evaluation) -> None:
        self._asks = found.asks
        self._n = self._n_other = 0
        self._numbers = True

    def add(self, own: str, row: Mapping[str, Any]) -> None:
        """Take a row whose id is an evaluation row's."""
        self._numbers = self._numbers and own.isdecimal() and len(own) <= _MOST_DIGITS
        if self._numbers:
            said, asked = normalised(ask_text(row)), self._asks.get(own)
            self._n += 1
            self._n_other += bool(said and asked and said != asked)

    def counts(self) -> tuple[int, int, bool]:
        """Rows counted, those of them that say something else, and whether every id was a small number."""
        return self._n, self._n_other, self._numbers

    def add_counts(self, n: int, n_other: int, numbers: bool) -> None:
        """Add the counts of other rows."""
        self._n, self._n_other, self._numbers = self._n + n, self._n_other + n_other, self._numbers and numbers

    def notes(self) -> list[str]:
        """A sentence when most of the rows dropped say something else than the evaluation row of their number."""
        if not self._numbers or 2 * self._n_other <= self._n:
            return []
        others = out_of(self._n_other, self._n, "row")
        return [
            f"ids look like row numbers: {others} dropped as the same task had nothing in common but a "
            "number with the evaluation row: if these are no task ids, remove them on one side"
        ]
