"""OpenRLHF's old batch inference: plain records of input, output and reward."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.formats.chat import is_row_of_ours, scored
from whileai.simulations.rows.formats.chatml import conversation
from whileai.simulations.rows.formats.common import make_row
from whileai.simulations.rows.formats.trl import prompt_of
from whileai.simulations.rows.source import Source

NAME = "openrlhf"
LOOKS_FOR = "`input`, `output`, `reward`"
_CONSUMED = ("input", "output", "reward")


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is a text, its reply and a reward.

    >>> sniff({"input": "Hi", "output": "Hello.", "reward": 0.5}), sniff({"input": "Hi", "output": "Hello."})
    (True, False)
    """
    texts = isinstance(record.get("input"), str) and isinstance(record.get("output"), str)
    return (
        texts
        and "reward" in record
        and not any(name in record for name in ("prompt", "messages"))
        and (not is_row_of_ours(record))
    )


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The one row of a record.

    >>> row = to_rows({"input": "Hi", "output": "Hello.", "reward": 0.5}, Source("out.jsonl"))[0]
    >>> row["prompt"], row["final_text"], row["reward"]
    ('Hi', 'Hello.', 0.5)
    """
    asked, said = record.get("input"), record.get("output")
    if not isinstance(asked, str) or not isinstance(said, str):
        raise ValueError(f"`input` and `output` must be texts, found {type(asked).__name__}, {type(said).__name__}")
    messages, prompt = conversation(asked, said), prompt_of(asked)
    return [make_row(record, source, form=NAME, consumed=_CONSUMED, messages=messages, prompt=prompt, **scored(record))]
