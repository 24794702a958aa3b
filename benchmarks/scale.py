"""What the commands cost on large files, on one machine: CPU of all processes, wall time, peak memory.

    python benchmarks/scale.py [--rows 100000 1000000] [--workers 1 2] [--commands report select] [--folder /tmp]

The file is written by `make_rows.py` and removed. Memory is the proportional set size (`Pss`): what processes share is
counted once. Linux only.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import make_rows

MAIN = "import sys; from whileai.cli.main import main; main()"
PARSE = "import orjson, sys\nfor line in open(sys.argv[1], 'rb'): orjson.loads(line)"
COMMANDS = {
    "report": ["report", "{rows}"],
    "check": ["check", "{rows}"],
    "compare": ["compare", "{rows}", "{after}"],
    "select": ["select", "{rows}", "-o", "{out}"],
    "duplicates": ["duplicates", "{rows}"],
    "decontaminate": ["decontaminate", "{rows}", "--against", "{eval}", "-o", "{out}"],
}
_TICKS = os.sysconf("SC_CLK_TCK")


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


def measured(command: list[str]) -> tuple[float, float, float, float]:
    """CPU seconds, wall seconds, peak MB of the command's own process, and of all of its processes together."""
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    cpu: dict[int, float] = {}
    own = together = 0.0
    while child.poll() is None:
        sizes = []
        for pid in tree(child.pid):
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
                cpu[pid] = (int(fields[11]) + int(fields[12])) / _TICKS
                lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
                sizes.append(next(int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")))
            except (OSError, StopIteration):
                continue
        own, together = max(own, sizes[0] if sizes else 0), max(together, sum(sizes))
        time.sleep(0.05)
    if child.returncode not in (0, 1):
        raise RuntimeError(f"{command} ended with status {child.returncode}")
    return sum(cpu.values()), time.monotonic() - start, own, together


def table(rows: list[int], workers: list[int], commands: list[str], folder: str | None) -> list[str]:
    lines = [
        "| command | rows | file, GB | workers | CPU, s | over parsing | wall, s | MB, driver | MB, all |",
        "| --- " * 9 + "|",
    ]
    for n in rows:
        with tempfile.TemporaryDirectory(dir=folder) as made:
            paths = {name: str(Path(made) / f"{name}.jsonl") for name in ("rows", "after", "eval", "out")}
            size = make_rows.write(Path(paths["rows"]), n)
            make_rows.write(Path(paths["eval"]), 200)
            if "compare" in commands:
                make_rows.write(Path(paths["after"]), n, skew=0.01)
            parse = measured([sys.executable, "-c", PARSE, paths["rows"]])[0]
            for name in commands:
                for count in workers:
                    words = [word.format(**paths) for word in COMMANDS[name]]
                    call = [sys.executable, "-c", MAIN, *words, "--workers", str(count)]
                    cpu, wall, own, together = measured(call)
                    lines.append(
                        f"| `{name}` | {n:,} | {size / 1e9:.2f} | {count} | {cpu:.1f} | {cpu / parse:.1f} | {wall:.1f} "
                        f"| {own:.0f} | {together:.0f} |"
                    )
                    print(lines[-1], flush=True)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--commands", nargs="+", choices=list(COMMANDS), default=list(COMMANDS))
    parser.add_argument("--folder")
    options = parser.parse_args()
    print("\n".join(table(options.rows, options.workers, options.commands, options.folder)))


if __name__ == "__main__":
    main()
