"""`wai decontaminate TRAIN --against EVAL -o OUT`: training rows without those that are in an evaluation set."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from whileai.cli.opened import Batches, Key
from whileai.cli.output import refuse_inputs, wrote_line
from whileai.cli.prompts import prompts_as_rows
from whileai.cli.ray import Ray
from whileai.cli.reading import Reading
from whileai.cli.shared import SourceFormat, Strict
from whileai.cli.whole import warnings_said
from whileai.cli.workers import Workers
from whileai.simulations.defaults import DECONTAM_NGRAM, DECONTAM_OVERLAP
from whileai.simulations.reports import printable, read_lines, wrapped

if TYPE_CHECKING:
    from whileai.simulations.score.decontaminate.decontaminator import Decontaminator, Findings


def decontaminate(
    train: Annotated[str, typer.Argument(help="Training rows: a file, folder or glob.")],
    against: Annotated[list[str], typer.Option(help="Evaluation set: rollouts or JSON lines; may be given again.")],
    output: Annotated[
        str, typer.Option("--output", "-o", help="Where the rows that are left are written: no file that is read.")
    ],
    field: Annotated[
        list[str] | None, typer.Option(help="Row text that is compared; prompt when none is given.")
    ] = None,
    n: Annotated[int, typer.Option(help="Words of an n-gram.", min=1)] = DECONTAM_NGRAM,
    overlap: Annotated[
        float, typer.Option(help="Share of a row's words in one evaluation text that makes it a copy.")
    ] = DECONTAM_OVERLAP,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON, with every match.")] = False,
    workers: Workers = None,
    ray: Ray = None,
    strict: Strict = False,
    source_format: SourceFormat = None,
) -> None:
    """Drop training rows that are in an evaluation set.

    Tasks and texts are compared; the file is written whole or not at all.
    """
    from whileai.simulations.rows.write import write_json_lines
    from whileai.simulations.score.decontaminate import Decontaminator

    refuse_inputs(output, [train, *against])
    with warnings_said() as notes:
        rules = Decontaminator(against, n=n, fields=field or ("prompt",), overlap=overlap)
    if strict and notes:
        raise ValueError(f"--against: {notes[0]}")
    if not rules.eval.n_rows:
        raise ValueError(f"{', '.join(against)}: no rows to compare with")
    source_format = prompts_as_rows([train], source_format)
    reading = Reading([train], strict=strict, source_format=source_format, workers=workers, ray=ray)

    def decontaminated() -> tuple[Decontaminator, list[tuple[int, Key]], int]:
        found = rules.fresh()
        starts: list[tuple[int, Key]] = []

        def lines() -> Iterator[bytes]:
            for part in reading.worked(partial(_kept, rules)):
                for start, file in part.starts:
                    if not starts or starts[-1][1] != file:
                        starts.append((found.n + start, file))
                found.add(part.findings)
                yield part.lines
            reading.need_rows("decontaminate")
            if blank := found.blank_fields():
                raise ValueError("; ".join(blank))

        n_written = write_json_lines(lines(), output)
        return found, starts, n_written

    found, starts, n_written = reading.as_one(decontaminated)
    report = found.report()
    for entry in (*report["examples"], *report.matches):
        entry.update(_located(reading, starts, entry["index"]))
    if as_json:
        written = {"n_written": n_written, "output": output}
        shown = {**report, "matches": report.matches, "warnings": notes, "read": reading.read, **written}
        typer.echo(json.dumps(shown, indent=2))
    else:
        unread = [line for note in notes for line in wrapped(f"! --against: {printable(note)}")]
        typer.echo("\n".join([*read_lines(reading.read), *unread, str(report), wrote_line(n_written, output)]))


def _located(reading: Reading, starts: list[tuple[int, Key]], index: int) -> dict[str, Any]:
    """The file and the record of a row of which the place among all is known, where they say more than that."""
    start, file = next(each for each in reversed(starts) if each[0] <= index)
    found = reading.located(index - start + 1, file)
    if file is None:
        del found["row"]
    return found


class _Part(NamedTuple):
    """Some rows decontaminated: what was found, where each file begins, and the rows that are left as JSON lines."""

    findings: Findings
    starts: list[tuple[int, Key]]
    lines: bytes


def _kept(rules: Decontaminator, rows: Batches) -> _Part:
    from whileai.simulations.rows.write import json_lines_of

    found = rules.fresh()
    starts: list[tuple[int, Key]] = []
    lines: list[bytes] = []
    for batch, file in rows:
        if not starts or starts[-1][1] != file:
            starts.append((found.n, file))
        lines.append(json_lines_of([row for row in batch if found.keeps(found.n, row)]))
    return _Part(found.findings(), starts, b"".join(lines))
