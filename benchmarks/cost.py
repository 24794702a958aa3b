"""What the calls cost: CPU as a multiple of `json.loads` over the same rows, how it grows, and memory.

    python benchmarks/cost.py [--rows 4000 20000 100000] [--file-rows 1000000] [--write docs/performance.md]

Ratios within one run hold on a noisy machine; seconds do not.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import rows as made
import whileai.simulations as wai

CALLS: dict[str, tuple[Callable[[list[dict[str, Any]]], Any], float]] = {
    "pass_at": (wai.pass_at, 0.2),
    "metric_summary": (wai.metric_summary, 0.1),
    "marker_summary": (wai.marker_summary, 0.2),
    "compare_runs": (lambda rs: wai.compare_runs(rs[::2], rs[1::2]), 0.2),
    "delta_report": (lambda rs: wai.delta_report(rs[::2], rs[1::2]), 0.8),
    "style_report": (wai.style_report, 0.6),
    "trace_flag_report": (wai.trace_flag_report, 0.9),
    "trace_markers": (wai.trace_markers, 0.7),
    "grounding_report": (wai.grounding_report, 0.6),
    "leak_report": (lambda rs: wai.leak_report([{**row, "privileged": SECRET} for row in rs]), 0.5),
    "rank_rows": (wai.rank_rows, 1.0),
    "dedupe_groups": (wai.dedupe_groups, 0.5),
    "near_duplicate_prompts": (lambda rs: wai.near_duplicate_prompts(made.asks(len(rs))), 3.0),
    "decontaminate": (lambda rs: wai.decontaminate(made.asks(len(rs)), [made.asks(len(rs) // 10, seed=1)]), 1.0),
    "from_row": (lambda rs: [wai.from_row(row) for row in rs], 1.5),
    "from_row, to_row": (lambda rs: [wai.to_row(*wai.from_row(row)) for row in rs], 2.5),
}
SECRET = {"reference": "the order is eligible for a full refund within thirty days"}
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
SHAPES = {
    "one task, all rollouts": lambda n: [{"task_id": "a", "reward": i % 2} for i in range(n)],
    "a task each": lambda n: [{"task_id": str(i), "reward": i % 2} for i in range(n)],
    "a marker name each": lambda n: [{"task_id": str(i % 50), "reward": 1, "markers": {f"m{i}": 1}} for i in range(n)],
}
HEAD = """# How fast is it, and how does that grow?

Made by `python benchmarks/cost.py --write docs/performance.md`. Costs are CPU time as a multiple of `json.loads` over
the same rows in the same process (a support ticket of `examples/` is about 1.5 KB); ceilings are those the project set.

"""


def cpu(call: Callable[[], Any]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def ratios(sizes: list[int]) -> list[str]:
    lines = ["| call | " + " | ".join(f"{n:,} rows" for n in sizes) + " | ceiling |", "| --- " * (len(sizes) + 2) + "|"]
    table: dict[str, list[float]] = {name: [] for name in CALLS}
    for n in sizes:
        rows = made.rows(n)
        texts = [json.dumps(row) for row in rows]
        unit = sorted(cpu(lambda texts=texts: [json.loads(text) for text in texts]) for _ in range(3))[1]
        for name, (call, _) in CALLS.items():
            table[name].append(min(cpu(lambda call=call, rows=rows: call(rows)) for _ in range(2)) / unit)
    lines += [
        f"| `{name}` | " + " | ".join(f"{cost:.2f}" for cost in costs) + f" | {CALLS[name][1]} |"
        for name, costs in table.items()
    ]
    return lines


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
    rows = made.rows(n)
    lines = ["| report | bytes a row above the rows |", "| --- | --- |"]
    for name in ("pass_at", "metric_summary", "marker_summary"):
        tracemalloc.start()
        CALLS[name][0](rows)
        lines.append(f"| `{name}` | {tracemalloc.get_traced_memory()[1] / n:.0f} |")
        tracemalloc.stop()
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
REPORT = "import sys; sys.argv = ['wai', 'report', sys.argv[1]]; from whileai.cli.main import main; main()"


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


def _child(code: str, path: Path) -> tuple[float, float]:
    """CPU seconds and peak bytes of a Python process that runs `code` on `path`."""
    child = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.DEVNULL)
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
        ratios(options.rows),
        growth(25_000),
        long_rollouts(50, 5_000),
        frames(20_000),
        memory(20_000),
        whole,
        comparison(options.file_rows),
    ]
    text = HEAD + "\n\n".join("\n".join(part) for part in parts) + "\n"
    print(text)
    if options.write:
        options.write.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
