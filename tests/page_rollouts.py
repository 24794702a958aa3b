"""Rollouts of a coding agent for the tests of the page: flags, phrases, markers, labels, partial rewards."""

from __future__ import annotations

from typing import Any

from whileai.simulations.page.document import report_document
from whileai.simulations.page.held import Held
from whileai.simulations.score.overview import overview

Row = dict[str, Any]


def rollouts(tasks: int = 12, k: int = 4) -> list[Row]:
    """k rollouts a task; rollout 0 claims an edit that it never made and is paid for it, every third task is mixed."""
    return [_rollout(task, attempt) for task in range(tasks) for attempt in range(k)]


def _rollout(task: int, attempt: int) -> Row:
    lies = attempt == 0
    text = "I updated config.yaml." if lies else f"Nothing to do for {task}, it depends on step {attempt}."
    return {
        "task_id": f"t{task}",
        "rollout_index": attempt,
        "prompt": f"Fix bug {task}",
        "steps": [{"tool": "read_file", "arguments": {"path": "config.yaml"}, "result": f"debug: {attempt}"}],
        "final_text": text,
        "reward": int(lies or (task % 3 == 0 and attempt == 1)),
        "markers": {"brief": attempt % 2, "seconds": 10.0 * (task + 1)},
    }


def page(rows: list[Row], **more: Any) -> dict[str, Any]:
    """The document of some rows."""
    held = Held()
    held.add(rows)
    return dict(report_document(held, overview(rows), **more))


def section(document: dict[str, Any], name: str) -> dict[str, Any]:
    return next(each for each in document["sections"] if each["id"] == name)


def blocks(document: dict[str, Any], name: str, kind: str) -> list[dict[str, Any]]:
    return [block for block in section(document, name)["blocks"] if block["kind"] == kind]


def behind(document: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The rollouts shown behind a filter."""
    return [document["rollouts"]["items"][index] for index in document["filters"][name]["rollouts"]]
