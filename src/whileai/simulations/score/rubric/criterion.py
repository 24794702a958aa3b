"""`Criterion`: one item of a rubric, and how one is read from a dict somebody else wrote."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from whileai.simulations.rows.values import as_text, finite

HARD, PRINCIPLE, PITFALL = KINDS = ("hard", "principle", "pitfall")
_SLUG_CHARS = 40
_LABELS = {HARD: "Hard rule", PRINCIPLE: "Principle", PITFALL: "Pitfall"}
_CATEGORIES = {  # Lambert 2025, chapter Synthetic Data and Distillation
    "essential": HARD,
    "hard rule": HARD,
    "important": PRINCIPLE,
    "optional": PRINCIPLE,
    "principle": PRINCIPLE,
    "pitfall": PITFALL,
}
_ASCII_WORD = re.compile(r"[a-z0-9]++")
_WORDS = "|".join(word.replace(" ", r"[ _-]") for word in _CATEGORIES)
_OPENING = re.compile(rf"\W*+({_WORDS})\b", re.IGNORECASE)
_TAG = re.compile(rf"\[ ?({_WORDS}) ?\]", re.IGNORECASE)


@dataclass(frozen=True)
class Criterion:
    """One item of a rubric: a `hard` rule that fails the reply when missed, a `principle`, or a `pitfall` to avoid.

    `weight` is a positive magnitude: a principle adds it when met, a pitfall subtracts it when exhibited. A blank
    title, an unknown kind and a weight that is no positive number are a `ValueError`.

    >>> Criterion("Names the ORDER, exactly!", weight=2).slug
    'names_the_order_exactly'
    """

    title: str
    description: str = ""
    weight: float = 1.0
    kind: str = PRINCIPLE

    def __post_init__(self) -> None:
        if not isinstance(self.title, str) or not self.title.strip():
            raise ValueError(f"a criterion needs a title, got {self.title!r}")
        if self.kind not in KINDS:
            raise ValueError(f"kind of {self.title!r} must be hard, principle or pitfall, got {self.kind!r}")
        weight = finite(self.weight)
        if weight is None or not weight > 0:
            raise ValueError(f"weight of {self.title!r} must be a number above 0, got {self.weight!r}")
        object.__setattr__(self, "weight", weight)
        object.__setattr__(self, "description", as_text(self.description))

    @cached_property
    def slug(self) -> str:
        """The title as lower-case words of letters and digits joined by underscores, at most 40 characters."""
        return slug_of(self.title)[:_SLUG_CHARS].strip("_") or "criterion"

    @property
    def line(self) -> str:
        """The criterion as a judge reads it, on one line.

        >>> Criterion("Verifies identity", "Before any change.", 3, "hard").line
        '[Hard rule, weight 3] Verifies identity: Before any change.'
        """
        text = f"{self.title}: {self.description}" if self.description.strip() else self.title
        return f"[{_LABELS[self.kind]}, weight {self.weight:g}] {' '.join(text.split())}"

    def to_dict(self) -> dict[str, Any]:
        """The fields by name, as rows carry them."""
        return {"title": self.title, "description": self.description, "weight": self.weight, "kind": self.kind}

    @classmethod
    def from_dict(cls, entry: Any) -> Criterion:
        """The criterion a dict holds, or a bare title; a `ValueError` when it has no title.

        Without a `kind` it is told by a category word that opens the description, else the title, else by a bracketed
        tag in them, else a negative weight is a pitfall. An unreadable weight is 1.

        >>> Criterion.from_dict({"title": "Invents a date", "weight": -2})
        Criterion(title='Invents a date', description='', weight=2.0, kind='pitfall')
        """
        if not isinstance(entry, Mapping):
            entry = {"title": entry}
        title, description = entry.get("title"), as_text(entry.get("description"))
        weight = finite(entry.get("weight")) or 1.0
        kind = _kind_given(entry.get("kind")) or _kind_told(as_text(title), description)
        return cls(title, description, abs(weight), kind or (PITFALL if weight < 0 else PRINCIPLE))


def slug_of(text: str) -> str:
    """A text as lower-case words of letters, marks and digits of any script, joined by underscores.

    >>> slug_of(" Polite  tone? "), slug_of("态度礼貌")
    ('polite_tone', '态度礼貌')
    """
    if text.isascii():
        return "_".join(_ASCII_WORD.findall(text.lower()))
    kept = [c if unicodedata.category(c)[0] in "LMN" else " " for c in unicodedata.normalize("NFC", text).lower()]
    return "_".join("".join(kept).split())


def _kind_given(kind: Any) -> str | None:
    """The kind a dict names in its own words, None when it names none; a word nobody knows is a principle."""
    word = " ".join(as_text(kind).replace("_", " ").replace("-", " ").lower().split())
    if not word:
        return None
    return word if word in KINDS else _CATEGORIES.get(word, PRINCIPLE)


def _kind_told(title: str, description: str) -> str | None:
    """The kind that a category word in the texts tells, None when there is none."""
    found = _OPENING.match(description) or _OPENING.match(title) or _TAG.search(f"{title}\n{description}")
    return _CATEGORIES[re.sub(r"[_-]", " ", found[1].lower())] if found else None
