"""`wai gap --tools FILE --policy FILE ASKS`: the tools, rules and stances that no ask of a suite reaches."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from whileai.cli.preflight import AsJson, Policy, RuleCap, Tools, read_policy, read_tools


def gap(
    asks: Annotated[str, typer.Argument(help="The asks: a .py, .jsonl or .json file.")],
    tools: Tools,
    policy: Policy = None,
    rows: Annotated[str | None, typer.Option(help="Rollouts of a run, to see which rules its world allows.")] = None,
    rule_cap: RuleCap = None,
    as_json: AsJson = False,
) -> None:
    """What the asks of a test suite never reach."""
    from whileai.simulations.rows.load import load_rows
    from whileai.simulations.score.preflight import coverage_gap

    found = coverage_gap(
        asks,
        tools=read_tools(tools),
        system_prompt=read_policy(policy),
        rows=None if rows is None else load_rows(rows),
        rule_cap=rule_cap,
    )
    typer.echo(json.dumps(found, indent=2) if as_json else str(found))
