"""The `wai` command and what all of its commands share: how errors end it."""

from __future__ import annotations

import errno
import sys
import traceback

import typer

from whileai.cli.check import check
from whileai.cli.compare import compare
from whileai.cli.decontaminate import decontaminate
from whileai.cli.duplicates import duplicates
from whileai.cli.export import export
from whileai.cli.gap import gap
from whileai.cli.grade import grade
from whileai.cli.next_round import next_round
from whileai.cli.preflight import preflight
from whileai.cli.push import push
from whileai.cli.report import report
from whileai.cli.scan import scan
from whileai.cli.select import select
from whileai.cli.serve import serve
from whileai.cli.size import size
from whileai.cli.trust import trust

UNREADABLE = 2
FAULT = 3  # above the statuses of a report, so that a fault of ours is never read as a verdict
INTERRUPTED = 130
_FIXES = {
    errno.ENOSPC: "free space there, or name another place",
    errno.EDQUOT: "free space there, or name another place",
    errno.EFBIG: "the system lets no file there grow as large: name another place",
    errno.EROFS: "name another place",
    errno.EACCES: "get the right to it, or name another place",
    errno.EPERM: "get the right to it, or name another place",
}
_NOT_STRICT = " (--no-strict leaves bad records out, and counts them)"

app = typer.Typer(
    name="wai",
    help="Read rollouts of tool-using language models: how good is the policy, and how sure are we?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # its boxes cost each `--help` and each usage error a quarter of a second
)
app.command()(report)
app.command()(serve)
app.command()(compare)
app.command()(check)
app.command()(scan)
app.command()(duplicates)
app.command()(decontaminate)
app.command()(select)
app.command("next-round")(next_round)
app.command()(size)
app.command()(preflight)
app.command()(gap)
app.command()(grade)
app.command()(trust)
app.command()(export)
app.command()(push)


@app.callback()
def _commands() -> None:
    """Make every command a sub-command, however many there are."""


def main() -> None:
    """Run the command line; unreadable input ends it with status 2 and one line on standard error, a fault with 3."""
    try:
        app()
    except KeyboardInterrupt:
        print("wai: stopped", file=sys.stderr)  # noqa: T201
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        _close_stdout()
    except (ValueError, TypeError, OSError, ImportError) as error:
        from whileai.simulations.reports import printable

        print(f"wai: {printable(_one_line(error))}", file=sys.stderr)  # noqa: T201
        sys.exit(UNREADABLE)
    except Exception:
        traceback.print_exc()
        sys.exit(FAULT)


def _one_line(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        said = f"{error.strerror}: {fix}" if (fix := _FIXES.get(error.errno or 0)) else error.strerror
        return f"{error.filename}: {said}" if error.filename is not None else said
    return " ".join(str(error).split()) + (_NOT_STRICT if _is_of_a_record(error) else "")


def _is_of_a_record(error: Exception) -> bool:
    from whileai.simulations.errors import BadRecordError

    return isinstance(error, BadRecordError)


def _close_stdout() -> None:
    """End quietly when the reader of our output has gone (`wai report ... | head`)."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)
