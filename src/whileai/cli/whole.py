"""Files of commands that write rows: read whole where these look at every row of a task at once, else as a stream."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from whileai.cli.output import refuse_inputs, wrote_line
from whileai.cli.reading import Reading
from whileai.simulations.reports import printable

NOTHING = 1  # exit status when no row was written, so that `wai select ... && train` does not train on an older file


class WholeFiles:
    """Rows of files, held or streamed; `read` is the account of each file read so far."""

    def __init__(self, *, strict: bool, source_format: str | None) -> None:
        self._options: dict[str, Any] = {"strict": strict, "source_format": source_format}
        self.read: list[dict[str, Any]] = []

    def rows(self, path: str, verb: str) -> list[dict[str, Any]]:
        """The rows of a file, `-` for standard input; a `ValueError` when there is none to `verb`."""
        return list(self.stream(path, verb))

    def stream(self, path: str, verb: str) -> Iterator[dict[str, Any]]:
        """The same, one after another."""
        reading = Reading([path], **self._options)
        for batch, _ in reading.batches():
            yield from batch
        reading.need_rows(verb)
        self.read.extend(reading.read)


def checked_output(output: str, inputs: Iterable[str | None]) -> None:
    """A `ValueError` when the output is standard output, where the report goes, or a file that is read."""
    if output == "-":
        raise ValueError("--output - would mix the rows with the report on standard output: name a file")
    refuse_inputs(output, [path for path in inputs if path is not None])


def written(rows: Collection[Mapping[str, Any]], output: str) -> str:
    """Write the rows and say so; without any nothing is written, and that is said."""
    from whileai.simulations.rows.write import write_rows

    if not rows:
        kept = ", and what is there is from before" if Path(output).exists() else ""
        return f"! nothing selected: {printable(output)} was not written{kept}"
    return wrote_line(write_rows(rows, output), output)


def refuse_options(context: typer.Context, names: Iterable[str], needed: str) -> None:
    """A `ValueError` when a person gave one of some options, which do nothing here: `needed` says when they do."""
    given = [
        param.opts[0]
        for param in context.command.params
        if param.name in names and getattr(context.get_parameter_source(param.name), "name", "") == "COMMANDLINE"
    ]
    if given:
        verb, them = ("does", "it") if len(given) == 1 else ("do", "them")
        raise ValueError(f"{', '.join(given)} {verb} nothing without {needed}: leave {them} out, or choose that mode")


@contextmanager
def warnings_said() -> Iterator[list[str]]:
    """The texts of the warnings given meanwhile, there when it ends."""
    texts: list[str] = []
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always", UserWarning)
        yield texts
    texts += [str(warning.message) for warning in given]
