"""The world's side of coverage: rules whose rows all ended in one and the same tool fault."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from whileai.simulations.reports import counted, out_of
from whileai.simulations.rows.table import row_items
from whileai.simulations.rows.values import is_mapping
from whileai.simulations.score.checklist.vocabulary import UNSPECIFIED, text_of
from whileai.simulations.score.optimize.faults import NO_FAULT, fault_kind


def world_side(rows: Iterable[Any], rules: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """`rows_per_rule`, `rules_with_no_rows` and `rules_the_world_never_triggers` of rollouts, and notes on them."""
    faults: dict[str, Counter[str]] = defaultdict(Counter)
    n = 0
    for row in row_items(rows):
        if is_mapping(row):
            n += 1
            if rule := _rule_of(row):
                faults[rule][fault_kind(row)] += 1
    return _sides(faults, rules), list(_notes(faults, rules, n))


def _notes(faults: Mapping[str, Counter[str]], rules: Sequence[str], n: int) -> Iterator[str]:
    named = sum(met.total() for met in faults.values())
    if named < n:
        yield f"{out_of(named, n, 'row', 'carry')} a rule (scenario_dimensions.rule)"
    if other := faults.keys() - set(rules):
        yield f"{counted(len(other), 'rule')} of the rows not in the policy: rules of rows are matched word for word"


def _sides(faults: Mapping[str, Counter[str]], rules: Sequence[str]) -> dict[str, Any]:
    return {
        "rows_per_rule": {rule: met.total() for rule, met in sorted(faults.items())},
        "rules_with_no_rows": [rule for rule in rules if rule not in faults],
        "rules_the_world_never_triggers": [
            _stuck(rule, *next(iter(met.items())))
            for rule, met in sorted(faults.items())
            if len(met) == 1 and NO_FAULT not in met
        ],
    }


def _rule_of(row: Mapping[Any, Any]) -> str:
    dimensions = row.get("scenario_dimensions")
    rule = text_of(dimensions.get("rule")) if is_mapping(dimensions) else ""
    rule = rule or text_of(row.get("rule"))
    return "" if rule == UNSPECIFIED else rule


def _stuck(rule: str, outcome: str, n: int) -> dict[str, Any]:
    every = "its one row ended" if n == 1 else f"all {counted(n, 'row')} ended"
    note = f"{every} in {outcome}: the asks reach this rule and the fixtures never let it happen"
    return {"rule": rule, "rows": n, "outcome": outcome, "note": note}
