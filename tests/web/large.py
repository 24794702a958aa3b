"""A document of any size, for the time a page takes to open."""

from __future__ import annotations

from typing import Any

from web.documents import rollout
from web.rich import rich


def large(megabytes: float, *, rollouts: int = 4000, tasks: int = 5000) -> dict[str, Any]:
    """A document whose rollouts are about so many megabytes of text, with a table of so many tasks."""
    line = 'The agent reads the record, checks the policy and answers "with care" <as it must>. '
    text = line * max(1, int(megabytes * 1e6 / rollouts / len(line) / 3))
    items = [
        rollout(
            f"task-{i // 4}",
            i % 4,
            reward=float(i % 2),
            turns=[
                {"who": "user", "text": text},
                {"who": "agent", "text": text},
                {"who": "result", "text": text, "name": "look"},
            ],
        )
        for i in range(rollouts)
    ]
    columns = [{"key": "task", "label": "task", "type": "text"}, {"key": "rate", "label": "pass rate", "type": "rate"}]
    rows = [{"task": f"task-{i}", "rate": (i % 17) / 16, "filter": None} for i in range(tasks)]
    table = {"kind": "table", "title": "Tasks", "columns": columns, "rows": rows, "search": True}
    small = rich()
    section = {"id": "many", "title": "Tasks", "lead": "Many.", "blocks": [table], "more": None}
    small["filters"] = {
        **{name: {**each, "rollouts": list(range(0, rollouts, 40))} for name, each in small["filters"].items()},
        "half": {"label": "Half of them", "rollouts": list(range(0, rollouts, 2)), "total": 50_000},
    }
    return small | {
        "sections": [*small["sections"], section],
        "rollouts": {
            "total": 100_000,
            "shown": rollouts,
            "rule": "Flagged ones first, then spread over tasks.",
            "items": items,
        },
        "queue": [{"rollout": i, "why": ["near the threshold"], "rank": 1.0} for i in range(0, rollouts, 20)],
    }
