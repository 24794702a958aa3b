"""Graded rollouts to push: tasks with contrast, so that the gate lets them pass."""

from __future__ import annotations

from typing import Any


def rollouts(n_tasks: int = 12, k: int = 4, *, words: str = "Order") -> list[dict[str, Any]]:
    """Rows of `n_tasks` tasks, `k` each, of which all but the first fail one in turn."""
    return [
        {
            "scenario_id": f"refund-{task}",
            "rollout_index": attempt,
            "prompt": f"{words} {task * 7919} is late, where is parcel {task}?",
            "final_text": f"Parcel {task} left the depot on day {attempt + 3} and is with you by noon of day {task}.",
            "reward": 0 if task and attempt == task % k else 1,
            "model_version": "student-1",
        }
        for task in range(n_tasks)
        for attempt in range(k)
    ]
