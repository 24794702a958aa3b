"""`wai serve FILE...`: the page of `wai report --html` from this machine, read anew as files grow; labels are kept."""

from __future__ import annotations

import signal
import sys
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from html import escape
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from whileai.cli.html import need_jinja2
from whileai.cli.output import refuse_inputs
from whileai.cli.reading import Reading
from whileai.cli.shared import SourceFormat
from whileai.simulations.reports import counted, printable

if TYPE_CHECKING:
    from whileai.simulations.page.serve.guard import Guard
    from whileai.simulations.page.serve.labels import LabelsFile
    from whileai.simulations.page.serve.server import PageServer
    from whileai.simulations.page.serve.site import Site
    from whileai.simulations.web.document import Document

_UNFINISHED = "the last record is still being written and not counted yet"


def serve(
    files: Annotated[list[str], typer.Argument(help="Files, folders or globs, pooled; read anew as they grow.")],
    labels: Annotated[str | None, typer.Option(help="File that takes the labels; by default beside the first.")] = None,
    host: Annotated[str, typer.Option(help="Address to listen on; others than loopback are open to the network.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = 0,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    errors: Annotated[str, typer.Option(help="Failed runs: null leaves them out, zero counts them as 0.")] = "null",
    source_format: SourceFormat = None,
) -> None:
    """Look at rollouts in a browser and label them.

    The address printed holds a token, Ctrl-C ends it.
    """
    from whileai.simulations.page.serve.growth import version
    from whileai.simulations.page.serve.guard import Guard
    from whileai.simulations.page.serve.site import Site
    from whileai.simulations.rows.folder import without_labels

    need_jinja2()
    files = without_labels(files)
    if "-" in files:
        raise ValueError("serve reads its files again as they grow: write standard input to a file first")
    if not host.strip():
        raise ValueError("--host is empty, which would listen on every address: name one, such as 127.0.0.1")
    guard = Guard(host)
    with _labels(labels or labels_beside(files[0]), files) as kept:
        read = partial(document_of, files, source_format=source_format, errors=errors)
        site = Site(read, partial(version, files), kept, guard.token)
        with _listening(site, guard, port) as server, _shown_in_browser(server.address if open_page else None):
            _say(server, kept)
            before = signal.signal(
                signal.SIGTERM, signal.default_int_handler
            )  # a container's stop ends it as Ctrl-C does
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                signal.signal(signal.SIGTERM, before)
                typer.echo(f"\nstopped; {counted(kept.added, 'label')} added to {printable(kept.path)}")


def document_of(files: list[str], *, source_format: str | None, errors: str) -> Document:
    """The page of some files as they are; a record that is still being written is none yet."""
    from whileai.simulations.page.document import report_document
    from whileai.simulations.page.held import Held
    from whileai.simulations.page.serve.growth import need_files
    from whileai.simulations.rows.collector import collector_off
    from whileai.simulations.score.overview import Overview

    need_files(files)
    held, gathered = Held(), Overview()
    reading = Reading(files, strict=False, source_format=source_format, errors=errors)
    for batch, file in reading.batches():
        gathered.add(batch, file)
        held.add(batch, file)
    reading.need_rows("show")
    read = [_whole(entry) for entry in reading.read]
    with collector_off():
        return report_document(held, gathered.report(None), read, reading.located)


def labels_beside(source: str) -> str:
    """Where the labels of a file, a folder or a glob go by default: beside it.

    >>> labels_beside("runs/a.jsonl"), labels_beside("runs/a.jsonl.gz"), labels_beside("runs/*.jsonl")
    ('runs/a.labels.jsonl', 'runs/a.labels.jsonl', 'runs.labels.jsonl')
    """
    from whileai.simulations.rows.folder import is_glob

    path = Path(source)
    if is_glob(source):
        path = Path(*takewhile(lambda part: not is_glob(part), path.parts))
    if not path.name:
        path = path.absolute()
    stem = path.name if path.is_dir() else Path(path.name.removesuffix(".gz").removesuffix(".zst")).stem
    return str(path.with_name(f"{stem}.labels.jsonl"))


def _whole(entry: dict[str, Any]) -> dict[str, Any]:
    """The account of a source without the record at its end that is still being written."""
    from whileai.simulations.rows.jsontext import CUT

    if entry["bad"] != 1 or entry["first_bad"]["reason"] != CUT:
        return entry
    return {**entry, "bad": 0, "first_bad": None, "notes": [*entry["notes"], _UNFINISHED]}


@contextmanager
def _labels(path: str, files: list[str]) -> Iterator[LabelsFile]:
    from whileai.simulations.page.serve.labels import LabelsFile
    from whileai.simulations.rows.folder import LABELS

    checked = [] if path.endswith(LABELS) else files  # such a file is no rows wherever it lies
    refuse_inputs(path, checked)
    kept = LabelsFile(path)
    try:
        refuse_inputs(path, checked)  # now that it is there, a glob or a folder may hold it
        yield kept
    finally:
        kept.close()


def _listening(site: Site, guard: Guard, port: int) -> PageServer:
    from whileai.simulations.page.serve.server import PageServer

    try:
        return PageServer(site, guard, port)
    except OSError as error:
        raise ValueError(
            f"cannot listen on {guard.host} port {port}: {error.strerror or error}; choose another --host or --port"
        ) from None


@contextmanager
def _shown_in_browser(address: str | None) -> Iterator[None]:
    """Open an address by way of a file that only its owner can read: a command line is seen by all of the machine."""
    if address is None:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="wai-") as folder:
        path = Path(folder) / "open.html"
        path.write_text(f'<meta http-equiv="refresh" content="0;url={escape(address)}">', encoding="utf-8")
        webbrowser.open(path.as_uri())
        yield


def _say(server: PageServer, kept: LabelsFile) -> None:
    if not server.is_loopback:
        typer.echo(
            f"! {server.guard.host} is open to the network: whoever has the address can read these rollouts, over a "
            "connection that is not encrypted; ssh -L to a loopback address is safer",
            err=True,
        )
    typer.echo(server.address)
    earlier = f", {counted(len(kept), 'row')} labelled before" if len(kept) else ""
    typer.echo(f"labels go to {printable(kept.path)}{earlier}; Ctrl-C stops")
    sys.stdout.flush()
