"""`wai size --effect 0.05`: how many tasks show a gain, and what that count rests on."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from whileai.cli.reading import read_into
from whileai.cli.shared import AsJson, SourceFormat, Strict
from whileai.simulations.defaults import ALPHA, BASE_PASS_RATE, POWER, ROLLOUTS_PER_TASK


def size(
    effect: Annotated[float, typer.Option(help="Gain to show, as a rate: 0.05 is five points.")],
    rows: Annotated[str | None, typer.Option(help="Graded rows of one run: base and k are read off them.")] = None,
    before: Annotated[str | None, typer.Option(help="The same as --rows; with --after the sd is measured.")] = None,
    after: Annotated[str | None, typer.Option(help="Graded rows of a second run on the same tasks.")] = None,
    base: Annotated[float, typer.Option(help="Pass rate to start from, without rows.")] = BASE_PASS_RATE,
    k: Annotated[int, typer.Option("--k", "-k", help="Rollouts a task, without rows.")] = ROLLOUTS_PER_TASK,
    task_std: Annotated[float | None, typer.Option(help="Sd of a task's difference, measured before.")] = None,
    power: Annotated[float, typer.Option(help="Share of evaluations in which the gain is to show.")] = POWER,
    alpha: Annotated[float, typer.Option(help="Two-sided level of the test.")] = ALPHA,
    as_json: AsJson = False,
    strict: Strict = False,
    source_format: SourceFormat = None,
) -> None:
    """Say how many tasks an evaluation needs to show a gain."""
    from whileai.simulations.rows.table import Tasks
    from whileai.simulations.score.stats.goal import Goal
    from whileai.simulations.score.stats.labels import LabelTally
    from whileai.simulations.score.stats.sizing import size_from_sums

    if rows is not None and before is not None:
        raise ValueError("--rows and --before are the same: give one of them")
    if "-" in (rows, before) and after == "-":
        raise ValueError("standard input can be only one side")
    goal, index = Goal(effect, power, alpha), Tasks()
    files = (rows if before is None else before, after)
    tallies = [LabelTally(index) for _ in files]
    read = [
        entry
        for file, tally in zip(files, tallies, strict=True)
        if file is not None
        for entry in read_into([file], tally, strict=strict, source_format=source_format)
    ]
    sums = [None if file is None else tally.sums for file, tally in zip(files, tallies, strict=True)]
    found = size_from_sums(goal, sums[0], sums[1], base=base, k=k, task_std=task_std)
    found["read"] = read
    typer.echo(json.dumps(found, indent=2, ensure_ascii=True) if as_json else str(found))
