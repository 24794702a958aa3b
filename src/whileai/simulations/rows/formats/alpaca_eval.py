"""alpaca_eval: pairwise annotations of a model against a baseline, and the model's outputs before annotation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.formats.common import make_row
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.values import finite

NAME = "alpaca-eval"
LOOKS_FOR = "`instruction`, `output_1`, `output_2`, `preference` or `instruction`, `output`, `generator`"
_TIES = (0.0, 1.5)


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is an annotation or a model output of alpaca_eval.

    >>> sniff({"instruction": "Name a prime.", "output": "7", "generator": "shop-7b"})
    True
    """
    if "instruction" not in record:
        return False
    return {"output_1", "output_2"} <= record.keys() or {"output", "generator"} <= record.keys()


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The one row of a record: the answer of `generator_2`, its win share as reward, the other side carried.

    >>> pair = {"instruction": "Name a prime.", "output_1": "4", "output_2": "7", "generator_2": "m", "preference": 2.0}
    >>> row = to_rows(pair, Source("annotations.json"))[0]
    >>> row["final_text"], row["reward"], row["output_1"]
    ('7', 1.0, '4')
    """
    annotated = "output_2" in record
    output, generator = ("output_2", "generator_2") if annotated else ("output", "generator")
    preference = record.get("preference")
    row = make_row(
        record,
        source,
        form=NAME,
        consumed=("instruction", output, generator),
        prompt=_text(record["instruction"]),
        final_text=_text(record[output]),
        model_version=record.get(generator),
        reward=_win_share(preference),
        judge_name=record.get("annotator") if annotated else None,
    )
    if annotated and row["reward"] is None:
        row["judge_status"] = "invalid_result"
        if preference is not None:
            row["judge_meta"] = {"raw_reward": preference}
    return [row]


def _win_share(preference: Any) -> float | None:
    """The share of a win that a preference between 1 (the baseline) and 2 (the model) stands for; 0 is an old tie."""
    value = finite(preference)
    if value is None:
        return None
    if value in _TIES:
        return 0.5
    return value - 1 if 1 <= value <= 2 else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
