"""`coverage_gap`: what the asks of a suite never reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from whileai.simulations.defaults import RULE_AXIS_CAP_REPORT
from whileai.simulations.reports import Report
from whileai.simulations.score.checklist.vocabulary import MULTI_TOOL, UNRELATED, History, Stance
from whileai.simulations.score.dimensions.axes import Axes, axes_of
from whileai.simulations.score.dimensions.clauses import capped, whole_clauses
from whileai.simulations.score.dimensions.policy import Policy, policy_text
from whileai.simulations.score.dimensions.tools import read_tools, tool_names
from whileai.simulations.score.preflight.asks import read_asks
from whileai.simulations.score.preflight.gap_text import format_coverage_gap, gap_notes, gap_summary, words_notes
from whileai.simulations.score.preflight.placing import Placed, Places
from whileai.simulations.score.preflight.world import world_side
from whileai.simulations.signature import public


@public
def coverage_gap(
    asks: Any,
    *,
    tools: Any,
    system_prompt: Policy = "",
    rows: Iterable[Any] | None = None,
    rule_cap: int | None = RULE_AXIS_CAP_REPORT,
) -> Report:
    """Which tools, rules and stances no ask of a suite reaches; a report that prints itself.

    `asks` is a list of prompts or rows, or the path of a `.py`, `.jsonl` or `.json` file. `untested_rules` and
    `untested_tools` are the lists to read; `axes` has the count of every value of the coverage grid, `per_ask` where
    each ask landed, `notes` what cannot be told. Asks are placed by their words, not by a model. `rows`, rollouts of a
    run, add `rows_per_rule`, `rules_with_no_rows` and `rules_the_world_never_triggers`: those whose every row ended in
    one and the same tool fault. Raises `TypeError` for a tool that is neither schema nor function and a policy that
    is no text, `ValueError` for a text that is no path and a file without asks, `FileNotFoundError` for a missing one.

    >>> gap = coverage_gap(["Where is order 4473?"], tools=[{"name": "get_order"}, {"name": "send_email"}],
    ...                    system_prompt="Look up the order first. Never share an address.")
    >>> gap["untested_tools"], gap["untested_rules"]
    (['send_email'], ['Never share an address.'])
    """
    held, clauses = read_tools(tools), whole_clauses(policy_text(system_prompt, "system_prompt"))
    rules = capped(list(clauses), rule_cap)
    suite = read_asks(asks)
    places = Places(held, {rule: clauses[rule] for rule in rules})
    placed_of = {ask: places.place(ask) for ask in dict.fromkeys(suite.texts)}
    placed = [placed_of[ask] for ask in suite.texts]
    axes = _counts(axes_of(held, rules), placed)
    stances = Counter(one.stance for one in placed)
    touched = {rule for one in placed for rule in one.rules}
    values = {
        "n_asks": len(placed),
        "asks": [one.ask for one in placed],
        "axes": axes,
        "rules": list(axes["rule"]["counts"]),
        "n_rules_total": len(clauses),
        "rules_truncated": len(rules) < len(clauses),
        "rule_cap": rule_cap,
        "untested_rules": [rule for rule in rules if rule not in touched],
        "untested_tools": [name for name in tool_names(held) if not axes["tool"]["counts"][name]],
        "stances": {stance.value: stances[stance.value] for stance in Stance if stances[stance.value]},
        "pressure_asks": len(placed) - stances[Stance.ORDINARY.value],
        "single_shot": bool(placed) and len({_same(one.ask) for one in placed}) == len(placed),
        "per_ask": [
            {"ask": one.ask, "tools": list(one.tools), "rules": list(one.rules), "stance": one.stance} for one in placed
        ],
    }
    world, world_notes = ({}, []) if rows is None else world_side(rows, rules)
    found = {**values, **world}
    notes = [*gap_notes(found), *world_notes, *words_notes(suite.texts, clauses, rules), *suite.notes]
    return Report({**found, "notes": notes, "summary": gap_summary(found)}, show=format_coverage_gap)


def _same(ask: str) -> str:
    return " ".join(ask.lower().split())


def _counts(axes: Axes, placed: Sequence[Placed]) -> dict[str, dict[str, Any]]:
    """How many asks show each value of each axis; the world and the condition of a tool show in none."""
    counts: dict[str, Counter[str]] = {axis: Counter() for axis in axes}
    for one in placed:
        counts["tool"].update(one.tools or [UNRELATED])
        if len(one.tools) > 1:
            counts["tool"][MULTI_TOOL] += 1
        counts["rule"].update(one.rules)
        counts["stance"][one.stance] += 1
        counts["history"][History.FRESH.value] += 1
    return {axis: _axis(values, counts[axis]) for axis, values in axes.items()}


def _axis(values: Sequence[str], counts: Mapping[str, int]) -> dict[str, Any]:
    return {
        "counts": {value: counts.get(value, 0) for value in values},
        "untouched": [value for value in values if not counts.get(value)],
    }
