"""Which criterion an answer is for, and whether it says yes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from whileai.simulations.rows.values import as_text, finite, is_bool, is_mapping
from whileai.simulations.score.rubric.criterion import PITFALL, Criterion, slug_of

_NUMBER = re.compile(r"\s*+#?(\d{1,6})\s*+[.):]?\s*+")
_LABELLED = re.compile(r"\s*+(?:item|criteri(?:on|a)|rule|no)[\s_#.:-]*+(\d{1,6})\s*+[.):]?\s*+", re.IGNORECASE)
_WORDS = {
    **dict.fromkeys(("yes", "y", "true", "met", "pass", "passed", "passes", "exhibited", "1"), True),
    **dict.fromkeys(("no", "n", "not", "false", "never", "unmet", "missed", "wrong", "0"), False),
    **dict.fromkeys(("fail", "failed", "fails"), False),
}
_OPENING = re.compile(r"[\s*_`\"'(]*+([a-z]++|[01](?![\d%]|[.,:/]\d))(?![\w'/|])", re.IGNORECASE)
_TAKEN_BACK = re.compile(r"(?:\s*+[:?]|\s++(?:and|or)\b)\s*+(\w++)", re.IGNORECASE)
_UNSURE = re.compile(
    r"\s++(?:sure|certain|clear|known|applicable|only|enough|sufficient|possible|determinable|verifiable|"
    r"idea|answer|verdict|opinion|way|information|doubt|question)\b",
    re.IGNORECASE,
)
_RULE_FIELDS = ("met", "value", "verdict", "answer", "result", "satisfied", "passed", "exhibited")
_PITFALL_FIELDS = ("exhibited", *_RULE_FIELDS[:-1])


def answers_of(results: Mapping[Any, Any], criteria: Sequence[Criterion]) -> list[bool | None]:
    """The answer for each criterion, None where there is none.

    A key that names a criterion beats one that only paraphrases it; of two that name it the later one counts.
    """
    found: list[bool | None] = [None] * len(criteria)
    named = Names(criteria)
    for exactly in (False, True):
        for key, value in results.items():
            place = named.exact(key)
            if (place is not None) is not exactly:
                continue
            place = named.alike(key) if place is None else place
            if place is None:
                continue
            answer = truth(value, of_pitfall=criteria[place].kind == PITFALL)
            found[place] = found[place] if answer is None else answer
    return found


class Names:
    """The criteria by number, title and slug."""

    def __init__(self, criteria: Sequence[Criterion]) -> None:
        self._count = len(criteria)
        self._titles = {criterion.title: place for place, criterion in enumerate(criteria)}
        self._slugs = {criterion.slug: place for place, criterion in enumerate(criteria)}

    def exact(self, key: Any) -> int | None:
        """The place of the criterion with this item number (from 1), title or slug."""
        text = as_text(key)
        for place in (self._numbered(_NUMBER, text), self._titles.get(text), self._slugs.get(slug_of(text))):
            if place is not None:
                return place
        return self._numbered(_LABELLED, text)

    def of(self, key: Any) -> int | None:
        """The place of the criterion a key names, or else paraphrases."""
        place = self.exact(key)
        return self.alike(key) if place is None else place

    def from_zero(self, key: Any) -> bool:
        """Whether a key counts the criteria from 0, where they are numbered from 1."""
        text = as_text(key)
        found = _NUMBER.fullmatch(text) or _LABELLED.fullmatch(text)
        return found is not None and not int(found[1]) and self.exact(key) is None

    def _numbered(self, form: re.Pattern[str], text: str) -> int | None:
        found = form.fullmatch(text)
        return int(found[1]) - 1 if found and 1 <= int(found[1]) <= self._count else None

    def alike(self, key: Any) -> int | None:
        """The place of the one criterion whose slug opens that of the key, stands in it, or is opened by it."""
        said = slug_of(as_text(key))
        if not said:
            return None
        for fits in (said.startswith, lambda slug: f"_{slug}_" in f"_{said}_", lambda slug: slug.startswith(said)):
            places = [place for slug, place in self._slugs.items() if fits(slug)]
            if places:
                return places[0] if len(places) == 1 else None
        return None


def truth(value: Any, *, of_pitfall: bool = False) -> bool | None:
    """Whether an answer is a yes, None when it says neither.

    A text says what it opens with; a number is a yes above 0; of an answer that comes with its own reason
    (`{"met": true, "reason": "..."}`) the verdict counts, for a pitfall first whether it is exhibited.

    >>> [truth(v) for v in (True, 0, "No, it did not", "unsure", None, {"met": "yes"})]
    [True, False, False, None, None, True]
    """
    if is_mapping(value):
        fields = _PITFALL_FIELDS if of_pitfall else _RULE_FIELDS
        plain = (truth(value[name]) for name in fields if not is_mapping(value.get(name, value)))
        return next((answer for answer in plain if answer is not None), None)
    if is_bool(value):
        return bool(value)
    read = finite(value)
    if read is not None:
        return read > 0
    return _opening(value) if isinstance(value, str) else None


def names_verdict(entry: Mapping[Any, Any]) -> bool:
    """Whether an answer holds its verdict under a name for it.

    >>> names_verdict({"met": None}), names_verdict({"Polite tone": True})
    (True, False)
    """
    return any(name in entry for name in _RULE_FIELDS)


def _opening(text: str) -> bool | None:
    """What the first word of a text says; nothing when the next ones take it back ("yes and no", "not sure")."""
    found = _OPENING.match(text)
    if found is None or (said := _WORDS.get(found[1].lower())) is None:
        return None
    if not said and _UNSURE.match(text, found.end()):
        return None
    after = _TAKEN_BACK.match(text, found.end())
    return None if after and _WORDS.get(after[1].lower(), said) is not said else said
