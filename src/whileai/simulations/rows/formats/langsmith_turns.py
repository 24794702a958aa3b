"""The conversation of a LangSmith run: its own, or that of its last model call, with the results of its tool runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from whileai.simulations.rows.content import content_text, first_of, parse_json
from whileai.simulations.rows.formats.chat import as_text
from whileai.simulations.rows.formats.common import ROLES, as_mapping, chat_turn, mappings, message, tool_call
from whileai.simulations.rows.formats.identity import id_text
from whileai.simulations.rows.formats.langchain import chat_message, is_message
from whileai.simulations.rows.formats.langsmith_runs import EMPTY
from whileai.simulations.rows.formats.openai_responses import item_messages
from whileai.simulations.rows.text import last_agent_text

ASKED = ("messages", "input", "question", "query", "prompt", "prompts", "text")
ANSWERED = (
    "messages",
    "generations",
    "choices",
    "output",
    "message",
    "answer",
    "response",
    "text",
    "content",
    "result",
)
_ITEMS = ("function_call", "function_call_output", "reasoning")


def conversation(root: Mapping[str, Any], steps: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The turns of a run whose steps, in time order, are these."""
    whole = _exchange(root)
    told = next((turns for step in reversed(steps) if step.get("run_type") == "llm" and (turns := _exchange(step))), [])
    if told and not _has_calls(whole) and (_has_calls(told) or not any(t["role"] == "assistant" for t in whole)):
        answer = last_agent_text(whole)
        whole = told if not answer or answer == last_agent_text(told) else [*told, message("assistant", answer)]
    return _with_results(whole, [step for step in steps if step.get("run_type") == "tool"])


def _has_calls(turns: list[dict[str, Any]]) -> bool:
    return any(turn.get("tool_calls") for turn in turns)


def _exchange(run: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Inputs and outputs of a run as turns; outputs that repeat the conversation so far stand for both."""
    inputs, outputs = as_mapping(run.get("inputs")), as_mapping(run.get("outputs"))
    asked = [*_instructions(inputs), *_turns(inputs, ASKED, "user")]
    answered = [chat_turn(outputs)] if outputs.get("role") else _turns(outputs, ANSWERED, "assistant")
    _generated(answered, outputs)
    first = next((turn for turn in asked if turn["role"] == "user"), None)
    repeats = first is not None and any(t["role"] == "user" and t["content"] == first["content"] for t in answered)
    return answered if repeats else [*asked, *answered]


def _instructions(inputs: Mapping[str, Any]) -> list[dict[str, Any]]:
    words = first_of(inputs, ("system", "instructions"))
    return [message("system", words)] if isinstance(words, str | list) and words else []


def _turns(value: Mapping[str, Any], fields: Iterable[str], role: str) -> list[dict[str, Any]]:
    for name in fields:
        if turns := _read(value.get(name), role):
            return turns
    return []


def _read(value: Any, role: str) -> list[dict[str, Any]]:
    """Turns of whatever a provider or a chain wrote: text, a message, a list of them, a list of such lists."""
    if isinstance(value, str):
        return [message(role, value)] if value else []
    if isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, list) or not value:
        return []
    if isinstance(value[0], list) and not _is_pair(value[0]):
        return _read(value[0], role)
    if any(entry.get("type") in _ITEMS for entry in mappings(value)):
        return item_messages(mappings(value), "messages")
    if any("text" in entry and "generation_info" in entry for entry in mappings(value)) or "index" in as_mapping(
        value[0]
    ):
        value = value[:1]
    return [turn for entry in value if (turn := _turn(entry, role)) is not None]


def _is_pair(entry: Any) -> bool:
    return isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str) and entry[0] in ROLES


def _turn(entry: Any, role: str) -> dict[str, Any] | None:
    if isinstance(entry, str):
        return message(role, entry)
    if _is_pair(entry):
        return message(ROLES[entry[0]], entry[1])
    if is_message(entry):
        return chat_message(entry)
    if not isinstance(entry, Mapping):
        return None
    if isinstance(entry.get("message"), Mapping):
        turn = _turn(entry["message"], role)
        info = {
            **as_mapping(entry.get("generation_info")),
            **{n: entry[n] for n in ("finish_reason", "logprobs") if n in entry},
        }
        return (
            turn
            if turn is None
            else {**turn, "response_metadata": {**info, **as_mapping(turn.get("response_metadata"))}}
        )
    if entry.get("role"):
        return {name: value for name, value in chat_turn(entry).items() if name not in ("type", "id", "status")}
    if is_message({"type": entry.get("type"), "data": entry}):
        return chat_message({"type": entry["type"], "data": entry})
    return message(role, entry["text"]) if isinstance(entry.get("text"), str) else None


def _generated(turns: list[dict[str, Any]], outputs: Mapping[str, Any]) -> None:
    """Put what a provider's response says of the generation on its last turn."""
    if not turns or turns[-1]["role"] != "assistant":
        return
    stored = dict(as_mapping(turns[-1].get("response_metadata")))
    reason = first_of(stored, ("finish_reason", "stop_reason")) or outputs.get("stop_reason")
    if reason is None and outputs.get("object") == "response":
        reason = as_mapping(outputs.get("incomplete_details")).get("reason") or outputs.get("status")
    stored["finish_reason"] = as_mapping(reason).get("finish_reason") or reason
    stored["model_name"] = first_of(stored, ("model_name", "model")) or outputs.get("model")
    usage = turns[-1].get("usage_metadata") or outputs.get("usage_metadata") or outputs.get("usage")
    facts = {"response_metadata": {n: v for n, v in stored.items() if v is not None}, "usage_metadata": usage}
    turns[-1].update((name, value) for name, value in facts.items() if value not in EMPTY)


def _with_results(turns: list[dict[str, Any]], tools: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The turns with the results only the tool runs have; without any call, with the tool runs as calls."""
    if not _has_calls(turns):
        made = [turn for run in tools for turn in _tool_turns(run)]
        return [*turns[:-1], *made, turns[-1]] if turns and turns[-1]["role"] == "assistant" else [*turns, *made]
    answered = {id_text(turn.get("tool_call_id")) for turn in turns if turn["role"] == "tool"}
    anonymous = any(turn["role"] == "tool" and turn.get("tool_call_id") is None for turn in turns)
    left, result = list(tools), []
    for turn in turns:
        result.append(turn)
        for call in turn.get("tool_calls", ()):
            run = _take(left, call)
            if run is not None and call.get("id") not in answered and not anonymous:
                result.append(_result(run, call))
    return result


def _take(left: list[Mapping[str, Any]], call: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The tool run of a call: of its name, with its arguments if there is one, else the first in time."""
    named = [run for run in left if run.get("name") == call["name"]]
    found = next((run for run in named if _arguments(run) == call["arguments"]), named[0] if named else None)
    if found is not None:
        left[:] = [run for run in left if run is not found]
    return found


def _tool_turns(run: Mapping[str, Any]) -> list[dict[str, Any]]:
    call = tool_call(run.get("name"), _arguments(run), run.get("id"))
    return [message("assistant", "", [call]), _result(run, call)]


def _arguments(run: Mapping[str, Any]) -> Any:
    inputs = as_mapping(run.get("inputs"))
    return parse_json(inputs["input"]) if set(inputs) == {"input"} else dict(inputs)


def _result(run: Mapping[str, Any], call: Mapping[str, Any]) -> dict[str, Any]:
    outputs, error = run.get("outputs"), run.get("error")
    value = outputs["output"] if isinstance(outputs, Mapping) and set(outputs) == {"output"} else outputs
    if isinstance(value, Mapping):
        value = chat_message(value)["content"] if is_message(value) else value.get("content", value)
    if error not in EMPTY and value in EMPTY:
        value = error
    words = content_text(value) or as_text(value) or ""
    failed = True if error not in EMPTY else None
    return message("tool", words, tool_call_id=call.get("id"), name=call["name"], is_error=failed)
