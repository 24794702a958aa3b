"""What is written beside the rows of a run: who was tried, how, and what came of it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from whileai.simulations.rows.write import write_text
from whileai.simulations.run.played import Played

_OF_THE_RUN = ("mode", "budget", "stopped_because")
_OF_THE_AGENT = ("name", "policy", "tools")
_FURTHER = (
    "writer_model", "user_model", "judge_model", "declared_tools", "degraded", "warnings", "coverage", "search",
    "system_prompts", "metadata",
)  # fmt: skip


def write_meta(data: Played, path: str | os.PathLike[str]) -> None:
    """Write `<stem>.meta.json` beside the file of a run's rows: the profile, the prompts, the report, the warnings."""
    rows = Path(path)
    stem = rows.name.split(".jsonl")[0] if ".jsonl" in rows.name else rows.stem
    written = json.dumps(_facts(data), ensure_ascii=False, indent=2, default=str) + "\n"
    write_text(written, rows.with_name(f"{stem}.meta.json"))


def _facts(data: Played) -> dict[str, Any]:
    return {
        "n_rows": len(data.trajectories),
        **{name: getattr(data, name) for name in _OF_THE_RUN},
        "profile": {name: getattr(data.profile, name) for name in _OF_THE_AGENT},
        **{name: getattr(data, name) for name in _FURTHER},
    }
