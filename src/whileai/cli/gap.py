"""`wai gap --tools FILE --policy FILE ASKS`: the tools, rules and stances that no ask of a suite reaches."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from whileai.cli.options import in_options, options_of
from whileai.cli.preflight import Policy, RuleCap, Tools, read_policy, read_tools
from whileai.cli.reading import Reading
from whileai.cli.shared import AsJson


def gap(
    context: typer.Context,
    asks: Annotated[str, typer.Argument(help="The asks: a .py, .jsonl or .json file.")],
    tools: Tools,
    policy: Policy = None,
    rows: Annotated[
        str | None,
        typer.Option(
            help="Rollouts of a run, each with its scenario_dimensions.rule, to see which rules its world allows."
        ),
    ] = None,
    rule_cap: RuleCap = None,
    as_json: AsJson = False,
) -> None:
    """Find what the asks of a test suite never reach.

    Exit status 0 when the report was made, whatever it found; 2 for unreadable input, or none.
    """
    from whileai.simulations.reports import bad_records_text, wrapped
    from whileai.simulations.score.preflight import coverage_gap, format_coverage_gap

    reading = Reading([] if rows is None else [rows], strict=False, source_format=None)
    held = (row for batch, _ in reading.batches() for row in batch)
    found = coverage_gap(
        asks,
        tools=read_tools(tools),
        system_prompt=read_policy(policy),
        rows=None if rows is None else held,
        rule_cap=rule_cap,
    )
    if not found["n_asks"]:
        raise ValueError(f"{asks}: no asks to compare with the tools and rules")
    if as_json:
        typer.echo(json.dumps({**found, "read": reading.read}, indent=2))
        return
    said = format_coverage_gap({**found, "summary": ""})  # its lines say the same, with every name
    bad = [line for entry in reading.read if entry["bad"] for line in wrapped(f"! {bad_records_text(entry)}")]
    typer.echo("\n".join([in_options(said, options_of(context)), *bad]))
