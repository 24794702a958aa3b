"""What the calls cost: CPU as a multiple of `json.loads` over the same rows, how it grows, and memory.

    python benchmarks/cost.py [--rows 4000 20000 100000] [--file-rows 1000000] [--write docs/performance.md]

Ratios within one run hold on a noisy machine; seconds do not.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import judging
from calls import CALLS, RULES, TOOLS

import rows as made
import whileai.simulations as wai

FRAMES: dict[str, Callable[[list[dict[str, Any]], list[dict[str, Any]]], Any]] = {
    "near_duplicate_prompts": lambda asks, _: wai.near_duplicate_prompts(asks),
    "decontaminate": lambda asks, held_out: wai.decontaminate(asks, [held_out]),
}
LONG_ROLLOUT = {
    "trace_flags": wai.trace_flags,
    "ungrounded_arguments": wai.ungrounded_arguments,
    "conduct_grade": wai.conduct_grade,
    "behavior_signature": wai.behavior_signature,
}
ROUNDS = 3  # of a call, each beside its unit
STARTS = 7  # of a process
BYTES = {  # of a report a row, and of a scan over text
    "pass_at": 300,
    "metric_summary": 300,
    "marker_summary": 300,
    "compare_runs": 300,
    "delta_report": 300,
    "style_report": 2_000,
    "trace_flag_report": 2_000,
    "grounding_report": 2_000,
    "hack_scan": 2_000,
    "reward_correlations": 2_000,
    "near_duplicate_prompts": 2_000,
    "decontaminate": 2_000,
}
HELP = "import sys; sys.argv = ['wai', '--help']; from whileai.cli.main import main; main()"
SHAPES = {
    "one task, all rollouts": lambda n: [{"task_id": "a", "reward": i % 2} for i in range(n)],
    "a task each": lambda n: [{"task_id": str(i), "reward": i % 2} for i in range(n)],
    "a marker name each": lambda n: [{"task_id": str(i % 50), "reward": 1, "markers": {f"m{i}": 1}} for i in range(n)],
}
HEAD = """# How fast is it, and how does that grow?

Made by `python benchmarks/cost.py --write docs/performance.md`. Costs are CPU time as a multiple of `json.loads` over
the same rows in the same process (a support ticket of `examples/` is about 1.5 KB), the median of three, each measured
right after its unit; ceilings are those the project set.

"""


def cpu(call: Callable[[], Any]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def ratios(sizes: list[int]) -> list[str]:
    """The median of `ROUNDS` ratios, each of a call and of the `json.loads` just before it."""
    lines = ["| call | " + " | ".join(f"{n:,} rows" for n in sizes) + " | ceiling | |"]
    lines.append("| --- " * (len(sizes) + 3) + "|")
    table: dict[str, list[float]] = {name: [] for name in CALLS}
    for n in sizes:
        rows = made.rows(n)
        texts = [json.dumps(row) for row in rows]
        for name, (_, make, call) in CALLS.items():
            given, found = make(rows), []
            for _ in range(ROUNDS):
                unit = cpu(lambda texts=texts: [json.loads(text) for text in texts])
                found.append(cpu(lambda call=call, given=given: call(given)) / unit)
            table[name].append(statistics.median(found))
    for name, costs in table.items():
        ceiling = CALLS[name][0]
        numbers = " | ".join(f"{cost:.2f}" for cost in costs)
        lines.append(f"| `{name}` | {numbers} | {ceiling} | {within(max(costs), ceiling)} |")
    return lines


def within(cost: float, ceiling: float) -> str:
    return "within" if cost <= ceiling else "over"


def growth(n: int) -> list[str]:
    lines = [f"| shape | cost of {4 * n:,} rows over {n:,} (linear: 4) |", "| --- | --- |"]
    for name, make in SHAPES.items():
        few, many = make(n), make(4 * n)
        call = wai.marker_summary if "marker" in name else wai.pass_at
        once = min(cpu(lambda call=call, few=few: call(few)) for _ in range(5))
        lines.append(f"| {name} | {min(cpu(lambda call=call, many=many: call(many)) for _ in range(5)) / once:.1f} |")
    return lines


def long_rollouts(few: int, many: int) -> list[str]:
    """What a call of a rollout costs in one of `many` calls, over one of `few`."""
    lines = [f"| check | a call in a rollout of {many:,} over one in a rollout of {few} |", "| --- | --- |"]
    shapes = [[made.long_rollout(n, start) for start in range(0, many, n)] for n in (few, many)]
    for name, check in LONG_ROLLOUT.items():
        cost = [min(cpu(lambda rs=rs, check=check: [check(row) for row in rs]) for _ in range(2)) for rs in shapes]
        lines.append(f"| `{name}` | {cost[1] / cost[0]:.1f} |")
    return lines


def frames(n: int) -> list[str]:
    """What prompts written from one sentence cost, over as many free ones."""
    lines = [f"| call | {n:,} prompts of one frame over free ones |", "| --- | --- |"]
    for name, call in FRAMES.items():
        cost = []
        for make in (made.asks, made.framed_asks):
            asks, held_out = make(n), make(n // 10, seed=1)
            cost.append(min(cpu(lambda asks=asks, held=held_out, call=call: call(asks, held)) for _ in range(2)))
        lines.append(f"| `{name}` | {cost[1] / cost[0]:.1f} |")
    return lines


def memory(n: int) -> list[str]:
    """Peak bytes of the allocations of a call; numpy's arrays are among them."""
    rows = made.rows(n)
    lines = ["| report | bytes a row above the rows | ceiling | |", "| --- | --- | --- | --- |"]
    for name, ceiling in BYTES.items():
        _, make, call = CALLS[name]
        given = make(rows)
        call(given[: n // 10] if isinstance(given, list) else given)  # what is imported or cached, is
        tracemalloc.start()
        call(given)
        held = tracemalloc.get_traced_memory()[1] / n
        tracemalloc.stop()
        lines.append(f"| `{name}` | {held:,.0f} | {ceiling:,} | {within(held, ceiling)} |")
    return lines


def starts() -> list[str]:
    """CPU of a fresh process above that of one that imports `json`: the least of several."""
    lines = ["| process | ms of CPU above `import json` | ceiling | |", "| --- | --- | --- | --- |"]
    plain = min(_child("import json")[0] for _ in range(STARTS))
    for said, (code, ceiling) in {
        "import whileai.simulations": ("import whileai.simulations", 60),
        "wai --help": (HELP, 200),
    }.items():
        above = 1000 * (min(_child(code)[0] for _ in range(STARTS)) - plain)
        lines.append(f"| `{said}` | {above:.0f} | {ceiling} | {within(above, ceiling)} |")
    return lines


def agent() -> list[str]:
    """`preflight` and `recommend` for a large agent, in seconds of CPU."""
    lines = [
        f"| call | s of CPU, {len(TOOLS)} tools, {len(RULES.splitlines())} rules | ceiling | |",
        "| --- " * 4 + "|",
    ]
    for call in (wai.preflight, wai.recommend):
        seconds = cpu(lambda call=call: call(TOOLS, RULES))
        lines.append(f"| `{call.__name__}` | {seconds:.2f} | 1 | {within(seconds, 1)} |")
    return lines


def judged() -> list[str]:
    """The loop around a judge that takes its time: wall over the ideal, and the CPU of a row."""
    lines = ["| judge of 50 ms, 2,000 rows, 32 workers | wall over the ideal | ceiling | ms of CPU a row | ceiling | |"]
    lines.append("| --- " * 6 + "|")
    for name, wall, ms in judging.table(2_000, 32, 0.05):
        held = within(max(wall / 1.1, ms / 0.3), 1)
        lines.append(f"| {name} | {wall:.3f} | 1.1 | {ms:.3f} | 0.3 | {held} |")
    return lines


def comparison(n: int) -> list[str]:
    sides = [
        [
            {
                "task_id": f"t{i // 8}",
                "reward": (i * 7 + side) % 3 % 2,
                "markers": {f"m{m}": (i + m * side) % 2 for m in range(10)},
            }
            for i in range(n)
        ]
        for side in (0, 1)
    ]
    seconds = cpu(lambda: wai.delta_report(*sides))
    return [f"`delta_report` on {n:,} rows a side with 10 markers: {seconds:.1f} s of CPU beyond reading."]


PARSE = "import orjson,sys\nfor line in open(sys.argv[1],'rb'): orjson.loads(line)"
REPORT = (
    "import sys; sys.argv = ['wai', 'report', sys.argv[1], '--workers', '1']; from whileai.cli.main import main; main()"
)


def command(n: int) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.jsonl"
        made.write(path, n)
        size = path.stat().st_size
        parse, _ = _child(PARSE, path)
        report, peak = _child(REPORT, path)
    return [
        f"`wai report` on a file of {n:,} rows ({size / 1e9:.2f} GB): {report / parse:.2f} times the CPU of parsing it "
        f"with orjson alone, {peak / 2**20:.0f} MB of memory at its peak."
    ]


def _child(code: str, *arguments: Path) -> tuple[float, float]:
    """CPU seconds and peak bytes of a Python process that runs `code`."""
    # Compiled modules are kept, as they are where the package is installed.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", code, *map(str, arguments)]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=env)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        raise RuntimeError(f"the measured process ended with status {status}")
    unit = 1 if sys.platform == "darwin" else 1024
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[4_000, 20_000, 100_000])
    parser.add_argument("--file-rows", type=int, default=1_000_000)
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    whole = command(options.file_rows)  # first: a child's peak memory is at least what its parent holds when it forks
    parts = [
        starts(),
        ratios(options.rows),
        growth(25_000),
        long_rollouts(50, 5_000),
        frames(20_000),
        memory(20_000),
        agent(),
        judged(),
        whole,
        comparison(options.file_rows),
    ]
    text = HEAD + "\n\n".join("\n".join(part) for part in parts) + "\n"
    print(text)
    if options.write:
        options.write.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
