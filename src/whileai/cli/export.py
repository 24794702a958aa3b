"""`wai export FILE -o OUT --as trl`: rollouts, or pairs of them, as a file that a trainer reads."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated, Any

import typer

from whileai.cli.preflight import read_policy, read_tools
from whileai.cli.shared import SourceFormat
from whileai.cli.whole import WholeFiles, checked_output, refuse_options
from whileai.simulations.reports import read_lines


class Form(StrEnum):
    """What reads the file."""

    OPENAI = "openai"
    TRL = "trl"
    FIREWORKS = "fireworks"
    VERIFIERS = "verifiers"


class Mask(StrEnum):
    """Which turns are trained on."""

    ASSISTANT = "assistant"
    FINAL = "final"


_ROWS_ONLY = frozenset({"mask", "unroll", "max_tool_output"})


def export(
    context: typer.Context,
    file: Annotated[str, typer.Argument(help="Rollouts: a file, folder or glob; - reads standard input.")],
    output: Annotated[str, typer.Option("--output", "-o", help="The file; for verifiers a folder.")],
    form: Annotated[Form, typer.Option("--as", help="What reads it.")] = Form.OPENAI,
    pairs: Annotated[bool, typer.Option("--pairs", help="Write preference pairs made of the graded rows.")] = False,
    tools: Annotated[str | None, typer.Option(help="JSON file of tool schemas; else those of the rows.")] = None,
    policy: Annotated[str | None, typer.Option(help="Text file: the system prompt; else that of the rows.")] = None,
    mask: Annotated[Mask, typer.Option(help="Train on all turns of the agent, or on its last.")] = Mask.ASSISTANT,
    unroll: Annotated[bool, typer.Option("--unroll", help="A line for each turn of the agent.")] = False,
    max_tool_output: Annotated[int | None, typer.Option(help="Characters of a tool result that are kept.")] = None,
    strip_think: Annotated[bool, typer.Option(help="Take <think> blocks out of what the agent said.")] = True,
    validate: Annotated[bool, typer.Option(help="Refuse leaks of the privileged block, and broken calls.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    strict: Annotated[bool, typer.Option(help="Stop at a bad record, which would be missing.")] = True,
    source_format: SourceFormat = None,
) -> None:
    """Write rollouts as a training file.

    It is written whole or not at all, and what is in it is said.
    """
    from whileai.simulations.exports import export_preference, export_training

    checked_output(output, [file, tools, policy])
    if pairs:
        refuse_options(context, _ROWS_ONLY, "rows (no --pairs)")
    files = WholeFiles(strict=strict, source_format=source_format)
    shared: dict[str, Any] = {
        "format": form.value,
        "system_prompt": read_policy(policy) or None,
        "tools": None if tools is None else read_tools(tools),
        "strip_think": strip_think,
        "validate": validate,
    }
    if pairs:
        report = export_preference(_paired(files.rows(file, "export")), output, **shared)
    else:
        report = export_training(
            files.stream(file, "export"),
            output,
            mask_mode=mask.value,
            unroll=unroll,
            max_tool_output_chars=max_tool_output,
            **shared,
        )
    if as_json:
        typer.echo(json.dumps({**report, "read": files.read}, indent=2))
    else:
        typer.echo("\n".join([*read_lines(files.read), str(report)]))


def _paired(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The pairs of a file: those it holds, else those that its graded rows make."""
    from whileai.simulations.score.judging import build_preference_pairs

    if rows and all("chosen" in row and "rejected" in row for row in rows):
        return rows
    made, report = build_preference_pairs(rows)
    if not made:
        raise ValueError(report["note"])
    return made
