"""A rich document for the tests of the page: everything a page can show, with made-up numbers."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

from web.documents import document, intervals, rollout, row

_NAMES = ["refund", "rebook", "baggage", "upgrade", "cancel", "seat", "voucher", "passport"]


def cell(count: int, opens: str | None = None) -> dict[str, Any]:
    return {"count": count, "filter": opens}


def _rollouts(tasks: int, attempts: int) -> list[dict[str, Any]]:
    draw = random.Random(7)
    made = []
    for task in range(tasks):
        chance = draw.random()
        for attempt in range(attempts):
            reward = 1.0 if draw.random() < chance else 0.0
            item = rollout(f"{_NAMES[task % len(_NAMES)]}-{task:02d}", attempt, reward=reward)
            item["markers"] = {"tool_error": True, "turns": 8}
            if attempt == 0 and task % 3 == 0:
                item["flags"] = [
                    {"name": "claims an action that failed", "evidence": f"your {item['task']} is confirmed"}
                ]
                item["reason"] = "The agent says the change went through; the tool refused it."
            made.append(item)
    return made


def rich() -> dict[str, Any]:
    """Everything a page can show, with numbers of a plausible size."""
    items = _rollouts(24, 4)
    flagged = [i for i, item in enumerate(items) if item["flags"]]
    failed = [i for i, item in enumerate(items) if item["label"] == "fail"]
    filters: dict[str, Any] = {
        "flagged": {"label": "Claims an action that failed", "rollouts": flagged, "total": 31},
        "failed": {"label": "Failed rollouts", "rollouts": failed, "total": len(failed)},
        "empty": {"label": "No rollout here", "rollouts": [], "total": 3},
    }
    tasks: dict[str, list[int]] = {}
    for i, item in enumerate(items):
        tasks.setdefault(item["task"], []).append(i)
    rate = {task: sum(items[i]["reward"] for i in of) / len(of) for task, of in tasks.items()}
    for task, of in tasks.items():
        filters[f"task:{task}"] = {"label": f"Task {task}", "rollouts": of, "total": len(of)}
    edges = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0001]
    bins = []
    for low, high in pairwise(edges):
        names = [task for task, share in rate.items() if low <= share < high]
        filters[f"bin:{low}"] = {
            "label": f"Tasks with pass rate {low:.1f} to {high:.1f}",
            "rollouts": [i for name in names for i in tasks[name]],
            "total": 4 * len(names),
        }
        bins.append(
            {
                "label": f"{low:.1f}–{min(high, 1):.1f}",
                "low": low,
                "high": min(high, 1.0),
                "count": len(names),
                "filter": f"bin:{low}",
            }
        )
    return document(
        title="gpt-4o on tau-bench airline",
        subtitle="96 rollouts of 24 tasks, 4 attempts each; every one graded",
        made="Made by wai report on 2026-12-01 with whileai 0.1.0.",
        items=items,
        filters=filters,
        sources=[
            {
                "source": "tau-bench-gpt-4o-airline.json",
                "formats": {"tau-bench": 93, "row": 3},
                "rows": 96,
                "bad": 2,
                "first_bad": {"record": 17, "reason": "no messages"},
                "notes": ["rewards read from reward_info"],
            },
        ],
        headline=[
            {
                "label": "pass@1",
                "value": 0.458,
                "low": 0.352,
                "high": 0.569,
                "n": 24,
                "note": "tasks; a single attempt passes",
                "filter": "failed",
            },
            {"label": "pass^4", "value": 0.208, "low": 0.089, "high": 0.396, "n": 24, "note": "all four attempts pass"},
            {
                "label": "pass@4",
                "value": 0.75,
                "low": 0.551,
                "high": 0.880,
                "n": 24,
                "note": "at least one of four passes",
            },
        ],
        warnings=[
            {
                "text": "Flagged rollouts are paid as often as others.",
                "fix": "Look at the 8 flagged rollouts before training on this reward.",
                "section": "markers",
            },
            {
                "text": "Only 24 tasks: a change below 0.14 cannot be seen.",
                "fix": "Collect 60 tasks or more to see 0.05.",
                "section": None,
            },
            {"text": "2 records could not be read.", "fix": "Give them messages, or leave them out.", "section": None},
            {"text": "No seed is recorded.", "fix": "Write the sampling seed into each row.", "section": None},
            {
                "text": "Judge and people were compared on 40 rows only.",
                "fix": "Label 60 more from the review queue.",
                "section": "trust",
            },
        ],
        sections=_sections(items, tasks, rate, bins),
        queue=[
            {
                "rollout": i,
                "why": ["flag fired and the reward paid"] if items[i]["label"] == "pass" else ["flag fired"],
                "rank": 1.0 - place / 100,
            }
            for place, i in enumerate(sorted(flagged, key=lambda i: -items[i]["reward"]))
        ],
    )


def _sections(items: Any, tasks: Any, rate: Any, bins: Any) -> list[dict[str, Any]]:
    markers = [
        row(
            "claims an action that failed",
            0.323,
            0.09,
            96,
            "bad",
            filter="flagged",
            note="paid: 0.52 pass with, 0.43 without",
        ),
        row("tool call failed", 0.61, 0.10, 96, "flat", note="not paid"),
        row("asks before acting", 0.47, 0.11, 96, "good", note="paid"),
        row("answers in another language than the person asked in", 0.01, 0.02, 96, "flat"),
        row("leaks the system prompt", None, None, 0, "unknown", note="no row names its system prompt"),
    ]
    delta = [
        row("pass@1", 0.104, 0.09, 24, "good"),
        row("pass^4", 0.05, 0.12, 24, "flat"),
        row("tool errors a rollout", -0.08, 0.05, 24, "good", note="fewer is better"),
        row("claims an action that failed", 0.07, 0.04, 24, "bad"),
        row("characters a reply", -0.02, 0.03, 24, "flat"),
    ]
    draw = random.Random(3)
    points = [
        {
            "label": task,
            "x": share,
            "y": min(1.0, max(0.0, share + draw.choice([-0.25, 0, 0, 0.25, 0.5]))),
            "filter": f"task:{task}",
        }
        for task, share in rate.items()
    ]
    table_rows = [
        {
            "task": task,
            "rollouts": len(of),
            "rate": {"value": rate[task], "low": max(0, rate[task] - 0.3), "high": min(1, rate[task] + 0.3)},
            "length": draw.randrange(900, 24000),
            "verdict": "in the band" if 0.2 <= rate[task] <= 0.8 else "solved" if rate[task] > 0.8 else "too hard",
            "filter": f"task:{task}",
        }
        for task, of in tasks.items()
    ]
    table_rows.append(
        {"task": "no rollouts yet", "rollouts": 0, "rate": None, "length": None, "verdict": None, "filter": None}
    )
    return [
        {
            "id": "pass-rates",
            "title": "Pass rates",
            "group": "The policy",
            "more": "How intervals are made: docs/pass-rates.md.",
            "lead": "Under half of single attempts pass, and one task in five passes every time.",
            "blocks": [
                intervals(
                    "pass^k: all of k attempts pass",
                    "rate",
                    [
                        row("pass^1", 0.458, 0.11, 24, "flat"),
                        row("pass^2", 0.33, 0.12, 24, "flat"),
                        row("pass^3", 0.26, 0.14, 24, "flat"),
                        row("pass^4", 0.208, 0.16, 24, "flat"),
                    ],
                ),
                {
                    "kind": "facts",
                    "title": None,
                    "items": [
                        {"label": "graded", "value": "96 of 96 rows", "note": None},
                        {"label": "attempts a task", "value": "4", "note": "the same for all"},
                        {"label": "model", "value": "gpt-4o-2024-08-06", "note": "temperature 0.0"},
                    ],
                },
            ],
        },
        {
            "id": "tasks",
            "title": "Tasks by difficulty",
            "group": "The policy",
            "more": None,
            "lead": "Half of the tasks lie in the band where a grouped update learns something.",
            "blocks": [
                {
                    "kind": "histogram",
                    "title": "Tasks by pass rate",
                    "x": "pass rate of a task",
                    "y": "tasks",
                    "bins": bins,
                    "band": [0.2, 0.8],
                    "band_label": "learns most",
                },
                {
                    "kind": "table",
                    "title": "Every task",
                    "search": True,
                    "columns": [
                        {"key": "task", "label": "task", "type": "text"},
                        {"key": "rollouts", "label": "rollouts", "type": "number"},
                        {"key": "rate", "label": "pass rate", "type": "rate"},
                        {"key": "length", "label": "characters", "type": "number"},
                        {"key": "verdict", "label": "band", "type": "text"},
                    ],
                    "rows": table_rows,
                },
            ],
        },
        {
            "id": "markers",
            "title": "Markers and flags",
            "group": "The reward",
            "more": None,
            "lead": "A third of the rollouts claim an action that failed, and the reward pays for it.",
            "blocks": [intervals("Share of rollouts", "rate", markers)],
        },
        {
            "id": "scan",
            "title": "What the reward pays for",
            "group": "The reward",
            "more": None,
            "lead": "Two features go with the reward beyond chance.",
            "blocks": [
                intervals(
                    "Correlation with the reward, within tasks",
                    "correlation",
                    [
                        row("reply length", 0.41, 0.15, 96, "bad"),
                        row("claims an action that failed", 0.28, 0.14, 96, "bad"),
                        row("number of calls", 0.08, 0.16, 96, "flat"),
                        row("asks before acting", -0.12, 0.15, 96, "flat"),
                    ],
                    reference=0.2,
                    reference_label="floor: what chance gives",
                    band=[-0.2, 0.2],
                    band_label="chance",
                )
            ],
        },
        {
            "id": "trust",
            "title": "Judge trust",
            "group": "The reward",
            "more": None,
            "lead": "Judge and people agree on 34 of 40 rows; where they do not, the judge is too kind.",
            "blocks": [
                {
                    "kind": "confusion",
                    "title": "Judge against people",
                    "row_axis": "people say",
                    "column_axis": "the judge says",
                    "rows": ["pass", "fail"],
                    "columns": ["pass", "fail"],
                    "cells": [[cell(18), cell(1)], [cell(5, "flagged"), cell(16)]],
                },
                intervals(
                    "Agreement",
                    "number",
                    [row("kappa", 0.70, 0.22, 40, "flat"), row("raw agreement", 0.85, 0.11, 40, "flat")],
                ),
            ],
        },
        {
            "id": "lengths",
            "title": "Length",
            "group": "The rows",
            "more": None,
            "lead": "Failed rollouts are twice as long.",
            "blocks": [
                {
                    "kind": "bars",
                    "title": "Median characters a rollout",
                    "x": "characters",
                    "rows": [
                        {"label": "passed", "value": 5400, "text": None, "filter": None},
                        {"label": "failed", "value": 11200, "text": None, "filter": "failed"},
                        {"label": "cut at the limit", "value": 16000, "text": "16,000 in 3 rows", "filter": "empty"},
                    ],
                }
            ],
        },
        {
            "id": "selection",
            "title": "Selection",
            "group": "The rows",
            "more": None,
            "lead": "41 of 96 rows are worth training on.",
            "blocks": [
                {
                    "kind": "steps",
                    "title": "From rows given to rows kept",
                    "rows": [
                        {"label": "rows given", "value": 96, "kind": "given", "note": None},
                        {
                            "label": "tasks without spread",
                            "value": 36,
                            "kind": "dropped",
                            "note": "all attempts alike: no gradient",
                        },
                        {
                            "label": "flagged",
                            "value": 12,
                            "kind": "dropped",
                            "note": "the reward pays for a false claim",
                        },
                        {"label": "too long", "value": 7, "kind": "dropped", "note": None},
                        {"label": "rows kept", "value": 41, "kind": "kept", "note": "of 11 tasks"},
                    ],
                }
            ],
        },
        {
            "id": "change",
            "title": "Against the last round",
            "group": "The rows",
            "more": None,
            "lead": "More tasks pass, and more rollouts claim what did not happen.",
            "blocks": [
                intervals("Change on the same 24 tasks", "delta", delta, reference=0.0, reference_label="no change"),
                {
                    "kind": "scatter",
                    "title": "Pass rate of each task",
                    "x": "before",
                    "y": "after",
                    "points": points,
                    "diagonal": True,
                },
                {
                    "kind": "text",
                    "title": "As printed",
                    "text": "pass@1  0.354 -> 0.458  +0.104 [+0.014, +0.194]  n 24\n! one run a side",
                },
            ],
        },
    ]
