"""`wai decontaminate TRAIN --against EVAL -o OUT`: training rows without those that are in an evaluation set."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from whileai.cli.output import refuse_inputs, wrote_line
from whileai.cli.reading import Key, Reading
from whileai.simulations.defaults import DECONTAM_NGRAM, DECONTAM_OVERLAP
from whileai.simulations.reports import read_lines


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
    strict: Annotated[bool, typer.Option(help="Stop at the first bad record.")] = False,
    source_format: Annotated[
        str | None, typer.Option("--format", help="Read as this format; found by content.")
    ] = None,
) -> None:
    """Drop training rows whose task or text is in an evaluation set; the file is written whole or not at all."""
    from whileai.simulations.rows.write import write_rows
    from whileai.simulations.score.decontaminate import Decontaminator

    refuse_inputs(output, [train, *against])
    found = Decontaminator(against, n=n, fields=field or ("prompt",), overlap=overlap)
    if not found.eval.n_rows:
        raise ValueError(f"{', '.join(against)}: no rows to compare with")
    reading = Reading([train], strict=strict, source_format=source_format)
    starts: list[tuple[int, Key]] = []

    def kept() -> Iterator[dict[str, Any]]:
        index = 0
        for batch, file in reading.batches():
            if not starts or starts[-1][1] != file:
                starts.append((index, file))
            for row in batch:
                if found.keeps(index, row):
                    yield row
                index += 1
        reading.need_rows("decontaminate")
        if blank := found.blank_fields():
            raise ValueError("; ".join(blank))

    n_written = write_rows(kept(), output)
    report = found.report()
    for entry in (*report["examples"], *report.matches):
        entry.update(_located(reading, starts, entry["index"]))
    if as_json:
        written = {"n_written": n_written, "output": output}
        typer.echo(json.dumps({**report, "matches": report.matches, "read": reading.read, **written}, indent=2))
    else:
        typer.echo("\n".join([*read_lines(reading.read), str(report), wrote_line(n_written, output)]))


def _located(reading: Reading, starts: list[tuple[int, Key]], index: int) -> dict[str, Any]:
    """The file and the record of a row of which the place among all is known, where they say more than that."""
    start, file = next(each for each in reversed(starts) if each[0] <= index)
    found = reading.located(index - start + 1, file)
    if file is None:
        del found["row"]
    return found
