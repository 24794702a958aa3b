"""SkyRL rollout dumps: prompt and reply with the template's marks, a score for the reply or one for each token."""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum
from typing import Any

from whileai.simulations.rows.formats.chat import scored
from whileai.simulations.rows.formats.common import make_row, reward_of
from whileai.simulations.rows.formats.trl import exchange, prompt_of
from whileai.simulations.rows.source import Source

NAME = "skyrl"
LOOKS_FOR = "`input_prompt`, `output_response`, `score`, `stop_reason`"


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is a line of a rollout dump.

    >>> sniff({"input_prompt": "Hi", "output_response": "Hello.", "score": 1.0, "stop_reason": "stop"})
    True
    """
    return "input_prompt" in record and "output_response" in record


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The one row of a line; a run that was aborted is an error, and its score stays.

    >>> line = {"input_prompt": "Hi", "output_response": "", "score": [0.0, 0.5], "stop_reason": "abort"}
    >>> row = to_rows(line, Source("shop.jsonl"))[0]
    >>> row["reward"], row["finish_reason"]
    (0.5, 'error')
    """
    stop = record.get("stop_reason")
    finish = stop if stop in ("stop", "length", None) else "error"
    row = make_row(
        record,
        source,
        form=NAME,
        consumed=("input_prompt", "output_response"),
        messages=exchange(record.get("input_prompt"), record.get("output_response")),
        prompt=prompt_of(record.get("input_prompt")),
        finish_reason=finish,
        error=str(stop) if finish == "error" else None,
        **_verdict(record.get("score")),
    )
    return [row]


def _verdict(score: Any) -> dict[str, Any]:
    if not isinstance(score, list):
        return scored({"reward": score})
    tokens = [reward_of(value) for value in score]
    known = [value for value in tokens if value is not None]
    return {"reward": fsum(known)} if known and len(known) == len(tokens) else scored({"reward": score or None})
