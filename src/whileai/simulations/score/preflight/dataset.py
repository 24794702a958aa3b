"""`dataset_report`: size, signal and mix of a dataset, and what kinds of failure it holds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from whileai.simulations.arguments import between
from whileai.simulations.defaults import HARD_SHARE_FLOOR
from whileai.simulations.reports import Report, counted, number_text, wrapped
from whileai.simulations.rows.grade import label
from whileai.simulations.rows.table import row_items
from whileai.simulations.rows.text import ask_text, reply
from whileai.simulations.rows.values import as_text, is_mapping
from whileai.simulations.score.dimensions.difficulty import HARD, UNLABELLED, tier_of
from whileai.simulations.score.dimensions.policy import Policy
from whileai.simulations.score.grading.signature import behavior
from whileai.simulations.score.preflight.agent import preflight
from whileai.simulations.score.preflight.failures import failure_of
from whileai.simulations.signature import public

HARD_SHARE_MIN_ROWS = 20  # rows; under it one row moves the share five points; convention
UNLABELLED_SHARE_WARN = 0.1  # share of rows; convention
UNCLASSIFIED = "unclassified"


@public
def dataset_report(
    rows: Iterable[Any],
    *,
    tools: Any = None,
    system_prompt: Policy = "",
    hard_share_floor: float = HARD_SHARE_FLOOR,
) -> Report:
    """Size, signal and mix of some rows, read after they are generated and graded; a report that prints itself.

    Counts: `rows`, `unique_prompts`, `labeled`, `passes`, `fails`, `usable_sft` (passes with a reply),
    `distinct_behaviors`, `cells_touched`, `failure_classes` (of the fails), `tier_counts`. Shares at 3 decimals, None
    where there is nothing to divide by: `fail_rate`, `hard_share`, `tier_fail_rate` by tier. `warnings` says when
    under `hard_share_floor` of at least 20 rows are hard (not when no row has a stance: nothing is known then), and
    when over a tenth of the rows have no stance. With `tools`, `cells_total` and `preflight_warnings` too. Raises
    `TypeError` for what holds no rows.

    >>> report = dataset_report([{"prompt": "Where is it?", "reward": 0, "final_text": "", "scenario_dimensions":
    ...                           {"stance": "boundary"}}])
    >>> report["failure_classes"], report["hard_share"], report["fail_rate"]
    ({'junk_output': 1}, 1.0, 1.0)
    """
    floor = between("hard_share_floor", hard_share_floor, 0, 1)
    tally = _Tally()
    for row in _dict_rows(rows):
        tally.add(row)
    values = tally.values()
    values["warnings"] = list(_warnings(values["tier_counts"], tally.rows, floor))
    if tools is not None:
        spec = preflight(tools, system_prompt)
        values |= {"cells_total": spec["cells"], "preflight_warnings": spec["warnings"]}
    return Report(values, show=_shown)


def _dict_rows(rows: Any) -> list[Mapping[str, Any]]:
    if isinstance(rows, str | bytes):
        raise TypeError(
            f"dataset_report takes rows, and {rows!r} is a text: pull them first, rows = list(load_rows(FILE))"
        )
    held = row_items(rows)
    found = [row for row in held if is_mapping(row)]
    if held and not found:
        raise TypeError(f"dataset_report takes rows (dicts), and these are of type {type(held[0]).__name__}")
    return found


class _Tally:
    """What is counted of the rows, one at a time."""

    def __init__(self) -> None:
        self.rows = self.usable = 0
        self.prompts: set[str] = set()
        self.behaviors: set[str] = set()
        self.cells: set[Any] = set()
        self.labels: Counter[tuple[str, int]] = Counter()  # by tier and 0/1 label
        self.tiers: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()

    def add(self, row: Mapping[str, Any]) -> None:
        """Count one row."""
        self.rows += 1
        ask, said = ask_text(row), reply(row)
        self.prompts.add(ask)
        self.behaviors.add(behavior(row, ask, said))
        dimensions = row.get("scenario_dimensions")
        if dimensions and is_mapping(dimensions):
            self.cells.add(_cell(dimensions))
        tier = tier_of(dimensions)
        self.tiers[tier] += 1
        passed = label(row)
        if passed is None:
            return
        self.labels[tier, passed] += 1
        if not passed:
            self.failures[failure_of(row, said) or UNCLASSIFIED] += 1
        elif said and not said.isspace():
            self.usable += 1

    def values(self) -> dict[str, Any]:
        """The counts and shares of the report."""
        passes = sum(n for (_, passed), n in self.labels.items() if passed)
        fails = self.labels.total() - passes
        of_tier = {tier: self.labels[tier, 0] + self.labels[tier, 1] for tier in sorted(self.tiers)}
        return {
            "rows": self.rows,
            "unique_prompts": len({" ".join(prompt.lower().split()) for prompt in self.prompts} - {""}),
            "labeled": passes + fails,
            "passes": passes,
            "fails": fails,
            "fail_rate": _share(fails, passes + fails),
            "usable_sft": self.usable,
            "distinct_behaviors": len(self.behaviors),
            "cells_touched": len(self.cells),
            "failure_classes": _most_common(self.failures),
            "tier_counts": _most_common(self.tiers),
            "hard_share": _share(_hard(self.tiers), self.rows),
            "tier_fail_rate": {tier: _share(self.labels[tier, 0], n) for tier, n in of_tier.items() if n},
        }


def _cell(dimensions: Mapping[Any, Any]) -> Any:
    """An assignment as something that is equal for equal ones."""
    try:
        return frozenset(dimensions.items())
    except TypeError:  # a value that is a list or a dict
        return json.dumps({as_text(axis): as_text(value) for axis, value in dimensions.items()}, sort_keys=True)


def _most_common(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))


def _hard(tiers: Mapping[str, int]) -> int:
    return sum(n for tier, n in tiers.items() if tier in HARD)


def _share(n: int, of: int) -> float | None:
    return round(n / of, 3) if of else None


def _warnings(tiers: Mapping[str, int], rows: int, floor: float) -> Iterator[str]:
    hard, unlabelled = _hard(tiers), tiers.get(UNLABELLED, 0)
    if rows >= HARD_SHARE_MIN_ROWS and hard / rows < floor and unlabelled < rows:
        yield (
            f"{hard / rows:.0%} of the rows are hard (boundary, ambiguous or adversarial), under {floor:.0%}: an easy "
            "set; generate or keep more hard situations"
        )
    if unlabelled > UNLABELLED_SHARE_WARN * rows:
        yield f"{counted(unlabelled, 'row')} of {rows:,} have no stance in scenario_dimensions: their tier is unknown"


def _shown(report: Mapping[str, Any]) -> str:
    fail_rate, hard_share = number_text(report["fail_rate"]), number_text(report["hard_share"])
    prompts, behaviors = report["unique_prompts"], report["distinct_behaviors"]
    lines = [
        f"{counted(report['rows'], 'row')}, {counted(prompts, 'prompt')}, {counted(behaviors, 'behavior')}",
        f"labeled {report['labeled']:,}: {report['passes']:,} passes ({report['usable_sft']:,} usable for SFT), "
        f"{report['fails']:,} fails, fail rate {fail_rate}",
        f"hard share {hard_share}, cells touched {report['cells_touched']:,}"
        + (f" of {report['cells_total']:,}" if "cells_total" in report else ""),
    ]
    for title, counts in (("tiers", report["tier_counts"]), ("failures", report["failure_classes"])):
        if counts:
            lines.append(f"{title}: " + ", ".join(f"{name} {n:,}" for name, n in counts.items()))
    warnings = [*report["warnings"], *report.get("preflight_warnings", ())]
    return "\n".join([*lines, *(line for warning in warnings for line in wrapped(f"! {warning}"))])
