"""`wai scan FILE [--against BEFORE]`: what will the policy learn from this reward, or what did it learn?"""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from whileai.cli.reading import Reading
from whileai.simulations.defaults import ALPHA


def scan(
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
    as_json: Annotated[bool, typer.Option("--json", help="Print the same as JSON.")] = False,
    strict: Annotated[bool, typer.Option(help="Stop at the first bad record.")] = False,
    source_format: Annotated[
        str | None, typer.Option("--format", help="Read as this format; found by content.")
    ] = None,
) -> None:
    """Rank what separates reward within each task against chance, and say what a grouped update would learn."""
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
    sides = [_rows(side, strict=strict, source_format=source_format) for side in (against, files) if side is not None]
    rows = [side for side, _ in sides]
    found: Report
    if against is None:
        found = hack_scan(rows[0], top_features=None if as_json else top, **options)
        text = format_hack_scan(found, top)
    else:
        found = hack_scan_diff(rows[0], rows[1], top=top, **options)
        text = str(found)
    read = [entry for _, entries in sides for entry in entries]
    if as_json:
        typer.echo(json.dumps({**found, "read": read}, indent=2, ensure_ascii=True))
    else:
        typer.echo("\n".join([*read_lines(read), text]))


def _rows(
    files: list[str], *, strict: bool, source_format: str | None
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The rows of one side, and what was read of its files."""
    reading = Reading(files, strict=strict, source_format=source_format)
    rows = [row for batch, _ in reading.batches() for row in batch]
    reading.need_rows("scan")
    return rows, reading.read
