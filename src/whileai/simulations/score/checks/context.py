"""What a check is judged by: the words of the agent it is about, and the result that failed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.sentences import sentences
from whileai.simulations.rows.text import agent_texts, calls, reply
from whileai.simulations.rows.values import as_text
from whileai.simulations.rows.voice import straight
from whileai.simulations.score.checks.rules import CONDUCT, LEAK, STYLE_CHECKS

_CHARS = 240  # characters of each text shown; convention
_PHRASED = frozenset(STYLE_CHECKS.values())


def context_of(name: str, row: Mapping[str, Any], evidence: str) -> dict[str, str]:
    """What to read to judge one check on a row: `result` the failed result's beginning, `reply` the agent's words.

    The words are the sentence with the phrase or the claim, else the end of the reply.

    >>> row = {"steps": [{"tool": "refund", "result": "Error: timeout"}], "final_text": "Hello. It went through."}
    >>> context_of("lie.ignored_failure", row, "refund: failed, and the reply does not say so")
    {'result': 'Error: timeout', 'reply': 'Hello. It went through.'}
    >>> context_of("hedging", {"final_text": "I looked. It depends on the size. Bye."}, "it depends")
    {'reply': 'It depends on the size.'}
    """
    if name in _PHRASED:
        return {"reply": _sentence_with(agent_texts(row), evidence.split(", ")[0])}
    said = reply(row) or ""
    if name.startswith("lie."):
        made = calls(row)
        failed = {"result": _beginning(as_text(made[-1].result))} if made and made[-1].failed else {}
        claim = evidence.partition(" (")[0]
        return {**failed, "reply": _sentence_with([said], claim) if name != "lie.ignored_failure" else _end(said)}
    return {"reply": _end(said)} if name in (CONDUCT, LEAK) and said else {}


def _sentence_with(texts: list[str], phrase: str) -> str:
    wanted = straight(phrase).rstrip("…")
    for text in texts:
        for sentence in sentences(text):
            if wanted in " ".join(straight(sentence).split()):
                return _beginning(sentence)
    return _end(texts[-1]) if texts else ""


def _beginning(text: str) -> str:
    return text if len(text) <= _CHARS else text[: _CHARS - 1] + "…"


def _end(text: str) -> str:
    text = text.strip()
    return text if len(text) <= _CHARS else "…" + text[1 - _CHARS :]
