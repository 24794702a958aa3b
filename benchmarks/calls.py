"""The calls whose cost is measured, each with its ceiling in multiples of `json.loads` over the same rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import rows as made
import whileai.simulations as wai

Rows = list[dict[str, Any]]
SECRET = {"reference": "the order is eligible for a full refund within thirty days"}


def _gold(rows: Rows) -> Rows:
    """Rows with a person's label that contradicts the reward in one of seven."""
    return [
        {**row, "gold_reward": row["reward"] if i % 7 else 1 - row["reward"], "gold_kind": "human"}
        for i, row in enumerate(rows)
        if row["reward"] is not None
    ]


def _judge(row: dict[str, Any]) -> dict[str, Any]:
    return {"reward": int("refund" in row["final_text"]), "reason": "x"}


# name: (ceiling, what is made of the rows before the clock starts, the call)
CALLS: dict[str, tuple[float, Callable[[Rows], Any], Callable[[Any], Any]]] = {
    "pass_at": (0.2, list, wai.pass_at),
    "metric_summary": (0.1, list, wai.metric_summary),
    "marker_summary": (0.2, list, wai.marker_summary),
    "compare_runs": (0.2, lambda rows: (rows[::2], rows[1::2]), lambda sides: wai.compare_runs(*sides)),
    "delta_report": (0.8, lambda rows: (rows[::2], rows[1::2]), lambda sides: wai.delta_report(*sides)),
    "hack_scan": (2.0, list, wai.hack_scan),
    "style_report": (0.6, list, wai.style_report),
    "trace_flag_report": (0.9, list, wai.trace_flag_report),
    "trace_markers": (0.7, list, wai.trace_markers),
    "grounding_report": (0.6, list, wai.grounding_report),
    "rank_rows": (1.0, list, wai.rank_rows),
    "dedupe_groups": (0.5, list, wai.dedupe_groups),
    "reward_correlations": (1.0, list, wai.reward_correlations),
    "select_for_rl": (4.0, list, lambda rows: wai.select_for_rl(rows, target=len(rows))),
    "select_for_sft": (0.8, list, lambda rows: wai.select_for_sft(rows, target=len(rows) // 4)),
    "build_preference_pairs": (0.2, list, wai.build_preference_pairs),
    "run_judge": (0.8, list, lambda rows: wai.run_judge(rows, _judge)),
    "calibrate": (0.2, list, wai.calibrate),
    "leak_report": (0.5, lambda rows: [{**row, "privileged": SECRET} for row in rows], wai.leak_report),
    "judge_trust": (0.4, _gold, wai.judge_trust),
    "dataset_report": (0.6, list, wai.dataset_report),
    "near_duplicate_prompts": (3.0, lambda rows: made.asks(len(rows)), wai.near_duplicate_prompts),
    "decontaminate": (
        1.0,
        lambda rows: (made.asks(len(rows)), made.asks(len(rows) // 10, seed=1)),
        lambda asks: wai.decontaminate(asks[0], [asks[1]]),
    ),
    "from_row": (1.5, list, lambda rows: [wai.from_row(row) for row in rows]),
    "from_row, to_row": (2.5, list, lambda rows: [wai.to_row(*wai.from_row(row)) for row in rows]),
}
# An agent of 200 tools and 100 rules.
_VERBS = ("get", "list", "create", "update", "delete", "send", "check", "cancel", "refund", "approve")
_NOUNS = ("order", "invoice", "ticket", "address", "parcel", "voucher", "contract", "account", "payment", "return")
_NOUNS += ("item", "seat", "flight", "hotel", "booking", "claim", "policy", "message", "report", "plan")
TOOLS = [
    {
        "name": f"{verb}_{noun}",
        "description": f"{verb} the {noun} of a customer",
        "parameters": {
            "type": "object",
            "properties": {"id": {"type": "string"}, "note": {"type": "string"}, "amount": {"type": "number"}},
            "required": ["id"],
        },
    }
    for verb in _VERBS
    for noun in _NOUNS
]
RULES = "\n".join(
    f"{number}. Never {verb} a {noun} above {10 * number} euros before the customer has confirmed it."
    for number, (verb, noun) in enumerate(((verb, noun) for verb in _VERBS for noun in _NOUNS[:10]), 1)
)
