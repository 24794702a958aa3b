"""A thousand rows judged over HTTP by a server that misbehaves, also when the process is killed half-way."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from models.server import FaultyServer
from whileai.simulations.score.judging import Judge, run_judge

N = 1000
WORKERS = 32
FAULTS = [
    "429",
    "500",
    "503",
    "hang up",
    "reset",
    "cut body",
    "cut chunk",
    "no json",
    "bad utf-8",
    "empty",
    "no choices",
]
ROWS = [{"scenario_id": f"t{i}", "prompt": f"Refund order A-{i:04d}.", "final_text": "Done."} for i in range(N)]


def row_in(body: dict[str, Any]) -> int | None:
    found = re.search(r"order A-(\d{4})", json.dumps(body["messages"]))
    return int(found[1]) if found else None


def answer(body: dict[str, Any]) -> str:
    row = row_in(body)
    return "ready" if row is None else json.dumps({"reason": f"row {row}", "score": row % 2})


def fault(number: int, body: dict[str, Any]) -> str | None:
    """Every sixth request meets a fault, each kind in turn; three get no answer at all."""
    if number in (200, 400, 600):
        return "silent"
    return FAULTS[number // 6 % len(FAULTS)] if number % 6 == 5 else None


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    with FaultyServer(answer, fault) as running:
        yield running


def answered(server: FaultyServer) -> Counter[int]:
    """How often each row was answered so that it could be read: a stray byte in a reason does no harm."""
    rows = (row_in(request.body) for request in server.posts if request.body and request.fault in (None, "bad utf-8"))
    return Counter(row for row in rows if row is not None)


def judge_of(server: FaultyServer) -> Judge:
    return Judge("Pass when the refund was issued.", model=f"vllm:test-model@{server.url}/v1")


def judged(server: FaultyServer, path: Path) -> Any:
    return run_judge(ROWS, judge_of(server), concurrency=WORKERS, timeout=5, checkpoint=path, progress=False)


def test_every_row_is_accounted_for_and_none_is_judged_twice(server: FaultyServer, tmp_path: Path) -> None:
    path = tmp_path / "verdicts"
    first = judged(server, path)
    assert [row["scenario_id"] for row in first] == [row["scenario_id"] for row in ROWS]
    for i, row in enumerate(first):
        if row["judge_status"] == "ok":
            assert (row["reward"], row["reason"].startswith(f"row {i}")) == (i % 2, True)
        else:
            assert row["reward"] is None
            assert row.get("reason") or row["judge_meta"]
    unjudged = {ROWS.index({k: row[k] for k in ROWS[0]}) for row in first.unjudged()}
    assert len(unjudged) < 0.15 * N
    assert max(answered(server).values()) == 1

    second = judged(server, path)
    assert not second.unjudged() or len(second.unjudged()) < len(unjudged)
    before = len(server.posts)
    third = judged(server, path)
    again = {row_in(request.body) for request in server.posts[before:]} - {None}
    assert len(again) == len(second.unjudged())
    assert [row["reward"] for row in third if row["reward"] is not None] == [
        i % 2 for i, row in enumerate(third) if row["reward"] is not None
    ]
    assert max(answered(server).values()) == 1


CLIENT = """
import sys
sys.path[:0] = [sys.argv[3], sys.argv[4]]
from score.judging.test_http import Path, judged
class server: url = sys.argv[1]
print(len(judged(server, Path(sys.argv[2])).unjudged()))
"""


def test_a_killed_run_goes_on_without_loss(server: FaultyServer, tmp_path: Path) -> None:
    path, tests = tmp_path / "verdicts", Path(__file__).parents[2]
    command = [sys.executable, "-c", CLIENT, server.url, str(path), str(tests), str(tests.parent / "src")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    until = time.monotonic() + 120
    while len(server.posts) < N // 2 and process.poll() is None and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait(60)
    half = path.read_bytes().count(b'"judge_status": "ok"')
    assert 0.3 * N < half < 0.6 * N
    left = int(subprocess.run(command, check=True, capture_output=True, timeout=200).stdout)
    assert left < 0.15 * N
    counts = answered(server)
    assert len(counts) >= N - left
    assert sum(count - 1 for count in counts.values()) <= WORKERS  # those under way when it was killed
    assert path.read_bytes().count(b'"judge_status": "ok"') == N - left
