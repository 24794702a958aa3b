"""The `wai` command through its entry point: in this process, or in one of its own where the process is the point."""

from __future__ import annotations

import dataclasses
import io
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from whileai.cli.main import main

WAI = [sys.executable, "-c", "from whileai.cli.main import main; main()"]


@dataclasses.dataclass(frozen=True)
class Done:
    """How a command ended and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def wai(*arguments: object, stdin: bytes = b"") -> Done:
    """The command in this process, which spares the half second that a process of its own takes to start."""
    with _streams(stdin) as (out, err), mock.patch.object(sys, "argv", ["wai", *map(str, arguments)]):
        try:
            main()
            status = 0
        except SystemExit as ended:
            status = int(ended.code or 0)
        return Done(status, _written(out), _written(err))


def wai_process(*arguments: object, stdin: bytes = b"") -> Done:
    """The command as a shell starts it: every module loaded anew."""
    done = subprocess.run([*WAI, *map(str, arguments)], input=stdin, capture_output=True, check=False)
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


@contextmanager
def _streams(stdin: bytes) -> Iterator[tuple[io.TextIOWrapper, io.TextIOWrapper]]:
    given, out, err = (io.TextIOWrapper(io.BytesIO(held), encoding="utf-8") for held in (stdin, b"", b""))
    with mock.patch.multiple(sys, stdin=given, stdout=out, stderr=err):
        yield out, err


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode()  # type: ignore[attr-defined]
