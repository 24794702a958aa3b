"""`wai compare BEFORE AFTER`: did it help, and did anything else slip? Its exit status is a gate for CI."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from whileai.cli.html import HELP, checked_page, page_written
from whileai.cli.ray import Ray
from whileai.cli.reading import Reading
from whileai.cli.shared import AsJson, SourceFormat, Strict
from whileai.cli.workers import Workers
from whileai.simulations.defaults import ALPHA

if TYPE_CHECKING:
    from whileai.simulations.page.held import Held

NOT_OK = 1


def compare(
    before: Annotated[str, typer.Argument(help="Rollouts before the change: a file, folder or glob.")],
    after: Annotated[str, typer.Argument(help="Rollouts after it, ideally on the same tasks.")],
    target: Annotated[str | None, typer.Option(help="Metric the change was to move: pass_at_1 or a marker.")] = None,
    guard: Annotated[list[str] | None, typer.Option(help="Metric that must not drop; may be given again.")] = None,
    by: Annotated[str | None, typer.Option(help="Row key or marker to split the target by.")] = None,
    run_std: Annotated[float | None, typer.Option(help="Deviation of the evaluation's own re-runs.")] = None,
    run_std_runs: Annotated[int | None, typer.Option(help="How many re-runs it was measured from.")] = None,
    proxy: Annotated[str | None, typer.Option(help="Metric that was trained on, if not the target.")] = None,
    lower_is_better: Annotated[
        list[str] | None, typer.Option(help="Metric where a drop is the win; may be given again.")
    ] = None,
    alpha: Annotated[float, typer.Option(help="Two-sided level of every verdict.")] = ALPHA,
    as_json: AsJson = False,
    html: Annotated[str | None, typer.Option(help=HELP)] = None,
    workers: Workers = None,
    ray: Ray = None,
    strict: Strict = False,
    source_format: SourceFormat = None,
) -> None:
    """Compare two runs.

    Exit status 0 when the report is ok, 1 when it is not, 2 for unreadable input.
    """
    from whileai.cli.tally import JobTally
    from whileai.simulations.distributed.delta import compared
    from whileai.simulations.distributed.sidejob import SideJob
    from whileai.simulations.distributed.sides import Gathered
    from whileai.simulations.page.held import Held
    from whileai.simulations.score.delta import delta_report
    from whileai.simulations.score.delta.arguments import Thresholds
    from whileai.simulations.score.delta.options import as_options
    from whileai.simulations.score.delta.report import asked_for

    if before == after:
        raise ValueError(f"{before}: both sides are the same; give the rollouts before and after the change")
    checked_page(html, [before, after])
    given: dict[str, Any] = {
        "target": target,
        "must_not_regress": guard or (),
        "by": by,
        "run_std": run_std,
        "run_std_runs": run_std_runs,
        "proxy": proxy,
        "lower_is_better": lower_is_better,
    }
    limits = Thresholds(alpha=alpha)
    asked = asked_for(**given, markers=None, train_runs=None, balanced=False, thresholds=limits)
    options: dict[str, Any] = {"strict": strict, "source_format": source_format}
    sides: list[Held] = []
    if html is None:
        reading = [Reading([file], **options, counts_only=True, workers=workers, ray=ray) for file in (before, after)]
        tallies = [each.gathered(partial(JobTally, SideJob.of(asked))) for each in reading]
        read = _read(reading)
        sums = [Gathered([shard], facts) for shard, facts in map(JobTally.found, tallies)]
        found = compared(sums[0], sums[1], asked)
    else:
        reading = [Reading([file], **options) for file in (before, after)]
        for each in reading:
            sides.append(Held())
            for batch, _ in each.batches():
                sides[-1].add(batch)
        read = _read(reading)
        found = delta_report(sides[0].rows, sides[1].rows, alpha=alpha, **given)
    wrote = [] if html is None else [_page(sides, found, read, html)]
    if as_json:
        typer.echo(json.dumps({**found, "read": read}, indent=2, ensure_ascii=True))
    else:
        headline, *rest = as_options(str(found)).splitlines()
        typer.echo("\n".join([headline, *_left_out(read), *rest, *wrote]))
    if not found["ok"]:
        raise typer.Exit(NOT_OK)


def _read(reading: list[Reading]) -> list[dict[str, Any]]:
    """The account of both sides; a `ValueError` when one has no rows."""
    for each in reading:
        each.need_rows("compare")
    return [entry for each in reading for entry in each.read]


def _page(sides: list[Held], found: Mapping[str, Any], read: list[dict[str, Any]], path: str) -> str:
    from whileai.simulations.page.document import compare_document

    return page_written(compare_document(sides[0], sides[1], found, read), path)


def _left_out(read: list[dict[str, Any]]) -> list[str]:
    """What was not read, beside the verdict that rests on the rest."""
    from whileai.simulations.reports import bad_records_text, wrapped

    return [line for entry in read if entry["bad"] for line in wrapped(f"! {bad_records_text(entry)}")]
