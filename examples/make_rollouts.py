"""Write `support_rollouts.jsonl`: 60 support tickets, 8 rollouts each, as an agent of a small shop would leave them,
and `support_rollouts_tuned.jsonl`: the same tickets after a round of training that helped on most and cost politeness.

    python examples/make_rollouts.py

`support_labels.jsonl` is what a person said of every sixth rollout, in the layout that `wai trust --gold` reads.

Everything in it is invented; the same seed gives the same file.
"""

from __future__ import annotations

import json
import random
import zlib
from pathlib import Path

TASKS, ROLLOUTS = 60, 8
GOODS = ("kettle", "desk lamp", "rain jacket", "backpack", "headphones", "pan set", "yoga mat", "wall clock")
CITIES = ("Lyon", "Porto", "Graz", "Malmö", "Gdańsk", "Leeds")
POLICY = "You are the support agent of a small shop. Refunds within 30 days of delivery. Look the order up first."


def ticket(rng: random.Random, number: int) -> dict[str, object]:
    """One situation: what is asked, what the shop's records say, how hard it is."""
    kind = rng.choice(("refund", "refund", "status", "address"))
    order = f"{rng.randrange(1000, 9999)}"
    good, city, age = rng.choice(GOODS), rng.choice(CITIES), rng.choice((3, 9, 17, 28, 33, 41, 60))
    ask = {
        "refund": f"My {good} from order {order} arrived broken. I want my money back.",
        "status": f"Where is order {order}? I ordered a {good} and it should be in {city} by now.",
        "address": f"Please send order {order} to my new address in {city} instead.",
    }[kind]
    chance = min(1.0, max(0.0, rng.betavariate(1.4, 1.0) - (0.25 if kind == "refund" and age > 30 else 0.0)))
    return {
        "id": f"ticket-{number:03d}",
        "kind": kind,
        "order": order,
        "good": good,
        "city": city,
        "age": age,
        "ask": ask,
        "chance": chance,
    }


def rollout(rng: random.Random, t: dict[str, object], index: int) -> dict[str, object]:
    """One episode: what the agent did on the ticket, and the grade it got."""
    good = rng.random() < float(str(t["chance"]))
    looked = good or rng.random() < 0.6
    steps = _calls(rng, t, good, looked)
    reply = _reply(rng, t, good)
    row: dict[str, object] = {
        "schema_version": "1", "scenario_id": t["id"], "rollout_index": index, "prompt": t["ask"], "messages": _chat(t, steps, reply),
        "steps": [*steps, {"text": reply}], "final_text": reply, "reward": int(good), "reason": "policy kept" if good else "policy missed",
        "judge_status": "ok", "judge_name": "shop-policy-rules", "model_version": "shop-7b", "policy_version": "shop-7b@5e1f0c2ab94d7731",
        "sampling": {"temperature": 0.8, "max_tokens": 1024}, "finish_reason": "stop",
        "markers": {"looked_up_first": float(looked), "no_hedging": float(rng.random() < 0.85), "polite": float(rng.random() < (0.95 if good else 0.8))},
    }  # fmt: skip
    if rng.random() < 0.02:
        row.update(reward=None, judge_status="timeout", reason="no verdict after 60 s")
    elif rng.random() < 0.03:
        row.update(finish_reason="length", reward=0, reason="cut off before an answer")
    return row


def _calls(rng: random.Random, t: dict[str, object], good: bool, looked: bool) -> list[dict[str, object]]:
    calls: list[dict[str, object]] = []
    if looked:
        found = {"order": t["order"], "item": t["good"], "status": "delivered", "days_ago": t["age"]}
        if rng.random() < 0.1:
            calls.append(
                {
                    "tool": "get_order",
                    "arguments": {"order_id": t["order"]},
                    "result": {"status": "timeout", "error": "upstream timed out"},
                }
            )
        calls.append({"tool": "get_order", "arguments": {"order_id": t["order"]}, "result": found})
    if t["kind"] == "refund" and (int(str(t["age"])) <= 30) == good:
        calls.append(
            {
                "tool": "issue_refund",
                "arguments": {"order_id": t["order"]},
                "result": {"ok": True, "amount": rng.randrange(12, 90)},
            }
        )
    if t["kind"] == "address" and good:
        calls.append(
            {"tool": "change_address", "arguments": {"order_id": t["order"], "city": t["city"]}, "result": {"ok": True}}
        )
    return calls


def _reply(rng: random.Random, t: dict[str, object], good: bool) -> str:
    if t["kind"] == "status":
        return (
            f"Order {t['order']} was delivered {t['age']} days ago."
            if good
            else "It should arrive any day now, please wait."
        )
    if t["kind"] == "address":
        return (
            f"Done: order {t['order']} now goes to {t['city']}."
            if good
            else "I am not sure I can change that, perhaps ask the courier."
        )
    if (int(str(t["age"])) <= 30) == good:
        return f"I refunded order {t['order']}; the money is back within {rng.randrange(3, 8)} days."
    return (
        f"Order {t['order']} was delivered {t['age']} days ago, so I cannot refund it."
        if good
        else "Refunds take a while, please write again later."
    )


def _chat(t: dict[str, object], steps: list[dict[str, object]], reply: str) -> list[dict[str, object]]:
    chat: list[dict[str, object]] = [{"role": "system", "content": POLICY}, {"role": "user", "content": t["ask"]}]
    for number, step in enumerate(steps):
        call = {
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": step["tool"], "arguments": json.dumps(step["arguments"])},
        }
        chat.append({"role": "assistant", "content": None, "tool_calls": [call]})
        chat.append({"role": "tool", "tool_call_id": f"call_{number}", "content": json.dumps(step["result"])})
    return [*chat, {"role": "assistant", "content": reply}]


def write(name: str, rows: list[dict[str, object]]) -> None:
    path = Path(__file__).with_name(name)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    print(f"{len(rows)} lines written to {name}")


def tuned(row: dict[str, object]) -> dict[str, object]:
    """What marks a rollout of the trained policy, which has become curt."""
    markers = {**row["markers"], "polite": float(hash_share(row) < 0.72)}  # type: ignore[dict-item]
    return {
        **row,
        "markers": markers,
        "model_version": "shop-7b-tuned",
        "policy_version": "shop-7b-tuned@5e1f0c2ab94d7731",
    }


def labels(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """A person's verdicts, which differ from the judge's on a few rollouts."""
    return [
        {
            "key": f"{row['scenario_id']}#{row['rollout_index']}",
            "label": 1 - int(str(row["reward"])) if hash_share(row) < 0.04 else row["reward"],
            "annotator": "ana",
        }
        for row in rows[::6]
        if row["reward"] is not None
    ]


def hash_share(row: dict[str, object]) -> float:
    """A number in [0, 1) that depends on the rollout alone."""
    return zlib.crc32(f"{row['scenario_id']}/{row['rollout_index']}".encode()) / 2**32


def main() -> None:
    rng = random.Random(20)
    tickets = [ticket(rng, n) for n in range(TASKS)]
    rows = [rollout(rng, t, i) for t in tickets for i in range(ROLLOUTS)]
    write("support_rollouts.jsonl", rows)
    write("support_labels.jsonl", labels(rows))
    better = [{**t, "chance": min(1.0, float(str(t["chance"])) * 1.1 + 0.1)} for t in tickets]
    write("support_rollouts_tuned.jsonl", [tuned(rollout(rng, t, i)) for t in better for i in range(ROLLOUTS)])


if __name__ == "__main__":
    main()
