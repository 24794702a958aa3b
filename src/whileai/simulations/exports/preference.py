"""`export_preference`: chosen and rejected conversations as a file for preference training."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from whileai.simulations.errors import keys_found
from whileai.simulations.exports.account import Account
from whileai.simulations.exports.scrub import scrubbed
from whileai.simulations.exports.settings import Form, Settings
from whileai.simulations.exports.source import Source
from whileai.simulations.exports.turns import Turn, turns_of
from whileai.simulations.exports.wire import dict_message, json_message
from whileai.simulations.exports.write import checked_output, write_lines
from whileai.simulations.reports import Report, counted, printable, wrapped
from whileai.simulations.rows.text import ask_text, prompt_text
from whileai.simulations.rows.values import is_mapping
from whileai.simulations.signature import public

_FORMS = (Form.OPENAI, Form.TRL, Form.FIREWORKS)
_FACTS = ("chosen_score", "rejected_score", "margin", "chosen_model", "rejected_model", "same_policy", "lineage")

Line = dict[str, Any]


@dataclass(slots=True)
class _Pair:
    """Two conversations, and how many of their first turns are the same."""

    entry: Mapping[str, Any]
    prompt: str
    chosen: list[Turn]
    rejected: list[Turn]
    tools: list[Any]
    shared: int

    @property
    def is_tie(self) -> bool:
        return self.entry.get("tie") is True or len(self.chosen) == len(self.rejected) == self.shared

    @property
    def parts_at_a_turn(self) -> bool:
        """Whether, told the same, the agent says one thing on one side and another thing on the other."""
        at = self.shared
        return 0 < at < min(len(self.chosen), len(self.rejected)) and all(
            side[at].role == "assistant" for side in (self.chosen, self.rejected)
        )


@public
def export_preference(
    pairs: Any,
    output: str | os.PathLike[str] | None = None,
    *,
    system_prompt: str | None = None,
    tools: Iterable[Any] | None = None,
    strip_think: bool = True,
    validate: bool = True,
    drop_ties: bool = True,
    format: str = "openai",  # noqa: A002
) -> Report:
    """Write preference pairs as a training file, whole or not at all, and say what is in it.

    A pair has `chosen` and `rejected`: rows, as `build_preference_pairs` makes them, conversations or texts, with
    their `prompt`. Formats: `openai` has `prompt` (text) and both conversations whole; `trl` the turns both share as
    `prompt` and one turn of the agent a side; `fireworks` the same as `input.messages`, `preferred_output`,
    `non_preferred_output`. A pair whose sides part where no agent speaks (a tool answered differently, one side ends)
    has no such turn and is left out of those two, and said. `drop_ties` leaves out pairs that a judge called a tie or
    whose sides are the same. Entries that are no pairs are a ValueError; `validate` as in `export_training`.

    >>> import tempfile
    >>> pair = {"prompt": "Sky?", "chosen": {"final_text": "Blue."}, "rejected": {"final_text": "Red."}}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = export_preference([pair, {**pair, "tie": True}], folder + "/pairs.jsonl", format="trl")
    >>> report["n"], report["n_written"], report["ties_dropped"]
    (2, 1, 1)
    """
    settings = Settings.checked(
        _FORMS, form=format, system_prompt=system_prompt, tools=tools, strip_think=strip_think, validate=validate
    )
    checked_output(output)
    account, left_out = Account(settings, "pair"), {"ties": 0, "apart": 0}
    lines = _lines(Source.of(pairs), settings, account, drop_ties, left_out)
    written = write_lines(lines, output)
    found = {
        "path": None if output is None else os.fspath(output),
        "n": account.n,
        "n_written": written,
        "format": settings.form.value,
        "with_system": account.with_system,
        "with_tools": account.with_tools,
        "groups": account.groups(),
        "ties_dropped": left_out["ties"],
        "not_comparable": left_out["apart"],
        "tool_call_roundtrip": account.roundtrip(),
        "privileged_leaks": account.leaks.report(),
        "warnings": [*_warnings(left_out), *account.warnings()],
    }
    return Report(found, show=_shown)


def _lines(
    pairs: Source, settings: Settings, account: Account, drop_ties: bool, left_out: dict[str, int]
) -> Iterator[Line]:
    write = _WRITERS[settings.form]
    for number, entry in enumerate(pairs, 1):
        chosen, rejected = (_side(entry, name, number) for name in ("chosen", "rejected"))
        account.read(chosen=chosen, rejected=rejected)
        pair = _pair(entry, chosen, rejected, pairs, settings)
        if not pair.chosen or not pair.rejected:
            account.silent()
        elif pair.is_tie and drop_ties:
            left_out["ties"] += 1
        elif settings.form is not Form.OPENAI and not pair.parts_at_a_turn:
            left_out["apart"] += 1
        else:
            account.episodes(chosen, [pair.chosen, pair.rejected], pair.tools)
            account.line(pair.chosen, [0] * len(pair.chosen), pair.tools)
            yield write(pair)
    account.refuse()


def _side(entry: Mapping[str, Any], name: str, number: int) -> Mapping[str, Any]:
    """One side as a row: a row as it is, a conversation or a text with the prompt of the pair before it."""
    side = entry.get(name)
    if is_mapping(side):
        return side
    if not isinstance(side, str | list | tuple) or not side:
        raise ValueError(
            f"pair {number}: {name!r} must be a row, a conversation or a text, found {keys_found(side)} in an entry "
            f"with {keys_found(entry)}; build_preference_pairs(rows) makes pairs of graded rows"
        )
    return {"prompt": entry.get("prompt"), "messages": [*_opening(entry.get("prompt")), *_said(side)]}


def _opening(prompt: Any) -> list[Any]:
    if isinstance(prompt, str):
        return [{"role": "user", "content": prompt}] if prompt else []
    return list(prompt) if isinstance(prompt, list | tuple) else []


def _said(side: Any) -> list[Any]:
    return [{"role": "assistant", "content": side}] if isinstance(side, str) else list(side)


def _pair(
    entry: Mapping[str, Any], chosen: Mapping[str, Any], rejected: Mapping[str, Any], pairs: Source, settings: Settings
) -> _Pair:
    good, bad = (_conversation(row, entry, pairs, settings) for row in (chosen, rejected))
    prompt = entry.get("prompt")
    asked = prompt_text(prompt) if prompt is not None else ask_text(chosen)
    own = entry if entry.get("tools") is not None else chosen
    return _Pair(entry, asked, good, bad, pairs.tools_of(own, settings.tools), _shared(good, bad))


def _conversation(row: Mapping[str, Any], entry: Mapping[str, Any], pairs: Source, settings: Settings) -> list[Turn]:
    """The turns of a side up to the agent's last, none when the agent says nothing."""
    prompt = entry.get("prompt")
    asked = row if row.get("prompt") is not None or row.get("messages") else {**row, "prompt": prompt}
    turns = pairs.prompted(row, turns_of(asked, settings.strip_think), settings.system_prompt)
    places = [place for place, turn in enumerate(turns) if turn.role == "assistant"]
    return turns[: places[-1] + 1] if places else []


def _shared(chosen: list[Turn], rejected: list[Turn]) -> int:
    """How many first turns are the same; ids of calls are drawn anew in every rollout, so they do not count."""
    both = zip(chosen, rejected, strict=False)
    same = next((at for at, (one, other) in enumerate(both) if _told(one) != _told(other)), None)
    return min(len(chosen), len(rejected)) if same is None else same


def _told(turn: Turn) -> tuple[Any, ...]:
    calls = [(call.name, call.arguments, call.unreadable) for call in turn.calls]
    return turn.role, turn.content, calls


def _openai(pair: _Pair) -> Line:
    sides = {
        name: [json_message(turn) for turn in turns]
        for name, turns in (("chosen", pair.chosen), ("rejected", pair.rejected))
    }
    return {"prompt": pair.prompt, **sides, **_declared(pair), **_facts(pair)}


def _trl(pair: _Pair) -> Line:
    at = pair.shared
    prefix = [dict_message(turn) for turn in pair.chosen[:at]]
    chosen, rejected = ([dict_message(side[at])] for side in (pair.chosen, pair.rejected))
    return {"prompt": prefix, "chosen": chosen, "rejected": rejected, **_declared(pair), **_facts(pair)}


def _fireworks(pair: _Pair) -> Line:
    at = pair.shared
    asked = {"messages": [json_message(turn) for turn in pair.chosen[:at]], **_declared(pair)}
    chosen, rejected = ([json_message(side[at])] for side in (pair.chosen, pair.rejected))
    return {"input": asked, "preferred_output": chosen, "non_preferred_output": rejected}


def _declared(pair: _Pair) -> Line:
    return {"tools": pair.tools} if pair.tools else {}


def _facts(pair: _Pair) -> Line:
    return {name: scrubbed(pair.entry[name]) for name in _FACTS if pair.entry.get(name) is not None}


_WRITERS: dict[Form, Callable[[_Pair], Line]] = {Form.OPENAI: _openai, Form.TRL: _trl, Form.FIREWORKS: _fireworks}


def _warnings(left_out: Mapping[str, int]) -> Iterator[str]:
    if n := left_out["ties"]:
        yield f"{counted(n, 'tie')} left out: both sides say the same, or a judge found neither better"
    if n := left_out["apart"]:
        yield (
            f"{counted(n, 'pair')} left out: the sides do not part at a turn of the agent, so there is no one turn to "
            "prefer; format='openai' holds whole conversations"
        )


def _shown(report: Mapping[str, Any]) -> str:
    calls = report["tool_call_roundtrip"]
    target = f"written to {printable(report['path'])}" if report["path"] else "written: no output was named"
    lines = [
        f"{report['format']}: {counted(report['n_written'], 'line')} of {counted(report['n'], 'pair')} {target}",
        f"tasks {report['groups']:,}; lines with a system prompt {report['with_system']:,}, with tools "
        f"{report['with_tools']:,}",
        f"tool calls checked {calls['checked']:,}, changed by writing {calls['invalid']:,}",
        f"privileged text: {printable(report['privileged_leaks']['summary'])}",
    ]
    return "\n".join([*lines, *(line for note in report["warnings"] for line in wrapped(f"! {printable(note)}"))])
