"""`preflight`: what an agent's tools and policy leave unsaid."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from whileai.simulations.defaults import RULE_AXIS_CAP_REPORT
from whileai.simulations.reports import Report, counted, out_of, printable, wrapped
from whileai.simulations.rows.names import name_words, words_in
from whileai.simulations.score.dimensions.axes import axes_of
from whileai.simulations.score.dimensions.clauses import all_clauses, capped
from whileai.simulations.score.dimensions.policy import Policy, policy_text
from whileai.simulations.score.dimensions.regions import grid_cells
from whileai.simulations.score.dimensions.tools import Tool, read_tools, tool_names
from whileai.simulations.score.preflight.wording import Spoken, Wording
from whileai.simulations.signature import public

THIN_POLICY_CHARS = 200  # characters; a shorter prompt holds two or three rules; convention
MESSAGE_EXAMPLES = 5  # tool names shown in a warning; convention
_DESTRUCTIVE_EXAMPLES = 6
_DESTRUCTIVE = words_in(
    "cancel delete remove refund reverse transfer send update book create close merge pay",
)
_FILES = re.compile(r"(?<![a-z])file_", re.IGNORECASE)
_WARNED_ISSUES = ("no_description", "no_parameters_schema")


@public
def preflight(tools: Any, system_prompt: Policy = "", *, rule_cap: int | None = RULE_AXIS_CAP_REPORT) -> Report:
    """What the spec of an agent leaves unsaid, before rows are generated for it; a report that prints itself.

    `tools` is a sequence of schemas and functions. `tools` in the report names the issues of each; `warnings` is the
    list to read, and `ok` whether it is empty. `rules` are the clauses of the policy (`rule_cap` keeps the first),
    `cells` the size of the coverage grid on them. Raises `TypeError` for a tool that is neither schema nor
    function, and for a policy that is no text.

    >>> report = preflight([{"name": "cancel_order", "description": "Cancel."}], "Ask before you cancel an order.")
    >>> report["tools"], report["cells"], report["tools_not_mentioned_in_policy"]
    ([{'name': 'cancel_order', 'issues': ['no_parameters_schema', 'no_result_shape']}], 60, [])
    """
    held, policy = read_tools(tools), policy_text(system_prompt, "system_prompt")
    clauses = all_clauses(policy)
    shown = capped(clauses, rule_cap)
    axes = axes_of(held, shown)
    values = {
        "n_tools": len(held),
        "policy_chars": len(policy),
        "cells": grid_cells(axes),
        "rules": axes["rule"],
        "n_rules_total": len(clauses),
        "rules_truncated": len(shown) < len(clauses),
        "rule_cap": rule_cap,
        "tools": [{"name": tool.name, "issues": _issues(tool)} for tool in held],
        "destructive_tools": tool_names(filter(_is_destructive, held)),
        "missing_result_shapes": [tool.name for tool in held if not tool.returns],
        "tools_not_mentioned_in_policy": _unmentioned(held, policy),
    }
    warnings = list(_warnings(values, len(shown), blank=not policy.strip()))
    return Report({**values, "warnings": warnings, "ok": not warnings}, show=_shown)


def _issues(tool: Tool) -> list[str]:
    found = {
        "no_description": not tool.description,
        "no_parameters_schema": tool.properties is None,
        "no_required_fields": bool(tool.properties) and not tool.required,
        "no_result_shape": not tool.returns,
    }
    return [issue for issue, there in found.items() if there]


def _is_destructive(tool: Tool) -> bool:
    if tool.reads:
        return False
    return not _DESTRUCTIVE.isdisjoint(name_words(tool.name)) or _FILES.search(tool.name) is not None


def _unmentioned(tools: Iterable[Tool], policy: str) -> list[str]:
    said = Wording(policy)
    named = {tool.name: tool for tool in tools if tool.name}
    return sorted(name for name, tool in named.items() if not Spoken(tool).mentioned_in(said))


def _warnings(values: Mapping[str, Any], n_shown: int, *, blank: bool) -> Iterator[str]:
    shapeless, destructive = values["missing_result_shapes"], values["destructive_tools"]
    if shapeless:
        yield (
            f"{out_of(len(shapeless), values['n_tools'], 'tool', 'declare')} no result shape ({_some(shapeless)}): "
            "add `returns`, or results are made up for them"
        )
    for tool in values["tools"]:
        for issue in tool["issues"]:
            if issue in _WARNED_ISSUES:
                yield f"tool {tool['name'] or 'without a name'}: {issue}"
    if destructive:
        yield (
            f"destructive tools: {_some(destructive, _DESTRUCTIVE_EXAMPLES)}: "
            "have the policy say what each needs before it is called"
        )
    if blank:
        yield "there is no system prompt: no rule of the agent is covered"
    elif values["policy_chars"] < THIN_POLICY_CHARS:
        yield f"the system prompt has {values['policy_chars']} characters, which hold two or three rules: is it whole?"
    if values["rules_truncated"]:
        yield (
            f"the rule axis shows {n_shown} of {values['n_rules_total']} clauses (rule_cap={values['rule_cap']}): "
            "the others get no cell"
        )


def _some(names: list[str], most: int = MESSAGE_EXAMPLES) -> str:
    shown = ", ".join(name or "one without a name" for name in names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def _shown(report: Mapping[str, Any]) -> str:
    rules = "rule" if report["n_rules_total"] == 1 else "rules"
    lines = [
        f"{counted(report['n_tools'], 'tool')}, {report['n_rules_total']:,} {rules} in "
        f"{report['policy_chars']:,} characters of policy, {report['cells']:,} cells"
    ]
    for tool in report["tools"]:
        if tool["issues"]:
            lines += wrapped(f"{printable(tool['name'], 40) or 'a tool without a name'}: {', '.join(tool['issues'])}")
    if report["tools_not_mentioned_in_policy"]:
        names = ", ".join(map(printable, report["tools_not_mentioned_in_policy"]))
        lines += wrapped(f"not mentioned in the policy: {names}")
    if report["ok"]:
        lines.append("nothing to warn about")
    return "\n".join([*lines, *(line for warning in report["warnings"] for line in wrapped(f"! {printable(warning)}"))])
