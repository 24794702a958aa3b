"""The option `--ray`, the same for every command that has it."""

from __future__ import annotations

from typing import Annotated

import typer

Ray = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Read on the Ray cluster at this address (auto, local, ray://HOST:PORT), whose machines see the files.",
    ),
]


def connected(address: str) -> int:
    """Connect to a cluster; the parts that it reads at once, at least 2."""
    from whileai.simulations.distributed.crew import connect

    return max(2, connect(address))
