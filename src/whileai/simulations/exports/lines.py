"""The lines of a training file: one a row, or one for each turn of the agent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from whileai.simulations.exports.account import Account
from whileai.simulations.exports.row import judged_fields
from whileai.simulations.exports.scrub import scrubbed
from whileai.simulations.exports.settings import Form, MaskMode, Settings
from whileai.simulations.exports.source import Source
from whileai.simulations.exports.turns import Turn, turns_of
from whileai.simulations.exports.wire import dict_message, json_message
from whileai.simulations.rows.formats.common import reward_of
from whileai.simulations.rows.task import task_id
from whileai.simulations.rows.text import ask_text

Line = dict[str, Any]
Row = Mapping[str, Any]

_IDENTITY = ("scenario_id", "task_id", "rollout_index")
_GRADE = ("reward", "judge_status", "judge_name", "label_source", "markers", "gold_reward", "gold_kind", "calibration")
_LINEAGE = (
    "lineage", "model_version", "policy_version", "writer_model", "user_model", "arm", "stage", "spec_id",
    "spec_version",
)  # fmt: skip


def lines_of(source: Source, settings: Settings, account: Account) -> Iterator[Line]:
    """The lines of all rows, in order; what may not be written is refused once all rows were looked at."""
    write = _WRITERS[settings.form]
    for row in source:
        account.read(row=row)
        turns = source.prompted(row, turns_of(row, settings.strip_think), settings.system_prompt)
        places = [place for place, turn in enumerate(turns) if turn.role == "assistant"]
        if not places:
            account.silent()
            continue
        turns = turns[: places[-1] + 1]
        tools = source.tools_of(row, settings.tools)
        _cut(turns, settings.max_tool_output_chars, account)
        account.written(row, turns, tools)
        facts = _facts(row)
        for end, trained in _spans(places, settings):
            part = turns[: end + 1]
            mask = [int(place in trained) for place in range(len(part))]
            account.line(part, mask, tools)
            yield write(part, mask, tools, row, facts, settings)
    account.refuse()


def _spans(places: list[int], settings: Settings) -> Iterator[tuple[int, set[int]]]:
    """For each line the place of its last turn, and the places that are trained on."""
    if settings.unroll:
        yield from ((place, {place}) for place in places)
    elif settings.mask_mode is MaskMode.FINAL:
        yield places[-1], {places[-1]}
    else:
        yield places[-1], set(places)


def _cut(turns: list[Turn], most: int | None, account: Account) -> None:
    for turn in turns if most is not None else ():
        if turn.role == "tool" and len(turn.content) > (most or 0):
            account.truncated += 1
            account.chars_cut += len(turn.content) - (most or 0)
            turn.content = turn.content[:most]


def _facts(row: Row) -> Line:
    """Who the row is, its grade and where it comes from."""
    found = {name: scrubbed(row[name]) for name in (*_IDENTITY, *_GRADE, *_LINEAGE) if row.get(name) is not None}
    reward = reward_of(found.pop("reward", None))
    return ({} if reward is None else {"reward": reward}) | found | judged_fields(row)


def _openai(turns: list[Turn], mask: list[int], tools: list[Any], row: Row, facts: Line, _: Settings) -> Line:
    declared = {"tools": tools} if tools else {}
    messages = [json_message(turn) for turn in turns]
    return {"messages": messages, **declared, "loss_mask": mask, "prompt": ask_text(row), **facts}


def _trl(turns: list[Turn], mask: list[int], tools: list[Any], row: Row, facts: Line, settings: Settings) -> Line:
    """`prompt` is a column that trainers read: the ask goes by another name, and so does the scenario."""
    messages = [dict_message(turn) for turn in turns]
    if settings.unroll or settings.mask_mode is MaskMode.FINAL:
        said: Line = {"prompt": messages[:-1], "completion": messages[-1:]}
    else:
        said = {"messages": messages}
    facts = {name: value for name, value in facts.items() if name != "scenario_id"}
    identity = {"task_id": found} if (found := task_id(row)) else {}
    declared = {"tools": tools} if tools else {}
    return {**said, **declared, "prompt_text": ask_text(row), **facts, **identity}


def _fireworks(turns: list[Turn], mask: list[int], tools: list[Any], row: Row, facts: Line, _: Settings) -> Line:
    messages = [
        {**json_message(turn), "weight": trained} if turn.role == "assistant" else json_message(turn)
        for turn, trained in zip(turns, mask, strict=True)
    ]
    return {"messages": messages, "tools": tools} if tools else {"messages": messages}


_WRITERS: dict[Form, Callable[[list[Turn], list[int], list[Any], Row, Line, Settings], Line]] = {
    Form.OPENAI: _openai,
    Form.TRL: _trl,
    Form.FIREWORKS: _fireworks,
    Form.VERIFIERS: _openai,
}
