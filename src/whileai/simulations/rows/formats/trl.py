"""TRL data sets: prompt and completion, with or without a label, stepwise completions, plain text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.errors import keys_found
from whileai.simulations.rows.formats import is_own
from whileai.simulations.rows.formats.chat import is_row_of_ours, is_said, scored, tool_schemas, turns_of
from whileai.simulations.rows.formats.chatml import conversation, messages_of, templated
from whileai.simulations.rows.formats.common import make_row, message
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.text import prompt_text

NAME = "trl"
LOOKS_FOR = "`prompt` and `completion` (or `completions` and `labels`), or `text`"
_REPLIES = ("response", "output", "final", "answer", "completion", "completions", "chosen", "rejected", "text")
_CONSUMED = ("prompt", "completion", "completions", "labels", "text", "reward", "tools")


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is of one of the shapes that hold a rollout, or a prompt alone (which `to_rows` refuses).

    >>> sniff({"prompt": "Sky?", "completion": "Blue."}), sniff({"text": "The sky is blue."}), sniff({"prompt": "Sky?"})
    (True, True, True)
    """
    if is_row_of_ours(record) or "messages" in record:
        return False
    if is_said(record.get("prompt")):
        if is_said(record.get("completion")) or _is_stepwise(record):
            return True
        return not is_own(record) and not any(name in record for name in _REPLIES)
    return isinstance(record.get("text"), str) and "label" not in record and "prompt" not in record


def is_prompt_alone(record: Mapping[str, Any]) -> bool:
    """Whether the record is a task: a prompt that nobody answered.

    >>> is_prompt_alone({"prompt": "Sky?"}), is_prompt_alone({"prompt": "Sky?", "completion": "Blue."})
    (True, False)
    """
    return sniff(record) and not any(record.get(name) is not None for name in ("completion", "completions", "text"))


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The one row of a record; a true or false `label` is its reward, step `labels` go to `judge_meta`.

    >>> row = to_rows({"prompt": "Sky?", "completion": "Blue.", "label": True}, Source("kto.jsonl"))[0]
    >>> row["prompt"], row["final_text"], row["reward"]
    ('Sky?', 'Blue.', 1)
    """
    fields: dict[str, Any] = {"messages": _messages(record), **_verdict(record)}
    prompt = record.get("prompt")
    if prompt is not None:
        fields["prompt"] = prompt_of(prompt)
    row = make_row(record, source, form=NAME, consumed=_CONSUMED, tools=tool_schemas(record.get("tools")), **fields)
    return [row]


def prompt_of(prompt: Any) -> str:
    """The prompt as text: of a conversation, written out or not, its last user turn; other text as it is.

    >>> prompt_of("<|im_start|>user\\nHi<|im_end|>\\n<|im_start|>assistant\\n"), prompt_of("Sky?\\n")
    ('Hi', 'Sky?\\n')
    """
    return prompt_text(messages_of(prompt) if templated(prompt) else prompt)


def exchange(prompt: Any, completion: Any) -> list[dict[str, Any]]:
    """The messages of a prompt and a completion, each of them a text or a conversation.

    >>> [m["role"] for m in exchange("Sky?", [{"role": "assistant", "content": "Blue."}])]
    ['user', 'assistant']
    """
    if isinstance(prompt, str) and isinstance(completion, str):
        return conversation(prompt, completion)
    return [*turns_of(prompt, "prompt", "user"), *turns_of(completion, "completion")]


def _messages(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    prompt, text = record.get("prompt"), record.get("text")
    if _is_stepwise(record):
        said = [turn for part in record["completions"] for turn in turns_of(part, "completions")]
        return [*turns_of(prompt, "prompt", "user"), *said]
    if record.get("completion") is not None:
        return exchange(prompt, record["completion"])
    if isinstance(text, str):
        return messages_of(text) if templated(text) else [message("assistant", text)]
    raise ValueError(
        f"a prompt without a completion is a task, not a rollout: found {keys_found(record)}; "
        "add a `completion` (or run the tasks first and load what came back), or read it as it stands, as format row"
    )


def _is_stepwise(record: Mapping[str, Any]) -> bool:
    return all(isinstance(record.get(name), list) for name in ("completions", "labels"))


def _verdict(record: Mapping[str, Any]) -> dict[str, Any]:
    if _is_stepwise(record):
        return {"reward": None, "judge_meta": {"labels": record["labels"]}}
    return scored(record, *(("reward", "label") if record.get("label") in (0, 1) else ()))
