"""OpenAI preference lines: one input, the preferred output and the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.formats.chat import turns_of
from whileai.simulations.rows.formats.pair import pair_row
from whileai.simulations.rows.source import Source

NAME = "openai-preference"
LOOKS_FOR = "`input`, `preferred_output`, `non_preferred_output`"
_SIDES = ("preferred_output", "non_preferred_output")


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is a preference line.

    >>> sniff({"input": {"messages": []}, "preferred_output": [], "non_preferred_output": []})
    True
    """
    return "preferred_output" in record and "non_preferred_output" in record


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The one pair of a line; what stands beside the messages of `input` (tools, ...) is carried at top level.

    >>> said = [{"role": "assistant", "content": "Hello."}]
    >>> line = {"input": {"messages": [{"role": "user", "content": "Hi"}]}, "preferred_output": said,
    ...         "non_preferred_output": [{"role": "assistant", "content": "Go."}]}
    >>> to_rows(line, Source("pairs.jsonl"))[0]["chosen"]
    [{'role': 'assistant', 'content': 'Hello.'}]
    """
    asked = record.get("input")
    if not isinstance(asked, Mapping):
        asked = {"messages": asked}
    rest = {name: value for name, value in record.items() if name not in ("input", *_SIDES)}
    beside = {f"source_{name}" if name in rest else name: v for name, v in asked.items() if name != "messages"}
    return [
        pair_row(
            {**beside, **rest},
            source,
            form=NAME,
            prompt=turns_of(asked.get("messages"), "input.messages", "user"),
            chosen=turns_of(record.get("preferred_output"), "preferred_output"),
            rejected=turns_of(record.get("non_preferred_output"), "non_preferred_output"),
        )
    ]
