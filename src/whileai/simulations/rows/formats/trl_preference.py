"""TRL preference data: `chosen` and `rejected`, with a prompt of their own or the turns they share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.formats.chat import is_row_of_ours, is_said, tool_schemas, turns_of
from whileai.simulations.rows.formats.chatml import messages_of, templated
from whileai.simulations.rows.formats.common import reward_of
from whileai.simulations.rows.formats.pair import pair_row
from whileai.simulations.rows.source import Source

NAME = "trl-preference"
LOOKS_FOR = "`chosen`, `rejected`"
_CONSUMED = ("prompt", "chosen", "rejected", "tools")


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is a pair of texts or conversations.

    >>> sniff({"chosen": "Yes", "rejected": "No"}), sniff({"chosen": {"reward": 1}, "rejected": {}})
    (True, False)
    """
    return is_said(record.get("chosen")) and is_said(record.get("rejected")) and not is_row_of_ours(record)


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The one pair of a record; `score_chosen`, `score_rejected` and `margin` are carried.

    >>> row = to_rows({"prompt": "Sky?", "chosen": "Blue.", "rejected": "Red."}, Source("pairs.jsonl"))[0]
    >>> row["prompt"], row["reward"]
    ([{'role': 'user', 'content': 'Sky?'}], None)
    """
    prompt = record.get("prompt")
    row = pair_row(
        record,
        source,
        form=NAME,
        prompt=[] if prompt is None else _side(prompt, "prompt", "user"),
        chosen=_side(record.get("chosen"), "chosen"),
        rejected=_side(record.get("rejected"), "rejected"),
        consumed=_CONSUMED,
        tools=tool_schemas(record.get("tools")),
        chosen_score=_score(record, "chosen"),
        rejected_score=_score(record, "rejected"),
    )
    return [row]


def _side(value: Any, field: str, role: str = "assistant") -> list[dict[str, Any]]:
    if isinstance(value, str) and templated(value):
        return messages_of(value if value.lstrip().startswith("<|im_start|>") else f"<|im_start|>{role}\n{value}")
    return turns_of(value, field, role)


def _score(record: Mapping[str, Any], side: str) -> float | int | None:
    return None if f"{side}_score" in record else reward_of(record.get(f"score_{side}"))
