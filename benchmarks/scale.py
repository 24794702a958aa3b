"""What the commands cost on large files: CPU of all processes, the share of it that parsing is, wall time, peak memory.

    python benchmarks/scale.py --table [--write docs/scale.md]
    python benchmarks/scale.py --rows 20000 --ways 1 2 ray --commands report select
    python benchmarks/scale.py --table --estimate

`--table` is what the docs hold: 100,000 and 1,000,000 rows with every command, 5,000,000 with those of `LARGE`, by one
process, by two, and on a Ray of this machine; `--commands` and `--ways` leave out the others. `--estimate` says how
long it takes, from a run with 20,000 rows.

A command that fails, or takes longer than an hour, has a line that says so, and the others go on; `--write` puts each
line into the page as soon as it is there. The exit status is 1 when one failed.

Files are written by `make_rows.py` and removed. Memory is the proportional set size (`Pss`): what processes share is
counted once. Linux only.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple

import make_rows

MAIN = "import sys; from whileai.cli.main import main; main()"
PARSE = "import orjson, sys\nfor line in open(sys.argv[1], 'rb'): orjson.loads(line)"
COMMANDS = {
    "report": ["report", "{rows}"],
    "compare": ["compare", "{rows}", "{after}"],
    "check": ["check", "{rows}"],
    "select": ["select", "{rows}", "-o", "{out}"],
    "duplicates": ["duplicates", "{rows}"],
    "decontaminate": ["decontaminate", "{rows}", "--against", "{eval}", "-o", "{out}"],
    "scan": ["scan", "{rows}"],
}
LARGE = ("report", "compare")  # commands at five million rows: the others take an hour
WAYS = {"1": ["--workers", "1"], "2": ["--workers", "2"], "ray": ["--ray", "local"]}
TABLE = ((100_000, tuple(COMMANDS)), (1_000_000, tuple(COMMANDS)), (5_000_000, LARGE))
START, END = "<!-- made by `python benchmarks/scale.py --table --write docs/scale.md` -->", "<!-- end of the table -->"
HEAD = [
    "| command | rows | file, GB | processes | CPU, s | of it parsing | wall, s | MB, driver | MB, workers |",
    "| --- " * 9 + "|",
]
_TICKS = os.sysconf("SC_CLK_TCK")
_SHOWN = 120  # characters of what a failed command said last
_LOOK = 0.05  # seconds between two looks at the clocks of the processes
_LOOKS = 8  # looks at the clocks for one at the memory, which costs more
_LONGEST = 3_600.0  # seconds of a command
_FEW, _PROBE = 1_000, 20_000  # rows behind an estimate
_QUIET = {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0"}


class FailedError(Exception):
    """A command that did not end as it should, and what it said last."""


class Cost(NamedTuple):
    """CPU and wall seconds; peak MB of the command's own process, and of all others of it together."""

    cpu: float
    wall: float
    driver: float
    workers: float


def tree(pid: int) -> list[int]:
    """A process and all that come from it."""
    found = [pid]
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            for child in Path(f"/proc/{pid}/task/{task}/children").read_text().split():
                found += tree(int(child))
    except OSError:
        pass
    return found


def measured(command: list[str]) -> Cost:
    """What a command costs; a `FailedError` when it fails or takes too long."""
    start = time.monotonic()
    with tempfile.TemporaryFile("w+") as said:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said, env={**os.environ, **_QUIET})
        cpu: dict[int, float] = {}
        driver = workers = 0.0
        for look in count():
            if child.poll() is not None:
                break
            pids = tree(child.pid)
            cpu.update(_seconds(pids))
            if look % _LOOKS == 0:
                sizes = dict(_sizes(pids))
                driver = max(driver, sizes.pop(child.pid, 0.0))
                workers = max(workers, sum(sizes.values()))
            if time.monotonic() - start > _LONGEST:
                _end(pids)
                child.wait()
                raise FailedError(f"not done after {_LONGEST:.0f} s")
            time.sleep(_LOOK)
        said.seek(0)
        told = said.read()
        if child.returncode not in (0, 1) or "Traceback (most recent call last)" in told:
            print(told[-2000:], file=sys.stderr)
            raise FailedError(f"status {child.returncode}: {' '.join(told.split())[-_SHOWN:]}")
    return Cost(sum(cpu.values()), time.monotonic() - start, driver, workers)


def _end(pids: list[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _seconds(pids: list[int]) -> Iterator[tuple[int, float]]:
    """The CPU that each process has used; one that is gone is left out."""
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
        except OSError:
            continue
        yield pid, (int(fields[11]) + int(fields[12])) / _TICKS


def _sizes(pids: list[int]) -> Iterator[tuple[int, float]]:
    """The MB of each process."""
    for pid in pids:
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            yield pid, next(int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:"))
        except (OSError, StopIteration):
            continue


def table(
    n: int, ways: Sequence[str], commands: Sequence[str], folder: str | None
) -> Iterator[tuple[str, Cost | FailedError]]:
    """A line for each command and way at so many rows, and what it is made of."""
    with tempfile.TemporaryDirectory(dir=folder) as made:
        paths = {name: str(Path(made) / f"{name}.jsonl") for name in ("rows", "after", "eval", "out")}
        size = make_rows.write(Path(paths["rows"]), n)
        make_rows.write(Path(paths["eval"]), 200)
        if "compare" in commands:
            make_rows.write(Path(paths["after"]), n, skew=0.01)
        parse = measured([sys.executable, "-c", PARSE, paths["rows"]]).cpu
        for name in commands:
            words = [word.format(**paths) for word in COMMANDS[name]]
            files = 2 if name == "compare" else 1
            for way in ways:
                begun = f"| `{name}` | {n:,} | {files * size / 1e9:.2f} | {way} |"
                try:
                    cost = measured([sys.executable, "-c", MAIN, *words, *WAYS[way]])
                except FailedError as error:
                    yield f"{begun} failed: {str(error).replace('|', '/')} | | | | |", error
                    continue
                share = files * parse / max(cost.cpu, 1 / _TICKS)
                sizes = f"{cost.driver:,.0f} | {cost.workers:,.0f}"
                yield f"{begun} {cost.cpu:.1f} | {share:.0%} | {cost.wall:.1f} | {sizes} |", cost


def estimate(wanted: Sequence[tuple[int, Sequence[str]]], ways: Sequence[str], folder: str | None) -> str:
    """How long the table takes where nothing else runs, from the CPU of its commands with two small numbers of rows."""
    names = list(COMMANDS)
    small, large = ([_cpu(cost) for _, cost in table(n, ["1"], names, folder)] for n in (_FEW, _PROBE))
    slopes = dict(zip(names, ((b - a) / (_PROBE - _FEW) for a, b in zip(small, large, strict=True)), strict=True))
    starts = {way: _cpu(next(table(_FEW, [way], ["report"], folder))[1]) for way in ways}
    cores = {"1": 1, "2": 2, "ray": os.cpu_count() or 1}
    minutes = [
        (n, sum(starts[way] + n * max(0.0, slopes[name]) / cores[way] for name in commands for way in ways) / 60)
        for n, commands in wanted
    ]
    each = ", ".join(f"{m:.1f} for {n:,} rows" for n, m in minutes)
    return f"about {sum(m for _, m in minutes):.0f} minutes: {each}; and the writing of the files"


def _cpu(cost: Cost | FailedError) -> float:
    if isinstance(cost, FailedError):
        raise cost
    return cost.cpu


def write_into(path: Path, start: str, end: str, lines: list[str]) -> None:
    """Put lines between two marks of a page, each of which stands there once."""
    text = path.read_text(encoding="utf-8")
    between = re.compile(f"{re.escape(start)}.*?{re.escape(end)}", re.DOTALL)
    if len(between.findall(text)) != 1:
        raise ValueError(f"{path} must hold {start} and {end}, once each")
    path.write_text(between.sub(lambda _: "\n".join([start, *lines, end]), text), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", action="store_true", help="the table of the docs")
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--ways", nargs="+", choices=list(WAYS), default=list(WAYS))
    parser.add_argument("--commands", nargs="+", choices=list(COMMANDS), default=list(COMMANDS))
    parser.add_argument("--folder", help="where the files are written")
    parser.add_argument("--estimate", action="store_true", help="say how long it takes, and stop")
    parser.add_argument("--write", type=Path, help="the page that the table is put into")
    options = parser.parse_args()
    sizes = TABLE if options.table else [(n, tuple(COMMANDS)) for n in options.rows]
    wanted = [(n, [name for name in commands if name in options.commands]) for n, commands in sizes]
    if options.estimate:
        print(estimate(wanted, options.ways, options.folder))
        return
    print("\n".join(HEAD), flush=True)
    lines: list[str] = []
    failed = False
    for n, commands in wanted:
        try:
            for line, cost in table(n, options.ways, commands, options.folder):
                print(line, flush=True)
                lines.append(line)
                failed = failed or isinstance(cost, FailedError)
                if options.write:
                    write_into(options.write, START, END, ["", *HEAD, *lines, ""])
        except (OSError, FailedError) as error:  # the files could not be written, or not be parsed
            print(f"{n:,} rows: {error}", file=sys.stderr, flush=True)
            failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()
