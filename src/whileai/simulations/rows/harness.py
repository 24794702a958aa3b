"""Simulator vocabulary: words of the machinery that writes an episode, which nobody in the episode would say."""

from __future__ import annotations

import re

_OWN = (  # said by nobody but a simulator
    "user_turn", "assistant_turn", "agent_turn", "scenario_dimensions", "tool_condition", "ask_family",
    "scene brief", "scene_brief", "situation card", "situation_card", "entity_missing", "duplicate_entity",
)  # fmt: skip
_SHARED = ("world_state", "region_id", "entity missing", "duplicate entity")  # a developer's program may use them too
_WORDS = {word: re.compile(rf"(?<!\w){re.escape(word)}(?!\w)") for word in (*_OWN, *_SHARED)}
_ABOUT_A_PROGRAM = re.compile(
    r"`|\b(?:columns?|tables?|quer(?:y|ies)|sql|join|database|schema|migrations?|exceptions?|traceback|functions?"
    r"|class(?:es)?|variables?|parameters?|endpoints?|repo|foreign key|null|struct|enum|hibernate|unity|redux)\b"
)


def harness_word(text: str) -> str | None:
    """The first word of simulator vocabulary in a text, lower case; None when there is none.

    `world_state`, `region_id` and the like are also names in people's programs: where a text is about one (a column,
    a query, code in backticks) they are not taken for a leak.

    >>> harness_word("The scenario_dimensions say you are upset.")
    'scenario_dimensions'
    >>> harness_word("Why is the region_id column null?"), harness_word("My scene briefly showed a dog harness.")
    (None, None)
    """
    low = text.lower()
    if "_" not in low and "scene b" not in low and "situation c" not in low and "entity" not in low:
        return None  # every word has one of these
    found = _first(low, _OWN)
    if found is None and (found := _first(low, _SHARED)) is not None and _ABOUT_A_PROGRAM.search(low):
        return None
    return found


def _first(low: str, words: tuple[str, ...]) -> str | None:
    places = [(place.start(), word) for word in words if word in low and (place := _WORDS[word].search(low))]
    return min(places)[1] if places else None
