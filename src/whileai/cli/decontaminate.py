"""`wai decontaminate TRAIN --against EVAL -o OUT`: training rows without those that are in an evaluation set."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from whileai.cli.reading import Reading
from whileai.simulations.defaults import DECONTAM_NGRAM, DECONTAM_OVERLAP
from whileai.simulations.reports import read_lines


def decontaminate(
    train: Annotated[str, typer.Argument(help="Training rows: a file, folder or glob.")],
    against: Annotated[list[str], typer.Option(help="Evaluation set: rollouts or JSON lines; may be given again.")],
    output: Annotated[str, typer.Option("--output", "-o", help="Where the rows that are left are written.")],
    field: Annotated[
        list[str] | None, typer.Option(help="Row text that is compared; prompt when none is given.")
    ] = None,
    n: Annotated[int, typer.Option(help="Words of an n-gram.", min=1)] = DECONTAM_NGRAM,
    overlap: Annotated[
        float, typer.Option(help="Share of a row's words in one evaluation text that makes it a copy.")
    ] = DECONTAM_OVERLAP,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON, with every match.")] = False,
    strict: Annotated[bool, typer.Option(help="Stop at the first bad record.")] = False,
    source_format: Annotated[
        str | None, typer.Option("--format", help="Read as this format; found by content.")
    ] = None,
) -> None:
    """Drop training rows whose task or text is in an evaluation set; the file is written whole or not at all."""
    from whileai.simulations.rows.write import write_rows
    from whileai.simulations.score.decontaminate import Decontaminator

    found = Decontaminator(against, n=n, fields=field or ("prompt",), overlap=overlap)
    reading = Reading([train], strict=strict, source_format=source_format)

    def kept() -> Iterator[dict[str, Any]]:
        index = 0
        for batch, _ in reading.batches():
            for row in batch:
                if found.keeps(index, row):
                    yield row
                index += 1
        reading.need_rows("decontaminate")

    write_rows(kept(), output)
    report = found.report()
    if as_json:
        typer.echo(json.dumps({**report, "matches": report.matches, "read": reading.read}, indent=2))
    else:
        typer.echo("\n".join([*read_lines(reading.read), str(report)]))
