"""Rows for measurements: the support tickets of `examples/`, as many as wanted."""

from __future__ import annotations

import json
import random
import sys
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
import make_rollouts


def rows(n: int, rollouts: int = 8, seed: int = 0) -> list[dict[str, Any]]:
    """`n` rows, `rollouts` a task."""
    rng = random.Random(seed)
    out: list[dict[str, Any]] = []
    number = 0
    while len(out) < n:
        ticket = make_rollouts.ticket(rng, number)
        out.extend(make_rollouts.rollout(rng, ticket, i) for i in range(min(rollouts, n - len(out))))
        number += 1
    return out


def write(path: Path, n: int, distinct: int = 20_000) -> None:
    """A JSONL file of `n` rows: `distinct` rows repeated under new task ids, so that a large file is made quickly."""
    block = rows(min(n, distinct))
    with path.open("w", encoding="utf-8") as file:
        for start in range(0, n, len(block)):
            for row in block[: n - start]:
                named = {**row, "scenario_id": f"{row['scenario_id']}-{start}"}
                file.write(json.dumps(named, ensure_ascii=False) + "\n")


@cache
def asks(n: int, seed: int = 0) -> list[dict[str, Any]]:
    """`n` asks of about 25 words, common ones often; one in fifty is an earlier one with a word changed."""
    rng = random.Random(seed)
    made: list[dict[str, Any]] = []
    for number in range(n):
        if made and rng.random() < 0.02:
            said = rng.choice(made)["prompt"].split()
            said[rng.randrange(len(said))] = "please"
        else:
            said = [f"w{int(20_000 ** rng.random())}" for _ in range(25)]
        made.append({"task_id": f"{seed}-{number}", "prompt": " ".join(said)})
    return made


@cache
def framed_asks(n: int, seed: int = 0) -> list[dict[str, Any]]:
    """`n` asks written from one sentence with three words of their own."""
    rng = random.Random(seed)
    frame = "Please refund my order {} of a {} since it arrived broken on {} and I want my money back before Friday"
    return [
        {
            "task_id": f"{seed}-{number}",
            "prompt": frame.format(
                f"ORD-{rng.randrange(10**6)}", f"item{rng.randrange(500)}", f"day{rng.randrange(31)}"
            ),
        }
        for number in range(n)
    ]


def long_rollout(n: int, start: int = 0) -> dict[str, Any]:
    """A coding rollout of `n` calls, each with arguments and a result of its own."""
    steps = [
        {
            "tool": "bash",
            "arguments": {"command": f"sed -n {i},{i + 20}p src/module_{i}.py", "file_id": f"FILE-{i:05d}"},
            "result": {"exit_code": 0, "stdout": f"FILE-{i + 1:05d} " + "def step(value): return value\n" * 20},
        }
        for i in range(start, start + n)
    ]
    return {"task_id": "a", "prompt": f"Fix FILE-{start:05d}", "steps": steps, "final_text": "I read the modules."}
