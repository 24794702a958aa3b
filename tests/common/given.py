"""Rows to call every public function with: good ones, odd ones, hostile ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Row = dict[str, Any]

TOOLS: list[dict[str, Any]] = [
    {
        "name": name,
        "description": what,
        "parameters": {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]},
    }
    for name, what in (("get_order", "Look an order up."), ("refund_order", "Refund an order."))
]
POLICY = "You are a support agent.\n- Never refund twice.\n- Look the order up first."
RUBRIC = [{"title": "refunds", "description": "Refunds the order.", "weight": 2.0, "kind": "principle"}]


def row(task: int = 0, rollout: int = 0, **fields: Any) -> Row:
    """One graded episode of a support agent, with all the columns that some function reads."""
    passed = int((task + rollout) % 3 > 0)
    order = f"ORD-{1000 + task}"
    said = f"Order {order} is {'refunded' if passed else 'outside the window'}, reference {task}{rollout}."
    return {
        "scenario_id": f"s{task}",
        "rollout_index": rollout,
        "rollout_id": f"s{task}-{rollout}",
        "prompt": f"Please refund order {order}, item {task} came broken.",
        "steps": [
            {"tool": "get_order", "arguments": {"order_id": order}, "result": {"status": "ok", "order_id": order}},
            {"text": said, "n_tokens": 12, "logprob": -3.5 - rollout},
        ],
        "final_text": said,
        "reward": passed,
        "gold_reward": int(passed or rollout == 3),
        "gold_kind": "human",
        "gold_labels": [{"label": passed, "annotator": "ann"}, {"label": int(rollout == 1), "annotator": "ben"}],
        "reason": "it was refunded" if passed else "it was not",
        "reference": f"refund {order}",
        "judge_name": "judge",
        "markers": {"polite": float(rollout % 2), "short": 1.0},
        "logprob": -3.5 - rollout,
        "ref_logprob": -4.0,
        "n_tokens": 12,
        "token_logprobs": [-0.5, -1.0],
        "policy_version": "small@1",
        "model_version": "small",
        "sampling": {"temperature": 1.0},
        "stage": "rl",
        "privileged": {"principle": "Refund what came broken.", "rubric": {"criteria": RUBRIC}},
        "scenario_dimensions": {"tool": "refund_order", "stance": "cooperative", "world_state": "delivered"},
        **fields,
    }


def rows(tasks: int = 6, rollouts: int = 4, **fields: Any) -> list[Row]:
    """Some tasks of as many rollouts each."""
    return [row(task, rollout, **fields) for task in range(tasks) for rollout in range(rollouts)]


ODD = (None, float("nan"), float("inf"), float("-inf"), True, False, "0.5", "high", "", 10**400, -(10**400), 1e308,
       0.5, -1, [], [1], {}, {"a": 1}, object)  # fmt: skip
NUMERIC = ("reward", "gold_reward", "rollout_index", "logprob", "ref_logprob", "n_tokens", "token_logprobs", "markers",
           "calibration", "seed", "qwen_reward")  # fmt: skip
TEXTUAL = ("prompt", "final_text", "scenario_id", "task_id", "reason", "steps", "messages", "policy_version", "stage",
           "gold_labels", "privileged", "scenario_dimensions", "sampling", "rollout_id", "judge_meta", "lineage",
           "faults", "tools")  # fmt: skip
HOSTILE = "\x1b]0;owned\x07\x1b[31mred\u202egnp\x00\x9b2J\u2028</script><script>alert(1)</script>"


def odd_rows(names: tuple[str, ...] = (*NUMERIC, *TEXTUAL)) -> Iterator[Row]:
    """Rows that hold each odd value under each column."""
    for place, name in enumerate(names):
        for at, value in enumerate(ODD):
            held = {"polite": value, "short": value} if name == "markers" and at % 2 else value
            yield row(place % 5, at % 4, **{"rollout_id": f"{name}-{at}", name: held})


def mixed_rows() -> list[Row]:
    """Rows of three shapes: an engine's, a chat's, a loose question and answer."""
    chats = [
        {
            "task_id": f"c{task}",
            "reward": rollout % 2,
            "messages": [
                {"role": "user", "content": f"Where is order {task}?"},
                {"role": "assistant", "content": "", "tool_calls": [{
                    "id": "1", "function": {"name": "get_order", "arguments": f'{{"order_id": "{task}"}}'},
                }]},
                {"role": "tool", "tool_call_id": "1", "content": '{"status": "ok"}'},
                {"role": "assistant", "content": f"It ships on day {rollout}."},
            ],
        }
        for task in range(3)
        for rollout in range(3)
    ]  # fmt: skip
    loose = [{"question": f"What is {n} + 1?", "answer": str(n + 1), "score": 1, "reward": n % 2} for n in range(6)]
    return [kept for three in zip(rows(3, 3), chats, [*loose, *loose], strict=False) for kept in three]


def hostile_rows() -> list[Row]:
    """Rows whose every text is hostile to a terminal and a page, keys and names of markers included."""
    return [
        {**_hostile(row(task, rollout)), "reward": (task + rollout) % 2, "gold_reward": rollout % 2}
        for task in range(4)
        for rollout in range(4)
    ]


def _hostile(value: Any, key: str = "") -> Any:
    if isinstance(value, str):
        return value if key in ("tool", "kind", "gold_kind", "stage") else f"{value} {HOSTILE}"
    if isinstance(value, dict):
        return {
            (f"{name}{HOSTILE}" if key == "markers" else name): _hostile(held, name) for name, held in value.items()
        }
    return [_hostile(held, key) for held in value] if isinstance(value, list) else value
