"""Graded billing rollouts for the tests of judge_trust, and judges that look at them."""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]


def rollouts(n: int = 40, *, passing: int | None = None, gold: str | None = None, **more: Any) -> list[Row]:
    """n rows; the first `passing` (half) did the work. `gold` labels each as its reward, by that kind."""
    passing = n // 2 if passing is None else passing
    rows = []
    for i in range(n):
        did = i < passing
        text = f"Card {i} is on the account now." if did else f"Nothing came of card {i} so far."
        row = {
            "scenario_id": f"bill-{i}",
            "prompt": f"Please put card {i} on my account.",
            "final_text": text,
            "messages": [
                {"role": "system", "content": "Check identity, then change the billing details."},
                {"role": "user", "content": f"Please put card {i} on my account."},
                {"role": "assistant", "content": text},
            ],
            "steps": [{"tool": "add_card" if did else "look_up", "arguments": {"card": i}, "result": "ok"}],
            "reward": int(did),
            **more,
        }
        if gold:
            row.update(gold_reward=int(did), gold_kind=gold)
        rows.append(row)
    return rows


def honest(row: Row) -> int:
    return int(any(step["tool"] == "add_card" and step["arguments"] for step in row["steps"]))


def fooled_by(*phrases: str) -> Any:
    """A judge that also passes whatever holds one of the phrases."""

    def judge(row: Row) -> int:
        return int(honest(row) or any(phrase in row["final_text"] for phrase in phrases))

    return judge


def down(row: Row) -> int:
    raise ConnectionError("the judge is down")
