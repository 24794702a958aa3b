"""Pages that a command writes: `--html OUT.html`."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from typing import TYPE_CHECKING

from whileai.cli.output import refuse_inputs
from whileai.simulations.errors import MissingExtraError
from whileai.simulations.reports import counted, printable

if TYPE_CHECKING:
    from whileai.simulations.web.document import Document

HELP = "Write a page that shows the same, and the rollouts behind each number; holds the rows in memory."


def checked_page(path: str | None, inputs: Iterable[str]) -> None:
    """Refuse, before anything is read, a page that could not be written: `ValueError`, or no jinja2."""
    if path is None:
        return
    if path == "-":
        raise ValueError("--html - would mix the page with the report on standard output: name a file")
    refuse_inputs(path, inputs)
    need_jinja2()


def need_jinja2() -> None:
    """Refuse to make a page without jinja2, before anything is read."""
    if importlib.util.find_spec("jinja2") is None:
        raise MissingExtraError("jinja2", extra="report", what="an HTML page")


def page_written(document: Document, path: str) -> str:
    """Write the page, whole or not at all; returns the line that says so."""
    from whileai.simulations.rows.write import write_text
    from whileai.simulations.web.page import render

    size = write_text(render(document), path)
    rollouts = document["rollouts"]
    held = "" if rollouts["shown"] == rollouts["total"] else f" of {rollouts['total']:,}"
    shown = f"{counted(rollouts['shown'], 'rollout')}{held} to look at"
    return f"wrote {printable(path)} ({size / 1e6:.1f} MB, {shown})"
