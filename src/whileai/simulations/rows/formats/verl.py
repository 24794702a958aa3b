"""verl rollout dumps: one file a training step, prompt and reply as text whose turn marks were stripped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.formats.chatml import tagged_steps
from whileai.simulations.rows.formats.common import make_row, reward_of
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.values import finite

NAME = "verl"
LOOKS_FOR = "`input`, `output`, `gts`, `score`, `step`"
_CARRIED = ("input", "output", "score", "gts", "step")


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is a line of a rollout dump.

    >>> sniff({"input": "user\\nHi\\nassistant\\n", "output": "Hello.", "gts": None, "score": 1.0, "step": 1})
    True
    """
    texts = isinstance(record.get("input"), str) and isinstance(record.get("output"), str)
    return texts and "score" in record and ("step" in record or "gts" in record)


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The one row of a line: prompt and reply whole, as nothing marks their turns; numbers beside them are markers.

    >>> line = {"input": "user\\nHi\\nassistant\\n", "output": "Hello.", "score": 1.0, "step": 1, "acc": True}
    >>> row = to_rows(line, Source("1.jsonl"))[0]
    >>> row["final_text"], row["reward"], row["markers"]
    ('Hello.', 1.0, {'acc': 1})
    """
    for name in ("input", "output"):
        if not isinstance(record.get(name), str):
            raise ValueError(f"`{name}` must be a text, found {type(record.get(name)).__name__}")
    markers = {
        name: reward_of(value)
        for name, value in record.items()
        if name not in _CARRIED and not isinstance(value, str) and finite(value) is not None
    }
    row = make_row(
        record,
        source,
        form=NAME,
        consumed=("input", "output", "score", *markers),
        prompt=record["input"],
        final_text=record["output"],
        steps=tagged_steps(record["output"]) or None,
        reward=reward_of(record.get("score")),
        markers=markers or None,
    )
    return [row]
