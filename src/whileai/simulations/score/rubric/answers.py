"""Which criterion an answer is for, and whether it says yes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from whileai.simulations.rows.values import as_text, finite, is_bool, is_mapping
from whileai.simulations.score.rubric.criterion import Criterion, slug_of

_NUMBER = re.compile(r"\s*+#?(\d{1,6})\s*+[.):]?\s*+")
_LABELLED = re.compile(r"\s*+(?:item|criteri(?:on|a)|rule|no)[\s_#.:-]*+(\d{1,6})\s*+[.):]?\s*+", re.IGNORECASE)
_YES = frozenset({"true", "yes", "y", "met", "1", "pass", "passed"})
_NO = frozenset({"false", "no", "n", "not met", "unmet", "missed", "0", "fail", "failed", "none", "n/a", ""})
_VERDICT_FIELDS = ("met", "value", "verdict", "answer", "result", "satisfied", "passed", "exhibited")


def answers_of(results: Mapping[Any, Any], criteria: Sequence[Criterion]) -> list[bool | None]:
    """The answer for each criterion, None where there is none.

    A key that names a criterion beats one that only paraphrases it; of two that name it the later one counts.
    """
    found: list[bool | None] = [None] * len(criteria)
    named = _Names(criteria)
    for exactly in (False, True):
        for key, value in results.items():
            place = named.exact(key)
            if (place is not None) is not exactly:
                continue
            place = named.alike(key) if place is None else place
            answer = truth(value)
            if place is not None and answer is not None:
                found[place] = answer
    return found


class _Names:
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


def truth(value: Any) -> bool | None:
    """Whether a value says yes, None when it says nothing; a text is a no only when it means no.

    >>> [truth(v) for v in (True, 0, "no", "partly", None, {"met": "yes"})]
    [True, False, False, True, None, True]
    """
    value = unwrapped(value)
    if value is None or is_bool(value):
        return None if value is None else bool(value)
    if isinstance(value, str):
        return _word(value) not in _NO
    read = finite(value)
    return read > 0 if read is not None else None


def says_yes(value: Any) -> bool | None:
    """Whether a model's answer is a yes, None when it gave none; a text is a yes only when it is a word for it.

    >>> [says_yes(v) for v in (True, 0.5, " Met. ", "partly", None)]
    [True, True, True, False, None]
    """
    value = unwrapped(value)
    return _word(value) in _YES if isinstance(value, str) else truth(value)


def unwrapped(value: Any) -> Any:
    """The verdict of an answer that comes with its own reason (`{"met": true, "reason": "..."}`), else the answer."""
    if not is_mapping(value):
        return value
    return next((value[name] for name in _VERDICT_FIELDS if not is_mapping(value.get(name, value))), None)


def _word(text: str) -> str:
    return text.strip(" \t\r\n.!").lower()
