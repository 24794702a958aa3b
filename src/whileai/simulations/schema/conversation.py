"""The conversation of a typed row that holds none."""

from __future__ import annotations

import json
from typing import Any

from whileai.simulations.rows.content import filled
from whileai.simulations.rows.values import as_text
from whileai.simulations.schema.copies import owned
from whileai.simulations.schema.types import Rollout, Step, Task

_AGENT_ERROR = "<agent error"


def messages_of(task: Task, rollout: Rollout) -> list[dict[str, Any]]:
    """The messages that the ask, the steps and the reply come to.

    >>> messages_of(Task("t1", prompt="2 + 2?"), Rollout("r1", "t1", steps=[Step(text="4")], final_text="4"))
    [{'role': 'user', 'content': '2 + 2?'}, {'role': 'assistant', 'content': '4'}]
    """
    opener, steps, final = rollout.extra.get("opener"), rollout.steps, rollout.final_text
    messages = [_said("assistant", opener)] if isinstance(opener, str) and opener else []
    if task.prompt:
        messages.append(_said("user", task.prompt))
        if steps and _is_user(steps[0]) and steps[0].user == task.prompt:
            steps = steps[1:]  # the ask itself
    answered = len(steps)
    while answered and _is_user(steps[answered - 1]) and not final.startswith(_AGENT_ERROR):
        answered -= 1
    for step in steps[:answered]:
        messages += _step_messages(step)
    if final and not _has_reply(messages, final, spoken_last=answered == len(steps) > 0):
        messages.append(_said("assistant", final))
    return messages


def _is_user(step: Step) -> bool:
    return step.tool is None and step.user is not None


def _has_reply(messages: list[dict[str, Any]], final: str, *, spoken_last: bool) -> bool:
    """Whether the reply is in the conversation: said before, or the episode ends with words of the agent."""
    last = messages[-1] if messages else {}
    if last.get("role") == "assistant" and spoken_last:
        last["content"] = last["content"] or final
        return True
    return any(message["role"] == "assistant" and message["content"] == final for message in messages)


def _step_messages(step: Step) -> list[dict[str, Any]]:
    if step.tool is not None:
        call = {"name": step.tool, "arguments": owned(step.arguments) if filled(step.arguments) else {}}
        result = step.result if isinstance(step.result, str) else _json(step.result)
        return [
            {"role": "assistant", "content": step.text or "", "tool_calls": [call]},
            {"role": "tool", "name": step.tool, "content": result},
        ]
    if step.user is not None:
        return [_said("user", step.user)]
    return [] if step.text is None else [_said("assistant", step.text)]


def _said(role: str, content: str) -> dict[str, Any]:
    return {"role": role, "content": content}


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=as_text)
    except (TypeError, ValueError, RecursionError):
        return as_text(value)
