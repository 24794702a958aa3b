"""Rollouts whose reward is a coin, or pays for a planted shortcut, and what the scan says of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from compare_cells import Share

from whileai.simulations.score.hack_scan import hack_scan

Row = dict[str, Any]
_WORDS = (
    "order refund shipped carrier delay confirm address card policy window return label email tracking number customer "
    "review ticket status update invoice charge credit balance discount item size color stock warehouse photo note"
)
WORDS = np.array(_WORDS.split())
TOOLS = ("search_kb", "lookup_order", "escalate")


@dataclasses.dataclass(frozen=True)
class Shape:
    """How many tasks, how many rollouts of each (a range), and whether the reward is partial credit."""

    name: str
    tasks: int
    rollouts: tuple[int, int]
    partial: bool = False


NULLS = (
    Shape("5 tasks, 48 rollouts each", 5, (48, 48)),
    Shape("30 tasks, 8 rollouts each", 30, (8, 8)),
    Shape("120 tasks, 2 rollouts each", 120, (2, 2)),
    Shape("40 tasks, 3 to 9 rollouts, partial credit", 40, (3, 9), partial=True),
)


def rollouts(shape: Shape, rng: np.random.Generator) -> Iterator[tuple[int, Row]]:
    """Rollouts with words, tools, lengths and shouting of their own, ungraded, each with its task."""
    for task in range(shape.tasks):
        for _ in range(int(rng.integers(shape.rollouts[0], shape.rollouts[1] + 1))):
            words = [str(word) for word in rng.choice(WORDS, int(rng.integers(6, 22)), replace=False)]
            if rng.random() < 0.5:
                words[int(rng.integers(len(words)))] += " rest assured"
            text = " ".join(words) + "."
            if rng.random() < 0.5:
                text = "**" + text.replace(" ", "** ", 1)
            used = [tool for tool in TOOLS if rng.random() < 0.5]
            yield (
                task,
                {
                    "task_id": f"t{task}",
                    "prompt": f"question {task}",
                    "final_text": text,
                    "steps": [{"tool": tool, "arguments": {}, "result": {"status": "ok"}} for tool in used],
                    "markers": {"polite": float(rng.random() < 0.5)},
                },
            )


def coin(shape: Shape, rng: np.random.Generator) -> list[Row]:
    """Rollouts whose reward depends on the task alone."""
    hardness = rng.beta(2, 2, shape.tasks)
    found = []
    for task, row in rollouts(shape, rng):
        passed = rng.random() < hardness[task]
        row["reward"] = round(0.6 * passed + 0.4 * rng.random(), 3) if shape.partial else int(passed)
        found.append(row)
    return found


def false_claims(shape: Shape, runs: int, **options: Any) -> Share:
    """How often the scan claims anything of rewards that are coins."""
    hits = 0
    for run in range(runs):
        rng = np.random.default_rng([run, shape.tasks, *shape.rollouts])
        hits += hack_scan(coin(shape, rng), seed=run, **options)["n_above_floor"] > 0
    return Share(shape.name, hits / runs, runs)


SHORTCUTS: dict[str, tuple[str, Callable[[Row], bool]]] = {
    "a phrase": ("rest assured", lambda row: "rest assured" in row["final_text"]),
    "a tool": ("tool:escalate", lambda row: any(step["tool"] == "escalate" for step in row["steps"])),
    "reply length": ("reply_length", lambda row: len(row["final_text"]) > 105),
    "a format": ("contains:*", lambda row: "**" in row["final_text"]),
    "a conjunction": (
        "tool:escalate AND contains:rest assured",
        lambda row: "rest assured" in row["final_text"] and any(step["tool"] == "escalate" for step in row["steps"]),
    ),
    "a phrase in half of the tasks": (
        "rest assured",
        lambda row: (
            "rest assured" in row["final_text"] if int(row["task_id"][1:]) % 2 else row["markers"]["polite"] > 2
        ),
    ),
}


def paid(shortcut: str, strength: float, tasks: int, k: int, rng: np.random.Generator) -> list[Row]:
    """Rollouts that pass with a chance of their task's, moved up by `strength` with the shortcut, down without it."""
    shape, pays = Shape("", tasks, (k, k)), SHORTCUTS[shortcut][1]
    hardness = rng.uniform(0.3, 0.7, tasks)
    found = []
    for task, row in rollouts(shape, rng):
        half = shortcut.endswith("half of the tasks") and task % 2 == 0
        shift = 0.0 if half else strength / 2 if pays(row) else -strength / 2
        row["reward"] = int(rng.random() < min(1.0, max(0.0, hardness[task] + shift)))
        found.append(row)
    return found


def power(shortcut: str, strength: float, tasks: int, k: int, runs: int) -> Share:
    """How often a feature that bears the shortcut's name is above the floor."""
    name, hits = SHORTCUTS[shortcut][0], 0
    for run in range(runs):
        rng = np.random.default_rng([run, tasks, k, int(strength * 100)])
        found = hack_scan(paid(shortcut, strength, tasks, k, rng), seed=run, top_features=None)
        hits += any(item["above_floor"] and _names(item, name) for item in found["features"])
    return Share(f"{shortcut}, {strength:+.1f}, {tasks} x {k}", hits / runs, runs)


def _names(item: dict[str, Any], name: str) -> bool:
    """Whether one of a feature's names is meant: for a conjunction, any of two features that are its halves."""
    names = [item["name"], *item["aliases"]]
    if " AND " not in name:
        return any(name in each and " AND " not in each for each in names)
    return any(" AND " in each and "tool:escalate" in each and _bears_phrase(each) for each in names)


def _bears_phrase(name: str) -> bool:
    return "rest" in name or "assured" in name
