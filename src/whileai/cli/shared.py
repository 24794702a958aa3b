"""Options that say the same in every command that has them; `workers.py` and `ray.py` hold two more."""

from __future__ import annotations

from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print the same as JSON.")]
SourceFormat = Annotated[str | None, typer.Option("--format", help="Read as this format; found by content.")]
Strict = Annotated[bool, typer.Option(help="Stop at the first bad record.")]
