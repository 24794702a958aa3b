"""`wai compare BEFORE AFTER`: did it help, and did anything else slip? Its exit status is a gate for CI."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from whileai.cli.html import HELP, checked_page, page_written
from whileai.cli.reading import Reading
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
    as_json: Annotated[bool, typer.Option("--json", help="Print the same as JSON.")] = False,
    html: Annotated[str | None, typer.Option(help=HELP)] = None,
    strict: Annotated[bool, typer.Option(help="Stop at the first bad record.")] = False,
    source_format: Annotated[
        str | None, typer.Option("--format", help="Read as this format; found by content.")
    ] = None,
) -> None:
    """Compare two runs; exit status 0 when the report is ok, 1 when it is not, 2 for unreadable input."""
    from whileai.simulations.page.held import Held
    from whileai.simulations.score.delta import delta_report

    if before == after:
        raise ValueError(f"{before}: both sides are the same; give the rollouts before and after the change")
    checked_page(html, [before, after])
    sides: list[Held] = []
    read: list[dict[str, Any]] = []
    for file in (before, after):
        reading = Reading([file], strict=strict, source_format=source_format, counts_only=html is None)
        sides.append(Held())
        for batch, _ in reading.batches():
            sides[-1].add(batch)
        read += reading.read
    for entry in read:
        if not entry["rows"]:
            raise ValueError(f"{entry['source']}: no rows to compare")
    found = delta_report(
        sides[0].rows,
        sides[1].rows,
        target=target,
        must_not_regress=guard or (),
        by=by,
        run_std=run_std,
        run_std_runs=run_std_runs,
        proxy=proxy,
        alpha=alpha,
        lower_is_better=lower_is_better,
    )
    wrote = [] if html is None else [_page(sides, found, read, html)]
    if as_json:
        typer.echo(json.dumps({**found, "read": read}, indent=2, ensure_ascii=True))
    else:
        headline, *rest = str(found).splitlines()
        typer.echo("\n".join([headline, *_left_out(read), *rest, *wrote]))
    if not found["ok"]:
        raise typer.Exit(NOT_OK)


def _page(sides: list[Held], found: Mapping[str, Any], read: list[dict[str, Any]], path: str) -> str:
    from whileai.simulations.page.document import compare_document

    return page_written(compare_document(sides[0], sides[1], found, read), path)


def _left_out(read: list[dict[str, Any]]) -> list[str]:
    """What was not read, beside the verdict that rests on the rest."""
    from whileai.simulations.reports import bad_records_text, wrapped

    return [line for entry in read if entry["bad"] for line in wrapped(f"! {bad_records_text(entry)}")]
