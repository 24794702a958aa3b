"""The texts that only the teacher was told, and whether the agent said them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whileai.simulations.rows.content import texts_in
from whileai.simulations.rows.heard import heard
from whileai.simulations.rows.text import agent_texts
from whileai.simulations.rows.values import as_text, is_mapping
from whileai.simulations.rows.voice import straight

SEARCHED = ("reference", "principle", "hidden_state")  # keys of the privileged block, in order
MIN_LEN = 12  # characters of a value below which it is not searched; convention
_FIRST_WORDS = 8  # of a needle, looked for one by one before the whole of it
_THOUGHT_FIELDS = ("reasoning_content", "reasoning", "thinking", "thought")  # of messages, in the field's APIs


def untold_leak(row: Mapping[str, Any], min_len: int = MIN_LEN) -> tuple[str, str] | None:
    """The first privileged text a row's agent quotes without having been told it, as `(field, text)`; None of none.

    Searched are what it says, what it thinks (`reasoning_content`) and what it calls tools with. What a user, a prompt
    or a tool's result said is no secret: a reference may well name the user's own id. A call is held against what came
    before it, since a tool may say again what it was given. A block that is a text or a list counts as a whole.

    >>> row = {"privileged": {"reference": ["the seal was broken"]}, "final_text": "The seal was broken, sorry."}
    >>> untold_leak(row), untold_leak({**row, "prompt": "It came and the seal was broken."})
    (('reference', 'the seal was broken'), None)
    >>> step = {"tool": "note", "arguments": {"text": "the seal was broken"}, "result": "the seal was broken"}
    >>> untold_leak({**row, "steps": [step]})
    ('reference', 'the seal was broken')
    """
    needles = list(_secrets(row, min_len))
    if not needles:
        return None
    spoken = _comparable("\x00".join([*agent_texts(row), *_thoughts(row)]))
    found = heard(row)
    calls = [(before, _comparable("\x00".join(texts_in(arguments)))) for before, _, arguments in found.calls]
    said = "\x00".join([spoken, *(text for _, text in calls)])
    quoted = [item for item in needles if straight(item[1]) in said]
    if not quoted:
        return None
    told = [_comparable(as_text(text)) for text in found.told]

    def untold(needle: str) -> bool:
        first = next((at for at, text in enumerate(told) if needle in text), len(told))
        never = first == len(told) and needle not in " ".join(told)
        return (never and needle in spoken) or any(before <= first and needle in text for before, text in calls)

    return next((item for item in quoted if untold(straight(item[1]))), None)


def holds_secrets(row: Mapping[str, Any], min_len: int = MIN_LEN) -> bool:
    """Whether a row's `privileged` block holds a text long enough to be looked for.

    >>> holds_secrets({"privileged": {"reference": "the seal was broken"}}), holds_secrets({"privileged": {}})
    (True, False)
    """
    return next(_secrets(row, min_len), None) is not None


def first_quoted(row: Mapping[str, Any], needles: list[tuple[str, str]]) -> tuple[str, str] | None:
    """The first of the needles that the agent said, told or not; None of none."""
    said = straight("\x00".join(agent_texts(row)))
    likely = [hit for hit in needles if _has_words_of(said, straight(hit[1]))]
    if not likely:
        return None
    said = " ".join(said.split())
    return next((hit for hit in likely if straight(hit[1]) in said), None)


def _has_words_of(said: str, needle: str) -> bool:
    """Whether the first words of a needle stand in a text, asked before the blanks of the text are made single."""
    return all(word in said for word in needle.split(None, _FIRST_WORDS)[:_FIRST_WORDS])


def _secrets(row: Mapping[str, Any], min_len: int) -> Iterator[tuple[str, str]]:
    """The texts of a row's block, one that is a text or a list included."""
    block = row.get("privileged")
    return needles_of(block if is_mapping(block) else {SEARCHED[0]: block}, max(1, min_len))


def needles_of(block: Mapping[str, Any], least: int) -> Iterator[tuple[str, str]]:
    """Every text of the block that is long enough: its dotted field, the text in lower case with single blanks."""
    pending = [(name, value) for name in reversed(SEARCHED) if (value := block.get(name)) is not None]
    while pending:
        field, value = pending.pop()
        if isinstance(value, str):
            needle = " ".join(value.lower().split())
            if len(needle) >= least:
                yield field, needle
        elif is_mapping(value):
            pending += [(f"{field}.{as_text(key)}", value[key]) for key in reversed(list(value))]
        elif isinstance(value, list | tuple):
            pending += [(field, item) for item in reversed(value)]


def _thoughts(row: Mapping[str, Any]) -> Iterator[str]:
    """What the agent thought, where messages hold it apart from what it said."""
    messages = row.get("messages")
    for message in messages if isinstance(messages, list | tuple) else ():
        if is_mapping(message):
            yield from texts_in([message.get(name) for name in _THOUGHT_FIELDS])


def _comparable(text: str) -> str:
    return " ".join(straight(text).split())
