"""Ctrl-C while several processes read a file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from whileai.simulations.rows.write import write_rows

CODE = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from whileai.cli.main import main; main()"
)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc to count the processes in")
def test_an_interrupt_ends_all_processes_quietly_and_leaves_no_file(tmp_path: Path) -> None:
    source, output = tmp_path / "rows.jsonl", tmp_path / "out.jsonl"
    write_rows(({"task_id": f"t{i // 4}", "reward": i % 2, "final_text": "word " * 400} for i in range(20_000)), source)
    command = ["select", str(source), "--workers", "2", "-o", str(output)]
    running = subprocess.Popen(
        [sys.executable, "-c", CODE, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    until = time.monotonic() + 30
    while len(members(running.pid)) < 3 and running.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    os.killpg(running.pid, signal.SIGINT)
    _, errors = running.communicate(timeout=60)
    assert (running.returncode, errors) == (130, b"")
    assert list(tmp_path.iterdir()) == [source]
    while members(running.pid) and time.monotonic() < until:
        time.sleep(0.02)
    assert members(running.pid) == []


def members(group: int) -> list[str]:
    """The processes of a group that have not ended."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, pgrp = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(pgrp) == group and state != "Z":
            found.append(path.parent.name)
    return found
