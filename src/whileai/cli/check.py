"""`wai check FILE...`: what the agent did: what fires, how often, and whether the reward pays for it."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from whileai.cli.output import refuse_inputs, wrote_line
from whileai.cli.ray import Ray
from whileai.cli.reading import Reading
from whileai.cli.shared import AsJson, SourceFormat, Strict
from whileai.cli.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from whileai.cli.opened import Batches
    from whileai.simulations.score.checks import Checks


def check(
    files: Annotated[list[str], typer.Argument(help="Files, folders or globs, pooled; - reads standard input.")],
    flag: Annotated[str | None, typer.Option(help="List the rollouts behind one check, by its name.")] = None,
    stamp: Annotated[
        str | None, typer.Option(help="Write the rows with their markers to this file, none of those read.")
    ] = None,
    examples: Annotated[int, typer.Option(help="Rows shown under each check.", min=0)] = 3,
    as_json: AsJson = False,
    workers: Workers = None,
    ray: Ray = None,
    strict: Strict = False,
    source_format: SourceFormat = None,
) -> None:
    """Check what agents did.

    Told are claims without work, tampering, risk, invented identifiers, stock phrases, cut replies.
    """
    from whileai.simulations.score.checks import Checks, format_fired

    make = partial(Checks, examples=examples, every=flag, stamp=stamp is not None)
    make()  # its arguments are looked at before a file is
    reading = Reading(files, strict=strict, source_format=source_format, workers=workers, ray=ray)
    written: dict[str, Any] = {}
    if stamp is None:
        gathered = reading.gathered(make)
        reading.need_rows("check")
    else:
        refuse_inputs(stamp, files)
        gathered, n_written = reading.as_one(lambda: _stamped(reading, make, stamp))
        written = {"n_written": n_written, "output": stamp}
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


def _with_lines(make: Callable[[], Checks], rows: Batches) -> tuple[Checks, bytes]:
    """Some rows checked, and the rows with their markers as JSON lines."""
    from whileai.simulations.rows.write import json_lines_of

    gathered = make()
    lines = []
    for batch, file in rows:
        gathered.add(batch, file)
        lines.append(json_lines_of(batch))
    return gathered, b"".join(lines)


def _stamped(reading: Reading, make: Callable[[], Checks], path: str) -> tuple[Checks, int]:
    """Everything checked, and how many rows were written with their markers."""
    from whileai.simulations.rows.write import write_json_lines

    gathered = make()

    def lines() -> Iterator[bytes]:
        for checks, stamped in reading.worked(partial(_with_lines, make)):
            gathered.merge(checks)
            yield stamped
        reading.need_rows("check")

    n = write_json_lines(lines(), path)
    return gathered, n
