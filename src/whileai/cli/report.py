"""`wai report FILE... [--html PAGE]`: what was read, how good the policy is, and what is missing to say more."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from whileai.cli.html import HELP, checked_page, page_written
from whileai.cli.ray import Ray
from whileai.cli.reading import Reading
from whileai.cli.shared import AsJson, SourceFormat, Strict
from whileai.cli.workers import Workers

if TYPE_CHECKING:
    from whileai.simulations.page.held import Held

_MOST_DRAWS = 8  # up to here every k has its line; beyond, the powers of two


def report(
    files: Annotated[list[str], typer.Argument(help="Files, folders or globs, pooled; - reads standard input.")],
    k: Annotated[str | None, typer.Option(help="Draw size: 4 gives pass^2 to pass^4; 2,8 gives those two.")] = None,
    as_json: AsJson = False,
    html: Annotated[str | None, typer.Option(help=HELP)] = None,
    errors: Annotated[str, typer.Option(help="Failed runs: null leaves them out, zero counts them as 0.")] = "null",
    workers: Workers = None,
    ray: Ray = None,
    strict: Strict = False,
    source_format: SourceFormat = None,
) -> None:
    """Report pass rates, task difficulty and markers.

    Files are read as they are; each rate has its interval.
    """
    from whileai.simulations.page.held import Held
    from whileai.simulations.score.overview import Overview

    draws = draw_sizes(k)
    checked_page(html, files)
    held = None if html is None else Held()
    reading = Reading(
        files,
        strict=strict,
        source_format=source_format,
        errors=errors,
        counts_only=held is None,
        workers=workers if held is None else 1,  # a page holds the rows
        ray=ray if held is None else None,
    )
    if held is None:
        gathered = reading.gathered(Overview)
    else:
        gathered = Overview()
        for batch, file in reading.batches():
            gathered.add(batch, file)
            held.add(batch, file)
    reading.need_rows("report on")
    found = gathered.report(draws)
    found["read"] = reading.read
    wrote = None if held is None or html is None else _page(held, found, reading, html)
    if as_json:
        typer.echo(json.dumps(found, indent=2, ensure_ascii=True))
    else:
        typer.echo("\n".join([str(found), *([wrote] if wrote else [])]))


def _page(held: Held, found: Mapping[str, Any], reading: Reading, path: str) -> str:
    from whileai.simulations.page.document import report_document
    from whileai.simulations.rows.collector import collector_off

    with collector_off():
        return page_written(report_document(held, found, reading.read, reading.located), path)


def draw_sizes(text: str | None) -> list[int] | None:
    """The draw sizes an option asks for: `4` is 2, 3, 4; `2,8` just those; None when it was not given.

    >>> draw_sizes("4"), draw_sizes("2,8"), draw_sizes("16"), draw_sizes("1")
    ([2, 3, 4], [2, 8], [2, 4, 8, 16], [1])
    """
    if text is None:
        return None
    try:
        sizes = [int(part) for part in text.split(",")]
    except ValueError:
        sizes = [0]
    if min(sizes) < 1:
        raise typer.BadParameter(f"k must be whole numbers of at least 1, such as 4 or 2,4,8; got {text!r}")
    if len(sizes) > 1 or sizes[0] == 1:
        return sizes
    most = sizes[0]
    if most <= _MOST_DRAWS:
        return list(range(2, most + 1))
    return [*(2**power for power in range(1, most.bit_length()) if 2**power < most), most]
