"""A coverage gap in words: notes, one line, and the block a person reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from whileai.simulations.arguments import report_of
from whileai.simulations.reports import counted, out_of, printable, wrapped
from whileai.simulations.score.checklist.vocabulary import MULTI_TOOL, UNRELATED, UNSPECIFIED
from whileai.simulations.score.dimensions.clauses import LONGEST
from whileai.simulations.signature import public

_LETTER = re.compile(r"[^\W\d_]")
_LATIN = re.compile(r"[A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff]")
_RULE_CHARS = 60  # of a rule in a line
_RULES_NAMED, _TOOLS_NAMED, _STUCK_NAMED = 3, 5, 2  # in the summary


def gap_notes(gap: Mapping[str, Any]) -> list[str]:
    """What a reader of a gap should know, in a fixed order."""
    return list(_notes(gap))


def _notes(gap: Mapping[str, Any]) -> Iterator[str]:
    if gap["rules_truncated"]:
        shown = len(_rules(gap))
        yield f"the rule axis shows {shown} of {gap['n_rules_total']} clauses (rule_cap={gap['rule_cap']})"
    if gap["untested_rules"]:
        yield f"{counted(len(gap['untested_rules']), 'rule')} of the policy no ask touches"
    yield (
        "world_state and tool_condition cannot be read from an ask: no prompt says that the order is missing or that "
        "the tool timed out, so a suite of asks leaves both at one point"
    )
    yield "rules are matched on shared words: read per_ask before you rely on one"
    if gap["single_shot"]:
        yield "each ask runs once: one rollout of an ask does not tell luck from skill"
    if gap["n_asks"] and not gap["pressure_asks"]:
        yield "no ask is under pressure: none is hurried, adversarial or a retry"
    if stuck := gap.get("rules_the_world_never_triggers"):
        yield f"{counted(len(stuck), 'rule')} the world never triggers: every row ended in the same tool fault"


def words_notes(asks: Sequence[str], clauses: Mapping[str, str], rules: Sequence[str]) -> Iterator[str]:
    """What the matching of words cannot do for these asks and rules; `clauses` has the whole text of each rule."""
    if cut := sum(len(clauses[rule]) > len(rule) for rule in rules):
        shown = counted(len(rules), "rule")
        yield f"{cut} of {shown} cut at {LONGEST} characters to be shown; asks are matched on the whole"
    odd_asks, odd_rules = sum(map(_unread, asks)), sum(map(_unread, rules))
    if odd_asks or odd_rules:
        unread = f"{out_of(odd_asks, len(asks), 'ask')} and {out_of(odd_rules, len(rules), 'rule')}"
        yield (
            f"matching reads English words: {unread} "
            "are in a script it does not read, so untested says nothing about them"
        )


def _unread(text: str) -> bool:
    """Whether most letters of a text are of another script than Latin."""
    return not text.isascii() and 2 * len(_LATIN.findall(text)) < len(_LETTER.findall(text))


def gap_summary(gap: Mapping[str, Any]) -> str:
    """The gap in one line."""
    n_rules, n_tools = len(_rules(gap)), len(_tools(gap))
    untested, unused = gap["untested_rules"], gap["untested_tools"]
    of_policy = f" (the policy has {gap['n_rules_total']})" if gap["rules_truncated"] else ""
    cover = "covers" if gap["n_asks"] == 1 else "cover"
    parts = [
        f"{counted(gap['n_asks'], 'ask')} {cover} {out_of(n_rules - len(untested), n_rules, 'rule')}{of_policy} and "
        f"{out_of(n_tools - len(unused), n_tools, 'tool')}"
    ]
    if untested:
        parts.append(f"untested rules: {_some(list(map(_quoted, untested)), _RULES_NAMED)}")
    if unused:
        parts.append(f"untested tools: {_some([printable(name) for name in unused], _TOOLS_NAMED)}")
    if gap["n_asks"] and not gap["pressure_asks"]:
        parts.append("no ask under pressure")
    if gap["single_shot"]:
        parts.append("each ask runs once")
    if stuck := gap.get("rules_the_world_never_triggers"):
        named = [f"{_quoted(one['rule'])} ({printable(one['outcome'], _RULE_CHARS)})" for one in stuck]
        parts.append(f"never triggered by the world: {_some(named, _STUCK_NAMED)}")
    return "; ".join(parts)


@public
@report_of("coverage_gap")
def format_coverage_gap(report: Mapping[str, Any]) -> str:
    """The summary, the counts, each untested rule, the untested tools, each rule the world never triggers, the notes.

    >>> print(format_coverage_gap({"summary": "2 asks", "n_asks": 2, "rules": ["Be brief."]}))
    2 asks
    asks: 2
    rules covered: 1 of 1
    tools covered: 0 of 0
    """
    return "\n".join(line for text in _lines(report) for line in wrapped(text) or [""])


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    if report.get("summary"):
        yield printable(report["summary"])
    untested, tools, rules = report.get("untested_rules") or [], _tools(report), _rules(report)
    once = ", each runs once" if report.get("single_shot") else ""
    yield f"asks: {report.get('n_asks') or 0:,}{once}"
    total = f" (the policy has {report.get('n_rules_total')})" if report.get("rules_truncated") else ""
    yield f"rules covered: {len(rules) - len(untested)} of {len(rules)}{total}"
    yield f"tools covered: {sum(1 for n in tools.values() if n)} of {len(tools)}"
    if stances := report.get("stances"):
        yield "stances: " + ", ".join(f"{printable(name)} {n}" for name, n in sorted(stances.items()))
    for rule in untested:
        yield f"untested rule: {_rule(rule)}"
    if unused := report.get("untested_tools"):
        yield f"untested tools: {', '.join(map(printable, unused))}"
    if report.get("rows_per_rule"):
        for rule in report.get("rules_with_no_rows") or ():
            yield f"no rows under rule: {_rule(rule)}"
    for stuck in report.get("rules_the_world_never_triggers") or ():
        outcome = printable(stuck["outcome"], _RULE_CHARS)
        yield f"never triggered: {_rule(stuck['rule'])}: {counted(stuck['rows'], 'row')}, all {outcome}"
    for note in report.get("notes") or ():
        yield f"- {printable(note)}"


def _rules(gap: Mapping[str, Any]) -> list[str]:
    return [rule for rule in gap.get("rules") or () if rule != UNSPECIFIED]


def _tools(gap: Mapping[str, Any]) -> dict[str, int]:
    counts = ((gap.get("axes") or {}).get("tool") or {}).get("counts") or {}
    return {name: n for name, n in counts.items() if name not in (UNRELATED, MULTI_TOOL)}


def _rule(rule: str) -> str:
    return printable(rule, _RULE_CHARS)


def _quoted(rule: str) -> str:
    return f'"{_rule(rule)}"'


def _some(names: list[str], most: int) -> str:
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown
