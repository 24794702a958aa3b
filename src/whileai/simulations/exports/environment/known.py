"""What recorded rollouts know of a task: which attempts passed, and what each tool answered.

It stands alone, on the standard library: `export_training(format="verifiers")` copies it into the environment packages.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Hashable, Iterable
from typing import Any

_PASS = 0.5  # reward from which an attempt is a pass
_WORD = re.compile(r"\w+")
_OPENING = ("user", "system")

Known = dict[str, Any]


def read_tasks(lines: Iterable[str]) -> list[Known]:
    """The tasks of a file of rollouts that some attempt passed, in order: what is asked and what is known of each.

    A task has `id`, `system_prompt`, `prompt` (the turns before the agent's first), `tools` (schemas), `attempts`
    (`calls`, `reply`, `passed`; equal ones once) and `answers` (what each call was answered, the first time).

    >>> chat = [{"role": "user", "content": "Sky?"}, {"role": "assistant", "content": "Blue."}]
    >>> read_tasks([json.dumps({"task_id": "a", "messages": chat, "reward": 1})])[0]["attempts"]
    [{'calls': [], 'reply': 'Blue.', 'passed': True}]
    """
    tasks: dict[str, Known] = {}
    seen: set[Hashable] = set()
    for line in lines:
        row = json.loads(line)
        task = tasks.setdefault(_task_id(row), _task(row))
        passed, attempt = row.get("reward"), attempt_of(row["messages"])
        key = (task["id"], json.dumps(attempt, sort_keys=True), passed is not None and passed >= _PASS)
        if isinstance(passed, int | float) and key not in seen:
            seen.add(key)
            task["attempts"].append({**attempt, "passed": passed >= _PASS})
        for call, answer in _answered(row["messages"]):
            if (asked := (task["id"], call_key(**call))) not in seen:
                seen.add(asked)
                task["answers"].append({**call, "answer": answer})
    return [task for task in tasks.values() if any(attempt["passed"] for attempt in task["attempts"])]


def _task_id(row: dict[str, Any]) -> str:
    return str(
        next((row[name] for name in ("scenario_id", "task_id", "prompt") if row.get(name) not in (None, "")), "")
    )


def _task(row: dict[str, Any]) -> Known:
    messages = row["messages"]
    first = next((at for at, turn in enumerate(messages) if turn["role"] not in _OPENING), len(messages))
    opening = messages[:first]
    system = opening[0]["content"] if opening and opening[0]["role"] == "system" else None
    prompt = opening[system is not None :]
    return {
        "id": _task_id(row),
        "system_prompt": system,
        "prompt": prompt[0]["content"]
        if len(prompt) == 1 and isinstance(prompt[0]["content"], str)
        else prompt or None,
        "tools": row.get("tools", []),
        "attempts": [],
        "answers": [],
    }


def attempt_of(messages: list[dict[str, Any]]) -> dict[str, Any]:
    """What an agent did in a conversation: the tools it called with what, and the last it said.

    >>> attempt_of([{"role": "assistant", "content": "Hi"}])
    {'calls': [], 'reply': 'Hi'}
    """
    calls = [call for turn in messages for call in _calls(turn)]
    replies = [turn["content"] for turn in messages if turn["role"] == "assistant" and turn.get("content")]
    return {"calls": calls, "reply": replies[-1] if replies else ""}


def _calls(turn: dict[str, Any]) -> list[dict[str, Any]]:
    functions = [call["function"] for call in turn.get("tool_calls") or ()]
    return [{"tool": function["name"], "arguments": parsed(function["arguments"])} for function in functions]


def parsed(arguments: str) -> Any:
    """The arguments of a call, the text itself where it is no JSON.

    >>> parsed('{"id": 5}'), parsed("five")
    ({'id': 5}, 'five')
    """
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments


def _answered(messages: list[dict[str, Any]]) -> Iterable[tuple[dict[str, Any], str]]:
    open_calls: dict[str, dict[str, Any]] = {}
    for turn in messages:
        for entry, call in zip(turn.get("tool_calls") or (), _calls(turn), strict=True):
            open_calls[entry["id"]] = call
        if turn["role"] == "tool" and turn["tool_call_id"] in open_calls:
            yield open_calls.pop(turn["tool_call_id"]), turn["content"]


def call_key(tool: str, arguments: Any) -> str:
    """A call as text that is equal for equal calls; an argument that is null was not given.

    >>> call_key("get", {"b": 1, "a": None}) == call_key("get", {"b": 1})
    True
    """
    if isinstance(arguments, dict):
        arguments = {name: value for name, value in arguments.items() if value is not None}
    return f"{tool} {json.dumps(arguments, sort_keys=True)}"


def score(attempt: dict[str, Any], known: Iterable[dict[str, Any]]) -> float:
    """How near an attempt comes to one that passed, 0..1; 0 where one that failed is nearer.

    Nearness is the mean of the F1 of the calls (tool and arguments alike) and the F1 of the reply's words, of those of
    the two that either side has.

    >>> known = [{"calls": [], "reply": "It is blue.", "passed": True}, {"calls": [], "reply": "Red.", "passed": False}]
    >>> score({"calls": [], "reply": "it is blue"}, known), score({"calls": [], "reply": "Red!"}, known)
    (1.0, 0.0)
    """
    calls, words = _bags(attempt)
    near = {True: 0.0, False: 0.0}
    for other in known:
        near[other["passed"]] = max(near[other["passed"]], _nearness(calls, words, *_bags(other)))
    return near[True] if near[True] >= near[False] else 0.0


def _bags(attempt: dict[str, Any]) -> tuple[Counter[str], Counter[str]]:
    calls = Counter(call_key(**call) for call in attempt["calls"])
    return calls, Counter(_WORD.findall(attempt["reply"].lower()))


def _nearness(calls: Counter[str], words: Counter[str], other_calls: Counter[str], other_words: Counter[str]) -> float:
    parts = [_f1(mine, theirs) for mine, theirs in ((calls, other_calls), (words, other_words)) if mine or theirs]
    return sum(parts) / len(parts) if parts else 1.0


def _f1(mine: Counter[str], theirs: Counter[str]) -> float:
    return 2 * (mine & theirs).total() / (mine.total() + theirs.total())
