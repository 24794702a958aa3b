"""OpenAI chat: lines of `messages` as fine-tuning, loggers and many data sets write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.formats.chat import is_chat, is_row_of_ours, scored, tool_schemas, turns_of
from whileai.simulations.rows.formats.common import make_row
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.text import prompt_text

NAME = "openai-chat"
LOOKS_FOR = "`messages` with `role` and `content`"


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is a chat that is not yet a row of ours.

    >>> sniff({"messages": [{"role": "user", "content": "Hi"}]}), sniff({"messages": [], "reward": 1})
    (True, False)
    """
    return not is_row_of_ours(record) and is_chat(record.get("messages"))


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The one row of a chat; unscored unless a `reward` or `score` column was added. A loss `weight` stays per message.

    >>> chat = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello.", "weight": 1}]
    >>> row = to_rows({"messages": chat, "score": 0.5}, Source("sft.jsonl"))[0]
    >>> row["prompt"], row["final_text"], row["reward"]
    ('Hi', 'Hello.', 0.5)
    """
    own = record.get("prompt")
    consumed = {"messages", "reward", "tools", *(("prompt",) if isinstance(own, str) else ())}
    row = make_row(
        record,
        source,
        form=NAME,
        consumed=consumed,
        messages=turns_of(record.get("messages"), "messages"),
        prompt=prompt_text(own) or None,
        tools=tool_schemas(record.get("tools")),
        **scored(record, "reward", "score"),
    )
    return [row]
