"""Rows for measurements: the support tickets of `examples/`, as many as wanted."""

from __future__ import annotations

import json
import random
import sys
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
