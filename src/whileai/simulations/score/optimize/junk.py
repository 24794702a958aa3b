"""Rows whose reply teaches nothing: blank, broken, cut, or not the agent's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from whileai.simulations.defaults import TRUNCATED_REPLY_CHARS
from whileai.simulations.rows.endings import is_degenerate, is_stub, is_truncated, reads_finished
from whileai.simulations.rows.harness import harness_word
from whileai.simulations.rows.text import agent_texts, calls
from whileai.simulations.rows.words import words
from whileai.simulations.score.optimize.closing import is_closed
from whileai.simulations.score.optimize.spoken import final_reply, heard_words, last_role, user_words

_URL = re.compile(r"\s*+https?://\S{1,300}+\s++(?=\S)")
_RUNNER_STUB = "<agent error"
_MARKUP = ("<tool_call>", "</tool_call>")
_QUOTED_TAG = re.compile(r"(?<!`)`[^`\n{]{1,80}+`(?!`)")
_ANSWERED = "<tool_response>"
_SCHEMA = ('"name"', '"description"', '"parameters"')
_FENCE = "```"
_NO_LEAK = frozenset({"region_id", "world_state", "entity missing", "duplicate entity"})  # people say these too
_COMMON = frozenset({"situation card", "scene brief"})  # a shop may have one, and a film
_POSTED = re.compile(  # a card that is a thing
    r"\bsituation card (?:has been|was|is being|will be|is) (?:mailed|sent|shipped|posted|issued|printed|delivered)\b",
    re.IGNORECASE,
)
_WRONG_SIDE = frozenset({"user", "human", "tool", "function", "observation", "ipython"})
_ASKS = ("?", "？", "؟")
_FEW_WORDS = 2  # words of an ask that says nothing yet; convention
_UNSPACED = re.compile(r"[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff]")  # Thai, Lao, Tibetan, Burmese, Khmer
_UNSPACED_CHARS = 12  # characters of an ask in such a script that is more than a greeting; convention


def is_junk(row: Mapping[str, Any]) -> bool:
    """Whether a row's reply is none that a model should learn from.

    Blank; a stub of the runner or of an HTTP error; one letter in a loop; words of the simulator; raw tool markup or a
    printed tool schema (the parser broke); more than 600 characters that do not read as finished; a conversation that
    ends on the user or a tool without being closed there; a greeting answered by a question without any call.

    >>> is_junk({"final_text": "503 Service Unavailable"}), is_junk({"final_text": "It ships today."})
    (True, False)
    """
    text = final_reply(row)
    if not text:
        return not calls(row) or not (last_role(row) == "assistant" or is_closed(row))
    return (
        (is_stub(_after_url(text)) and _is_no_answer(row, text))
        or is_degenerate(text)
        or _leaks_harness(row, text)
        or any(map(has_markup, agent_texts(row)))
        or _prints_schema(text)
        or _is_cut(row, text)
        or (last_role(row) in _WRONG_SIDE and not is_closed(row))
        or _is_stub_exchange(row, text)
    )


def _after_url(text: str) -> str:
    """The text less a URL it starts with, as a client prints it ahead of an error; a URL alone stays."""
    found = _URL.match(text)
    return text[found.end() :] if found else text


def _is_no_answer(row: Mapping[str, Any], text: str) -> bool:
    """Whether a stub is all there is: an HTTP error after a tool call may be what the agent reports."""
    return text.lstrip()[: len(_RUNNER_STUB)].lower() == _RUNNER_STUB or not calls(row)


def _leaks_harness(row: Mapping[str, Any], text: str) -> bool:
    """Whether a reply uses a word of the simulator; a card or a brief that the user or a tool named is their own."""
    if harness_word(text) is None:
        return False
    word = harness_word(_POSTED.sub("", text))
    if word is None or word in _NO_LEAK:
        return False
    return word not in _COMMON or word not in heard_words(row).lower()


def has_markup(text: str) -> bool:
    """Whether a call stands in the words as the model wrote it.

    One with its answer beside it was run, and a tag alone between backticks is talked about.
    """
    low = text.lower() if "<" in text else ""
    if _ANSWERED in low or not any(tag in low for tag in _MARKUP):
        return False
    low = _QUOTED_TAG.sub("", low)
    return any(tag in low for tag in _MARKUP)


def _prints_schema(text: str) -> bool:
    """Whether a tool's schema stands in the reply; one in a code block, with words around it, was asked for."""
    if _SCHEMA[-1] not in text:
        return False
    around = "".join(text.split(_FENCE)[::2])
    at = 0
    for name in _SCHEMA:
        at = (around if around.strip() else text).find(name, at)
        if at < 0:
            return False
    return True


def _is_cut(row: Mapping[str, Any], text: str) -> bool:
    """Whether a long reply stops before its end, and the engine does not say that it ended there by itself."""
    if len(text) <= TRUNCATED_REPLY_CHARS or row.get("overlong") or reads_finished(text):
        return False
    return is_truncated({"final_text": text, "finish_reason": row.get("finish_reason")})


def _is_stub_exchange(row: Mapping[str, Any], text: str) -> bool:
    if not text.rstrip().endswith(_ASKS) or calls(row):
        return False
    ask = user_words(row)
    return len(words(ask)) <= _FEW_WORDS and not (len(ask) > _UNSPACED_CHARS and _UNSPACED.search(ask))
