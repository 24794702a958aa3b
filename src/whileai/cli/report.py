"""`wai report FILE...`: what was read, how good the policy is, and what is missing to say more."""

from __future__ import annotations

import json
import sys
import warnings
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from whileai.simulations.score.overview import Overview

_MOST_DRAWS = 8  # up to here every k has its line; beyond, the powers of two


def report(
    files: Annotated[list[str], typer.Argument(help="Files, folders or globs of rollouts; - reads standard input.")],
    k: Annotated[str | None, typer.Option(help="Draw size: 4 gives pass^2 to pass^4; 2,8 gives those two.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the same as JSON.")] = False,
    strict: Annotated[bool, typer.Option(help="Stop at the first bad record.")] = False,
    source_format: Annotated[
        str | None, typer.Option("--format", help="Read as this format; found by content.")
    ] = None,
) -> None:
    """Pass rates with their intervals, task difficulty and markers, from files as they are."""
    from whileai.simulations.score.overview import Overview

    draws = draw_sizes(k)
    gathered = Overview()
    read = [_read(file, gathered, strict=strict, source_format=source_format) for file in files]
    found = gathered.report(draws)
    found["read"] = read
    typer.echo(json.dumps(found, indent=2, ensure_ascii=True) if as_json else str(found))


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


def _read(file: str, gathered: Overview, *, strict: bool, source_format: str | None) -> dict[str, Any]:
    from whileai.cli.progress import batches
    from whileai.simulations.rows.load import load_rows

    source: Any = sys.stdin.buffer if file == "-" else file
    label = "standard input" if file == "-" else file
    reader = load_rows(source, strict=strict, format=source_format)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # bad records are printed in the report itself
        for batch in batches(reader, label):
            gathered.add(batch)
    return {
        "source": label,
        "formats": dict(reader.formats),
        "rows": sum(reader.formats.values()),
        "bad": reader.n_bad,
        "first_bad": str(reader.bad[0]) if reader.bad else None,
        "notes": list(reader.notes),
    }
