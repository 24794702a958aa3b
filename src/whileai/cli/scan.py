"""`wai scan FILE [--against BEFORE]`: what will the policy learn from this reward, or what did it learn?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from whileai.cli.options import in_options, options_of
from whileai.cli.ray import Ray
from whileai.cli.reading import Reading
from whileai.cli.shared import AsJson, SourceFormat, Strict
from whileai.cli.workers import Workers
from whileai.simulations.defaults import ALPHA, SCAN_MOST_ROWS

if TYPE_CHECKING:
    from whileai.simulations.distributed.scan import Draw


def scan(
    context: typer.Context,
    files: Annotated[list[str], typer.Argument(help="Graded rollouts, several a task; - reads standard input.")],
    endorsed: Annotated[
        list[str] | None, typer.Option(help="Part of a feature name the reward is meant to follow; may be given again.")
    ] = None,
    against: Annotated[
        list[str] | None, typer.Option(help="Rollouts before training: what did the policy learn? May be given again.")
    ] = None,
    reward: Annotated[str, typer.Option(help="The field of the score.")] = "reward",
    min_obs: Annotated[int, typer.Option(help="Fewest rows that show a feature.", min=1)] = 20,
    shuffles: Annotated[int, typer.Option(help="Shuffles behind the floor.", min=1)] = 100,
    seed: Annotated[int, typer.Option(help="Seed of the shuffles.")] = 0,
    alpha: Annotated[float, typer.Option(help="Chance that anything clears the floor when nothing is there.")] = ALPHA,
    top: Annotated[int, typer.Option(help="Features listed.", min=0)] = 12,
    max_rows: Annotated[
        int, typer.Option(help="Graded rows a side that are scanned; of more, whole asks are drawn by a hash.", min=1)
    ] = SCAN_MOST_ROWS,
    as_json: AsJson = False,
    workers: Workers = None,
    ray: Ray = None,
    strict: Strict = False,
    source_format: SourceFormat = None,
) -> None:
    """Rank what separates reward within each task.

    Measured against chance; said is what a grouped update would learn.
    """
    from whileai.simulations.reports import Report, read_lines
    from whileai.simulations.score.hack_scan import format_hack_scan, hack_scan, hack_scan_diff

    if "-" in files and "-" in (against or ()):
        raise ValueError("standard input can be only one side")
    options: dict[str, Any] = {
        "endorsed": endorsed or [],
        "reward": reward,
        "min_obs": min_obs,
        "n_perm": shuffles,
        "seed": seed,
        "alpha": alpha,
    }
    reading: dict[str, Any] = {"strict": strict, "source_format": source_format, "workers": workers, "ray": ray}
    sides = [_side(side, reward, max_rows, reading) for side in (against, files) if side is not None]
    found: Report
    if against is None:
        found = hack_scan(sides[0].rows, top_features=None if as_json else top, **options)
        found["n_rows"] = sides[0].draw.n_rows
        found["warnings"][:0] = sides[0].draw.said()
        text = format_hack_scan(found, top)
    else:
        found = hack_scan_diff(sides[0].rows, sides[1].rows, top=top, **options)
        sampled = [
            f"{name}: {said}"
            for name, side in zip(("before", "after"), sides, strict=True)
            for said in side.draw.said()
        ]
        found["warnings"][:0] = sampled
        text = str(found)
    read = [entry for side in sides for entry in side.read]
    if as_json:
        typer.echo(json.dumps({**found, "read": read}, indent=2, ensure_ascii=True))
    else:
        typer.echo("\n".join([*read_lines(read), in_options(text, options_of(context))]))


class _Side(NamedTuple):
    """The rows of one side that are scanned, which those are, and what was read of its files."""

    rows: list[dict[str, Any]]
    draw: Draw
    read: list[dict[str, Any]]


def _side(files: list[str], reward: str, most: int, options: Mapping[str, Any]) -> _Side:
    """Two passes: graded rows are counted by ask, then those of the asks drawn are kept; standard input is held."""
    from whileai.cli.passes import Passes
    from whileai.simulations.distributed.scan import AskCounts, AskJob, CountJob, drawn

    passes = Passes(partial(Reading, files, **options), held="-" in files)
    _, counts = passes.gathered(CountJob(reward))
    passes.reading.need_rows("scan")
    draw = drawn(counts or AskCounts(), most)
    held, _ = passes.gathered(AskJob(reward, draw.buckets))
    return _Side([] if held is None else held.rows, draw, passes.reading.read)
