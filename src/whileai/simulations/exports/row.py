"""`exported_row`: a row as it may leave the house, without what only the teacher was told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from whileai.simulations.defaults import LEAK_MIN_QUOTE_CHARS
from whileai.simulations.exports.scrub import Quotes, leaves, scrubbed
from whileai.simulations.exports.turns import turns_of
from whileai.simulations.exports.wire import json_message
from whileai.simulations.rows.content import texts_in
from whileai.simulations.rows.heard import heard
from whileai.simulations.rows.single import need_row
from whileai.simulations.rows.task import task_key
from whileai.simulations.rows.values import as_text
from whileai.simulations.score.secrets import untold_leak

_EPISODE = frozenset({"steps", "tool_trace", "trace", "messages", "prompt", "tools"})
_JUDGED = ("reason", "grader_reason", "judge_meta", "gold_labels")  # the words of judges that a training file holds
_LABELS = (  # what a row says of its situation in the words of the grid, which is no secret
    "scenario_dimensions", "world_state", "faults", "stance", "tier", "tone", "length", "ask", "ask_family",
    "vagueness", "phrasing", "pressure", "user", "texture", "history",
)  # fmt: skip
_UNKNOWN = ("", "unspecified", "unknown")


def exported_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of a row for others: no privileged key at any depth, no key that starts with `_`, no None.

    Private are `privileged`, `principle`, `hidden_state`, `reference`, `rubric` and `vector`. What a tool was called
    with and what it returned is the episode itself: there None stays, and so do `reference` and `vector`, which tools
    have as fields of their own. Words beside the episode (`reason`, `judge_meta`, a note of your own) that quote the
    block are withheld. `messages` are rebuilt from the steps where there are none; a `world_state` that says nothing
    is left out. A row nested too deep to copy is a ValueError.

    >>> row = {"prompt": "Hi", "final_text": "Hello.", "reward": None, "_n": 1, "meta": {"rubric": "short", "k": 1}}
    >>> exported_row(row)["meta"], sorted(exported_row(row))
    ({'k': 1}, ['final_text', 'messages', 'meta', 'prompt'])
    """
    need_row("exported_row", row)
    try:
        kept = _kept(row)
        messages = row.get("messages")
        if not (isinstance(messages, list | tuple) and messages) and (turns := turns_of(row)):
            kept["messages"] = [json_message(turn) for turn in turns]
    except RecursionError:
        raise ValueError(
            f"the row of task {task_key(row)!r} is nested too deep to copy: cut its tool results"
        ) from None
    return kept


def fit_for_files(rows: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The rows as a file may hold them: one with a `privileged` block as it is exported, any other as it stands.

    >>> [dict(row) for row in fit_for_files([{"reward": 1}, {"reward": 0, "privileged": {"principle": "Ask first."}}])]
    [{'reward': 1}, {'reward': 0}]
    """
    return (exported_row(dict(row)) if "privileged" in row else row for row in rows)


def _kept(row: Mapping[str, Any]) -> dict[str, Any]:
    quotes = _quoting(row)
    kept = {
        name: scrubbed(item, episode=True)
        if name in _EPISODE
        else scrubbed(item, quotes=None if name == "final_text" or name in _LABELS else quotes)
        for name, item in row.items()
        if leaves(name, item)
    }
    if as_text(kept.get("world_state")).strip().lower() in _UNKNOWN:
        kept.pop("world_state", None)
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
    if not block:
        return None
    told: list[str] = []

    def quotes(text: str) -> bool:
        if len(text) < LEAK_MIN_QUOTE_CHARS or untold_leak({"privileged": block, "final_text": text}) is None:
            return False
        if not told:
            labels = (row.get(name) for name in _LABELS)
            told.append(
                " ".join([*map(as_text, heard(row).told), *(text for label in labels for text in texts_in(label))])
            )
        return untold_leak({"privileged": block, "final_text": text, "prompt": told[0]}) is not None

    return quotes
