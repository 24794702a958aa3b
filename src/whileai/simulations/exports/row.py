"""`exported_row`: a row as it may leave the house, without what only the teacher was told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.defaults import LEAK_MIN_QUOTE_CHARS
from whileai.simulations.exports.scrub import Quotes, leaves, scrubbed, texts_in
from whileai.simulations.exports.turns import turns_of
from whileai.simulations.exports.wire import json_message
from whileai.simulations.rows.heard import heard
from whileai.simulations.rows.single import need_row
from whileai.simulations.rows.values import as_text, is_mapping
from whileai.simulations.score.privileged import untold_leak

_EPISODE = frozenset({"steps", "tool_trace", "trace", "messages", "prompt", "tools"})
_JUDGED = ("reason", "grader_reason", "judge_meta", "gold_labels")  # the words of somebody who may have seen the block
_UNKNOWN = ("", "unspecified", "unknown")


def exported_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of a row for others: no privileged key at any depth, no key that starts with `_`, no None.

    Private are `privileged`, `principle`, `hidden_state`, `reference`, `rubric` and `vector`. What a tool was called
    with and what it returned is the episode itself: there None stays, and so do `reference` and `vector`, which tools
    have as fields of their own. A judge's words (`reason`, `judge_meta`, ...) that quote the block are withheld.
    `messages` are rebuilt from the steps where there are none; a `world_state` that says nothing is left out.

    >>> row = {"prompt": "Hi", "final_text": "Hello.", "reward": None, "_n": 1, "meta": {"rubric": "short", "k": 1}}
    >>> exported_row(row)["meta"], sorted(exported_row(row))
    ({'k': 1}, ['final_text', 'messages', 'meta', 'prompt'])
    """
    need_row("exported_row", row)
    judged = judged_fields(row)
    kept = {
        name: judged[name] if name in judged else scrubbed(item, episode=name in _EPISODE)
        for name, item in row.items()
        if leaves(name, item)
    }
    if as_text(kept.get("world_state")).strip().lower() in _UNKNOWN:
        kept.pop("world_state", None)
    messages = row.get("messages")
    if not (isinstance(messages, list | tuple) and messages) and (turns := turns_of(row)):
        kept["messages"] = [json_message(turn) for turn in turns]
    return kept


def judged_fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """What judges said of a row, scrubbed, each text that quotes the privileged block withheld.

    >>> secret = {"reference": "the seal was broken"}
    >>> judged_fields({"reason": "Right: the seal was broken.", "privileged": secret})
    {'reason': '(withheld: it quotes the privileged block)'}
    """
    said = {name: row[name] for name in _JUDGED if row.get(name) is not None}
    quotes = _quoting(row) if said else None
    return {name: scrubbed(value, quotes=quotes) for name, value in said.items()}


def _quoting(row: Mapping[str, Any]) -> Quotes | None:
    """Whether a text quotes the privileged block of a row in what nobody was told, in the episode or by its labels."""
    block = row.get("privileged")
    if not is_mapping(block) or not block:
        return None
    told: list[str] = []

    def quotes(text: str) -> bool:
        if len(text) < LEAK_MIN_QUOTE_CHARS or untold_leak({"privileged": block, "final_text": text}) is None:
            return False
        if not told:
            told.append(" ".join([*map(as_text, heard(row).told), *texts_in(_labels(row))]))
        return untold_leak({"privileged": block, "final_text": text, "prompt": told[0]}) is not None

    return quotes


def _labels(row: Mapping[str, Any]) -> dict[str, Any]:
    """What the exported row says of itself beside the episode and the judges' words: its dimensions, its faults, ..."""
    apart = (*_EPISODE, *_JUDGED, "final_text")
    return {name: scrubbed(value) for name, value in row.items() if name not in apart and leaves(name, value)}
