"""mini-swe-agent trajectories (`*.traj.json`): one run of one instance.

Calls are tool calls, items of OpenAI responses, or (text models) the one fenced block of an assistant turn, whose
observation is the next user turn. A turn with no block or several was refused by the agent: no call was run. The
closing message with role `exit` is no turn of the conversation; it is carried as `exit_message`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from whileai.simulations.rows.content import content_text
from whileai.simulations.rows.failure import call_failed
from whileai.simulations.rows.formats.common import as_mapping, chat_turn, failed_run, make_row, mappings, tool_call
from whileai.simulations.rows.formats.generation import joined_logprobs, sampling_of, token_logprobs_of
from whileai.simulations.rows.formats.identity import file_stem
from whileai.simulations.rows.formats.openai_responses import item_messages, output_logprobs
from whileai.simulations.rows.formats.settings import without_secrets
from whileai.simulations.rows.source import Source

NAME = "mini-swe-agent"
LOOKS_FOR = "trajectory_format, info, messages"

_INFO_MARKS = ("mini_version", "exit_status", "submission", "model_stats")
_TEXT_MARKS = ("mswea_bash_command", "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT")
_FENCES = tuple(re.compile(rf"```{tag}[ \t]*\n(.*?)\n?```", re.DOTALL) for tag in ("mswea_bash_command", "bash"))
_RETURN_CODE = re.compile(r"\s*<returncode>\s*(-?\d+)\s*</returncode>")
_CUT_OFF = re.compile(r"LimitsExceeded|TimeExceeded|ContextWindowExceeded")


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is a trajectory of format 1.x, or the bare turns of an older one.

    >>> sniff({"info": {"exit_status": "Submitted"}, "messages": [], "trajectory_format": "mini-swe-agent-1.1"})
    True
    """
    turns = record.get("messages")
    if str(record.get("trajectory_format", "")).startswith("mini-swe-agent"):
        return True
    if not isinstance(turns, list):
        return False
    info = record.get("info")
    if isinstance(info, Mapping) and any(mark in info for mark in _INFO_MARKS):
        return True
    return set(record) <= {"messages", "instance_id"} and _speaks_bash(mappings(turns))


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The one row of a trajectory.

    >>> said = {"role": "assistant", "content": "Look.\\n\\n```bash\\nls\\n```"}
    >>> row = to_rows({"messages": [said, {"role": "user", "content": "a.py"}]}, Source("shop-1.traj.json"))[0]
    >>> row["task_id"], row["final_text"], row["messages"][0]["tool_calls"][0]["arguments"]
    ('shop-1', 'Look.', {'command': 'ls'})
    """
    stored = mappings(record.get("messages"))
    closing: Mapping[str, Any] = next((turn for turn in reversed(stored) if turn.get("role") == "exit"), {})
    info = as_mapping(record.get("info"))
    config = _config(info, source)
    messages = list(_turns([turn for turn in stored if turn.get("role") != "exit"]))
    model = config.get("model_name")
    row = make_row(
        record,
        source,
        form=NAME,
        consumed=("messages", "info", "instance_id", "trajectory_format"),
        task_id=record.get("instance_id") or file_stem(source),
        messages=messages,
        final_text=_final_text(messages, info, closing),
        model_version=model,
        sampling=sampling_of(config.get("model_kwargs"), model),
        usage=info.get("model_stats"),
        token_logprobs=_logprobs(stored),
        info={name: value for name, value in info.items() if name not in ("config", "mini_version")} or None,
        exit_message=dict(closing) or None,
    )
    return [_finished(row, info, closing, source)]


def _speaks_bash(turns: list[Mapping[str, Any]]) -> bool:
    texts = [content_text(turn.get("content")) for turn in turns]
    if any(mark in text for mark in _TEXT_MARKS for text in texts):
        return True
    pairs = zip(turns, texts, texts[1:], strict=False)
    return any(t.get("role") == "assistant" and _fenced(a) and _RETURN_CODE.match(b) for t, a, b in pairs)


def _config(info: Mapping[str, Any], source: Source) -> Mapping[str, Any]:
    config = without_secrets(info.get("config"))
    for name, value in (("config", config), ("mini_version", info.get("mini_version"))):
        if value is not None:
            source.facts.setdefault(name, value)
    return as_mapping(as_mapping(config).get("model"))


def _turns(stored: list[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    commands: dict[str, Any] = {}
    awaiting: str | None = None
    for entry in stored:
        for turn in _read(entry):
            if awaiting is not None and turn["role"] == "user":
                turn = {**turn, "role": "tool", "name": "bash"}
                yield _marked(turn, awaiting)
                awaiting = None
                continue
            if turn["role"] == "tool":
                yield _marked(turn, commands.get(str(turn.get("tool_call_id"))))
                continue
            awaiting = None
            if turn["role"] == "assistant":
                if "tool_calls" not in turn and (written := _written(turn)) is not None:
                    awaiting, turn["content"] = written
                    turn["tool_calls"] = [tool_call("bash", {"command": awaiting})]
                commands.update(
                    (str(call.get("id")), call["arguments"].get("command")) for call in turn.get("tool_calls", ())
                )
            yield turn


def _read(entry: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The turns of one stored message: a chat turn, a whole OpenAI response, or one of its items."""
    extra = entry.get("extra")
    if isinstance(extra, Mapping) and "response" in extra:
        entry = {**entry, "extra": {**extra, "response": without_secrets(extra["response"])}}
    if "role" in entry and entry.get("type") != "message":
        return [chat_turn(entry)]
    whole = isinstance(entry.get("output"), list) and entry.get("type") is None
    turns = item_messages(mappings(entry["output"]), "output") if whole else item_messages([entry], "messages")
    if turns and isinstance(entry.get("extra"), Mapping):
        turns[0]["extra"] = entry["extra"]
    return turns


def _written(turn: Mapping[str, Any]) -> tuple[str, str] | None:
    """The command an assistant turn holds as text, and its other words; None when it holds none or several."""
    text = content_text(turn.get("content"))
    found = _fenced(text)
    actions = mappings(as_mapping(turn.get("extra")).get("actions"))
    if len(actions) == 1 and isinstance(actions[0].get("command"), str):
        command = actions[0]["command"]
    elif len(found) == 1:
        command = found[0].group(1).strip()
    else:
        return None
    return command, (text[: found[0].start()] + text[found[0].end() :]).strip() if found else text


def _fenced(text: str) -> list[re.Match[str]]:
    return next((found for fence in _FENCES if (found := list(fence.finditer(text)))), [])


def _marked(turn: dict[str, Any], command: Any) -> dict[str, Any]:
    """The observation, marked as an error when its return code or exception says so (a search may return 1)."""
    extra = as_mapping(turn.get("extra"))
    code = extra.get("returncode")
    if code is None and (match := _RETURN_CODE.match(content_text(turn.get("content")))):
        code = int(match.group(1))
    failed = call_failed({"exit_code": code}, tool="bash", arguments={"command": command})
    return {**turn, "is_error": True} if failed or extra.get("exception_info") else turn


def _final_text(messages: list[dict[str, Any]], info: Mapping[str, Any], closing: Mapping[str, Any]) -> str:
    last: dict[str, Any] = next((turn for turn in reversed(messages) if turn["role"] == "assistant"), {})
    words = content_text(last.get("content"))
    if words.strip():
        return words
    submission = info.get("submission") or as_mapping(closing.get("extra")).get("submission")
    return submission if isinstance(submission, str) else ""


def _logprobs(stored: list[Mapping[str, Any]]) -> list[float] | None:
    """Token log-probabilities, where each answer of the model was kept with them."""
    parts = []
    for turn in stored:
        if turn.get("role") == "assistant":
            response = as_mapping(as_mapping(turn.get("extra")).get("response"))
            choice = next(iter(mappings(response.get("choices"))), {})
            parts.append(token_logprobs_of(choice.get("logprobs")))
        elif turn.get("object") == "response":
            parts.append(output_logprobs(turn.get("output")))
    return joined_logprobs(parts)


def _finished(
    row: dict[str, Any], info: Mapping[str, Any], closing: Mapping[str, Any], source: Source
) -> dict[str, Any]:
    status = info.get("exit_status") or as_mapping(closing.get("extra")).get("exit_status")
    if not isinstance(status, str) or not status:
        return row
    if status == "Submitted":
        row["finish_reason"] = "stop"
    elif _CUT_OFF.match(status):
        row["finish_reason"] = "length"
    else:
        said = content_text(closing.get("content")).strip()
        return failed_run(row, f"{status}: {said}" if said and said != status else status, source)
    return row
