"""`wai check FILE...`: what the agent did: what fires, how often, and whether the reward pays for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from whileai.cli.output import refuse_inputs, wrote_line
from whileai.cli.reading import Reading


def check(
    files: Annotated[list[str], typer.Argument(help="Files, folders or globs, pooled; - reads standard input.")],
    flag: Annotated[str | None, typer.Option(help="List the rollouts behind one check, by its name.")] = None,
    stamp: Annotated[
        str | None, typer.Option(help="Write the rows with their markers to this file, none of those read.")
    ] = None,
    examples: Annotated[int, typer.Option(help="Rows shown under each check.", min=0)] = 3,
    as_json: Annotated[bool, typer.Option("--json", help="Print the same as JSON.")] = False,
    strict: Annotated[bool, typer.Option(help="Stop at the first bad record.")] = False,
    source_format: Annotated[
        str | None, typer.Option("--format", help="Read as this format; found by content.")
    ] = None,
) -> None:
    """Check what agents did: claims without work, tampering, risk, invented identifiers, stock phrases, cut replies."""
    from whileai.simulations.rows.write import write_rows
    from whileai.simulations.score.checks import Checks, format_fired

    gathered = Checks(examples=examples, every=flag, stamp=stamp is not None)
    reading = Reading(files, strict=strict, source_format=source_format)

    def checked() -> Iterator[dict[str, Any]]:
        for batch, file in reading.batches():
            gathered.add(batch, file)
            yield from batch
        reading.need_rows("check")

    written: dict[str, Any] = {}
    if stamp is None:
        for _ in checked():
            pass
    else:
        refuse_inputs(stamp, files)
        written = {"n_written": write_rows(checked(), stamp), "output": stamp}
    found = gathered.report()
    for entry in (*gathered.fired, *(example for each in found["checks"].values() for example in each["examples"])):
        entry.update(reading.located(entry["row"], entry.get("file")))
    found.update({"read": reading.read, **written})
    if gathered.every is None:
        text = json.dumps(found, indent=2) if as_json else str(found)
    else:
        text = json.dumps(gathered.fired, indent=2) if as_json else format_fired(gathered.every, gathered.fired)
    typer.echo(text)
    if written and not (as_json and gathered.every is None):
        typer.echo(wrote_line(written["n_written"], written["output"]), err=as_json)
