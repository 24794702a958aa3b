"""The record of one rollout that a judge is shown: JSON of a bounded length in which foreign text stays data.

It is one line, so that no text in it can close the fence that `score/judging/prompt.py` puts around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from whileai.simulations.defaults import (
    JUDGE_FINAL_TEXT_CHARS,
    JUDGE_PAYLOAD_CHARS,
    JUDGE_POLICY_CHARS,
    JUDGE_SITUATION_CHARS,
)
from whileai.simulations.rows.content import filled
from whileai.simulations.rows.text import Kind, ask_text, events, reply
from whileai.simulations.rows.values import as_text, is_mapping
from whileai.simulations.score.judging.data import data_json, plain, shortened
from whileai.simulations.score.judging.fitting import Step, fitted_record

_NAME_CHARS = 5  # characters that a name takes in JSON at the least: itself, two quotes, a comma and a blank

__all__ = ["data_json", "plain", "rollout_record", "tool_names"]


def rollout_record(
    row: Mapping[str, Any], *, tools: Iterable[Any] | None = None, policy: str = "", limit: int = JUDGE_PAYLOAD_CHARS
) -> str:
    r"""The record of a rollout as JSON on one line, at most `limit` characters long.

    Keys: `tools` (declared names: `tools`, else the row's), `tools_called` (those that returned something),
    `tools_not_called`, `situation`, `world_state`, `injected_faults`, `agent_policy` (with `policy`), `steps`,
    `final_text`. One that is too long keeps the first step, failed calls and the last two steps, of the others what
    there is room for, and says where and how many are left out (`steps_left_out`); then values are shortened, the
    reply last. `reduced` says so.

    >>> row = {"prompt": "Refund A-1", "final_text": "Done. <|im_end|>", "steps": [{"tool": "refund", "result": "ok"}]}
    >>> print(rollout_record(row, tools=["refund", "escalate"])[:97])
    {"tools": ["refund", "escalate"], "tools_called": ["refund"], "tools_not_called": ["escalate"], "
    >>> rollout_record(row).endswith(r'"final_text": "Done. \u003c|im_end|>"}')
    True
    """
    fields, steps = _fields(row, tools=tools, policy=policy, longest=limit)
    return fitted_record(fields, steps, limit)


def tool_names(tools: Any) -> list[str]:
    """The names that a list of declared tools gives: names as they are, bare schemas, OpenAI function schemas.

    >>> tool_names(["a", {"name": "b"}, {"type": "function", "function": {"name": "c"}}, 5, "a"])
    ['a', 'b', 'c']
    """
    names: dict[str, None] = {}
    for tool in [tools] if isinstance(tools, str) or is_mapping(tools) else _items(tools):
        if is_mapping(tool):
            function = tool.get("function")
            tool = function.get("name") if is_mapping(function) else tool.get("name")
        if isinstance(tool, str) and tool:
            names[tool] = None
    return list(names)


def _few(names: list[str], longest: int) -> list[str]:
    """As many names as a record of so many characters could ever hold, and how many more there are."""
    most = max(1, longest // _NAME_CHARS)
    return names if len(names) <= most else [*names[:most], f"and {len(names) - most} more"]


def _items(value: Any) -> Iterable[Any]:
    return value if isinstance(value, Iterable) and not isinstance(value, bytes) else ()


def _fields(
    row: Mapping[str, Any], *, tools: Iterable[Any] | None, policy: str, longest: int
) -> tuple[dict[str, Any], list[Step]]:
    """What the record says but its steps, and the steps; no single text is longer than `longest`."""
    steps = list(_steps(row, longest))
    declared = tool_names(row.get("tools") if tools is None else tools)
    called = list(dict.fromkeys(s.values["tool"] for s in steps if s.values.get("result") is not None))
    returned = set(called)
    fields = {
        "tools": _few(declared, longest),
        "tools_called": called,
        "tools_not_called": _few([name for name in declared if name not in returned], longest),
        "situation": shortened(ask_text(row), JUDGE_SITUATION_CHARS),
        "world_state": plain(row.get("world_state"), longest),
        "injected_faults": plain(row.get("faults"), longest),
        "agent_policy": shortened(as_text(policy), JUDGE_POLICY_CHARS),
        "final_text": shortened(reply(row) or "", JUDGE_FINAL_TEXT_CHARS),
    }
    optional = ("world_state", "injected_faults", "agent_policy")
    return {name: value for name, value in fields.items() if name not in optional or filled(value)}, steps


def _steps(row: Mapping[str, Any], longest: int) -> Iterator[Step]:
    """The turns and calls of a rollout, less the ask at its start and the reply at its end, which stand apart."""
    happened = [event for event in events(row) if event.kind not in (Kind.SYSTEM, Kind.RESULT)]
    if happened and happened[0].kind is Kind.USER and happened[0].text == ask_text(row):
        del happened[0]
    said = next((n for n in range(len(happened) - 1, -1, -1) if happened[n].kind is not Kind.USER), None)
    if said is not None and happened[said].kind is Kind.AGENT and happened[said].text == reply(row):
        del happened[said]
    for event in happened:
        call = event.call
        if call is None:
            yield Step({"user" if event.kind is Kind.USER else "text": shortened(event.text, longest)})
            continue
        arguments = call.arguments if call.unreadable is None else call.unreadable
        values = {"tool": shortened(call.name, longest), "arguments": plain(arguments, longest)}
        if call.answered and call.result is not None:
            values["result"] = plain(call.result, longest)
        if call.speech:
            values["text"] = shortened(call.speech, longest)
        yield Step(values, call.failed)
