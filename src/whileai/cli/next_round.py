"""`wai next-round PRIOR -o OUT`: the tasks of the next round, from graded rollouts of the last one."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from whileai.cli.shared import SourceFormat
from whileai.cli.whole import NOTHING, WholeFiles, checked_output, warnings_said, written
from whileai.simulations.defaults import DIFFICULTY_BAND
from whileai.simulations.reports import printable, read_lines, wrapped


def next_round(
    prior: Annotated[
        str, typer.Argument(help="Graded rollouts of the last round, or a table of tasks with pass_rate.")
    ],
    output: Annotated[str, typer.Option("--output", "-o", help="Where the tasks kept are written, a row a task.")],
    tasks: Annotated[str | None, typer.Option(help="Candidates: rows with a task id or a prompt.")] = None,
    band: Annotated[tuple[float, float], typer.Option(help="Pass rates of the tasks kept.")] = DIFFICULTY_BAND,
    as_json: Annotated[bool, typer.Option("--json", help="Print the plan without its rows as JSON.")] = False,
    strict: Annotated[bool, typer.Option(help="Stop at a bad record: left out, it changes its task's rate.")] = True,
    source_format: SourceFormat = None,
) -> None:
    """Keep the tasks that the policy solves at times.

    They are written without replies and verdicts; the others counted. Exit status 0 when tasks were written, 1 when
    none is kept, 2 for unreadable input.
    """
    from whileai.simulations.score.optimize import next_round as plan_of
    from whileai.simulations.score.optimize.task_rows import task_row, without_deeds

    checked_output(output, [prior, tasks])
    files = WholeFiles(strict=strict, source_format=source_format)
    with warnings_said() as notes:
        candidates = None if tasks is None else list(map(without_deeds, files.stream(tasks, "plan with")))
        plan = plan_of(list(map(without_deeds, files.stream(prior, "plan from"))), candidates, band[0], band[1])
    kept = [task_row(row) for row in plan["tasks"]]
    wrote = written(kept, output)
    if as_json:
        shown = {name: value for name, value in plan.items() if name != "tasks"}
        typer.echo(json.dumps({**shown, "n_written": len(kept), "warnings": notes, "read": files.read}, indent=2))
    else:
        lines = [line for note in notes for line in wrapped(f"! {printable(note)}")]
        typer.echo("\n".join([*read_lines(files.read), str(plan), *lines, wrote]))
    if not kept:
        raise typer.Exit(NOTHING)
