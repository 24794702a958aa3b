"""How good the policy is: pass@1, pass^k, pass@k, with their intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import numpy as np

from whileai.simulations.page.material import Material
from whileai.simulations.page.parts import LEVEL, estimate, intervals
from whileai.simulations.reports import counted
from whileai.simulations.web.document import Block, Headline, IntervalRow, Section

_NAMES = (("pass^", "pass_pow_k", "all {k} of {k} rollouts pass"), ("pass@", "pass_at_k", "at least 1 of {k} passes"))


def passes_section(material: Material, overview: Mapping[str, Any]) -> Section | None:
    """The pass rates, and the mean reward where rewards are partial; None without a graded row."""
    if not overview["graded"]:
        return None
    blocks: list[Block] = []
    rates = overview["pass_at"]
    if rates["pass_at_1"] is not None:
        blocks.append(intervals("Rates", "rate", list(_rates(material, overview)), of="tasks"))
    if overview["partial"]:
        within = overview["reward"]["least"] >= 0 and overview["reward"]["most"] <= 1
        unit = "rate" if within else "number"
        blocks.append(intervals("Mean reward", unit, [_reward(material, overview)], of="tasks"))
    ends = rates["ci95"] or (overview["reward"]["ci95"] if overview["partial"] else None)
    bar = f"the bar is its {LEVEL} interval over tasks" if ends else "an interval needs more tasks"
    return {
        "id": "passes",
        "title": "Pass rates",
        "lead": f"Each number is a mean over tasks; {bar}.",
        "blocks": blocks,
        "more": None,
    }


def _rates(material: Material, overview: Mapping[str, Any]) -> Iterator[IntervalRow]:
    rates, binary = overview["pass_at"], material.table.binary
    yield estimate(
        "pass@1",
        rates["pass_at_1"],
        rates["ci95"],
        n=rates["n_groups"],
        note=counted(rates["n_rows"], "rollout"),
        behind=material.filters.where("rows with a 0/1 grade", binary),
    )
    counts = np.bincount(material.table.tasks[binary], minlength=len(material.table.index))
    for name, key, words in _NAMES:
        for draw in overview["k_way"]:
            k = draw["k"]
            reached = binary & (counts[material.table.tasks] >= k)
            yield estimate(
                f"{name}{k}",
                draw[key],
                draw[f"{key}_ci95"],
                n=draw["n_tasks"],
                note=words.format(k=k),
                behind=material.filters.where(f"tasks with {k} graded rollouts or more", reached),
            )


def _reward(material: Material, overview: Mapping[str, Any]) -> IntervalRow:
    reward = overview["reward"]
    graded = ~np.isnan(material.table.grades)
    return estimate(
        "mean reward",
        reward["mean"],
        reward["ci95"],
        n=reward["n_tasks"],
        note=f"{counted(overview['graded'], 'graded row')}, partial rewards included",
        behind=material.filters.where("graded rows", graded),
    )


def headline(section: Section | None, *, beyond: bool = False) -> list[Headline]:
    """pass@1, the last pass^k and the last pass@k of the section, and the mean reward where rewards are partial.

    Of rewards beyond [0, 1] the mean alone: the rows at 1 and at 0 are no passes and failures of theirs.
    """
    blocks = section["blocks"] if section else ()
    rows = [row for block in blocks if block["kind"] == "intervals" for row in block["rows"]]
    first, mean = ([row for row in rows if row["label"] == label] for label in ("pass@1", "mean reward"))
    last = [
        [row for row in rows if row["label"].startswith(start) and row["label"] != "pass@1"][-1:]
        for start, *_ in _NAMES
    ]
    shown = mean if beyond else [*first, *chain.from_iterable(last), *mean]
    return [
        {
            "label": row["label"],
            "value": row["value"],
            "low": row["low"],
            "high": row["high"],
            "n": row["n"],
            "note": f"tasks; {row['note']}",
            "filter": row["filter"],
        }
        for row in shown
    ]
