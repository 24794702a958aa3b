"""`wai preflight --tools FILE --policy FILE`: what the spec of an agent leaves unsaid."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from whileai.cli.shared import AsJson

Tools = Annotated[str, typer.Option("--tools", help="JSON file: a list of tool schemas, or an object with `tools`.")]
Policy = Annotated[str | None, typer.Option("--policy", help="Text file: the system prompt.")]
RuleCap = Annotated[int | None, typer.Option("--rule-cap", help="Keep the first clauses of the policy only.", min=0)]


def preflight(tools: Tools, policy: Policy = None, rule_cap: RuleCap = None, as_json: AsJson = False) -> None:
    """Say what an agent's tools and policy leave unsaid.

    Also how many cells its coverage grid has.

    Exit status 0 when the report was made, whatever it warns of; 2 for unreadable input.
    """
    from whileai.simulations.score import preflight as home

    found = home.preflight(read_tools(tools), read_policy(policy), rule_cap=rule_cap)
    typer.echo(json.dumps(found, indent=2) if as_json else str(found))


def read_tools(file: str) -> list[Any]:
    """The tool schemas of a JSON file; a `ValueError` names the file when it holds none."""
    try:
        held = json.loads(Path(file).read_bytes())
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{file}: not JSON: {error}") from None
    tools = held.get("tools") if isinstance(held, dict) else held
    if not isinstance(tools, list) or not all(isinstance(tool, dict) for tool in tools):
        raise ValueError(f"{file}: wanted a JSON list of tool schemas, or an object that holds one under `tools`")
    return tools


def read_policy(file: str | None) -> str:
    """The text of a file, `""` for none; a `ValueError` names one that is not UTF-8."""
    try:
        return "" if file is None else Path(file).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{file}: not UTF-8 text: {error}") from None
