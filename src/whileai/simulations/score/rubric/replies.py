"""The answers in a model's reply, by the keys it gave them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from whileai.simulations.rows.values import as_text, is_mapping
from whileai.simulations.score.rubric.answers import Names, names_verdict, truth
from whileai.simulations.score.rubric.criterion import PITFALL, Criterion

_NAME_FIELDS = ("title", "criterion", "name", "item", "number", "id")


def answers_in(reply: Any, criteria: Sequence[Criterion]) -> dict[str, bool] | None:
    """The answers of a reply by their own keys: a dict, a list of dicts that name their item, or of plain answers.

    None when there are none to read, or when they count the items from 0: the numbers would name the wrong ones.
    Answers that say neither yes nor no are left out.

    >>> criteria = (Criterion("Polite"), Criterion("Exact"))
    >>> answers_in({"1": "yes", "2": None}, criteria), answers_in([{"title": "Polite", "met": False}], criteria)
    ({'1': True}, {'Polite': False})
    >>> answers_in("fine", criteria), answers_in({"0": True, "1": False}, criteria)
    (None, None)
    """
    found, named = _by_key(reply), Names(criteria)
    if found is None or any(map(named.from_zero, found)):
        return None
    answers: dict[str, bool] = {}
    for key, value in found.items():
        place = named.of(key)
        answer = truth(value, of_pitfall=place is not None and criteria[place].kind == PITFALL)
        if answer is not None:
            answers[key] = answer
    return answers


def _by_key(reply: Any) -> Mapping[str, Any] | None:
    if is_mapping(reply):
        return {as_text(key): value for key, value in reply.items()}
    if not isinstance(reply, list):
        return None
    named = [_named(entry, place) for place, entry in enumerate(reply, 1)]
    found = {name: entry for name, entry in named if name is not None}
    return None if reply and not found else found


def _named(entry: Any, place: int) -> tuple[str | None, Any]:
    """The key of an answer in a list (None when it has none) and the answer."""
    if not is_mapping(entry):
        return (str(place) if isinstance(entry, bool) else None), entry
    name = next((text for field in _NAME_FIELDS if (text := as_text(entry.get(field)).strip())), None)
    if name is None and len(entry) == 1 and not names_verdict(entry):
        [(key, answer)] = entry.items()
        return as_text(key), answer
    return name, entry
