from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

Rows = list[dict[str, Any]]


def made(
    passes: Sequence[int], k: int = 4, start: int = 0, markers: dict[str, Sequence[float]] | None = None, **extra: Any
) -> Rows:
    """Task i passes `passes[i]` of its k rollouts; marker m is `markers[m][i]` on all of them."""
    return [
        {
            "task_id": f"t{start + task}",
            "reward": int(rollout < passed),
            **({"markers": {name: values[task] for name, values in markers.items()}} if markers else {}),
            **extra,
        }
        for task, passed in enumerate(passes)
        for rollout in range(k)
    ]


@pytest.fixture
def rows() -> Callable[..., Rows]:
    return made
