"""A thousand rows judged over HTTP by a server that misbehaves, and by a process that is killed half-way."""

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
from unittest import mock

import pytest

from models.server import FaultyServer, Request
from whileai.simulations.models import exchange
from whileai.simulations.score.judging import Judge, run_judge

N = 1000
WORKERS = 8  # httpx looks at every idle connection before a request: the time grows with the square of these
TIMEOUT = 2.0  # of a row; one with four tries takes 0.2 s
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
    if number in (200, 600, 800):
        return "silent"
    return FAULTS[number // 6 % len(FAULTS)] if number % 6 == 5 else None


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    with FaultyServer(answer, fault) as running:
        yield running


def answered(posts: list[Request]) -> Counter[int]:
    """How often each row was answered so that it could be read: a stray byte in a reason does no harm."""
    rows = (row_in(request.body) for request in posts if request.body and request.fault in (None, "bad utf-8"))
    return Counter(row for row in rows if row is not None)


def judge_of(server: FaultyServer) -> Judge:
    return Judge("Pass when the refund was issued.", model=f"vllm:test-model@{server.url}/v1")


def judged(server: FaultyServer, path: Path) -> Any:
    with mock.patch.object(exchange, "BACKOFF", 0.02):
        return run_judge(ROWS, judge_of(server), concurrency=WORKERS, timeout=TIMEOUT, checkpoint=path, progress=False)


CLIENT = """
import sys
sys.path[:0] = [sys.argv[3], sys.argv[4]]
from score.judging.test_http import Path, judged
class server: url = sys.argv[1]
judged(server, Path(sys.argv[2]))
"""


def kill_half_way(server: FaultyServer, path: Path) -> None:
    """Start the run in a process of its own, and end that when half of its requests have come."""
    tests = Path(__file__).parents[2]
    command = [sys.executable, "-c", CLIENT, server.url, str(path), str(tests), str(tests.parent / "src")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    until = time.monotonic() + 120
    while len(server.posts) < N // 2 and process.poll() is None and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait(60)


def kept(path: Path) -> int:
    return path.read_bytes().count(b'"judge_status": "ok"')


def test_every_row_is_accounted_for_and_none_is_judged_twice(server: FaultyServer, tmp_path: Path) -> None:
    path = tmp_path / "verdicts"
    kill_half_way(server, path)
    half, before = kept(path), len(server.posts)
    assert 0.3 * N < half < 0.6 * N
    assert 0 <= len(answered(server.posts)) - half <= WORKERS  # those under way when it was killed

    first = judged(server, path)
    assert first.resumed == half
    assert [row["scenario_id"] for row in first] == [row["scenario_id"] for row in ROWS]
    for i, row in enumerate(first):
        if row["judge_status"] == "ok":
            assert (row["reward"], row["reason"].startswith(f"row {i}")) == (i % 2, True)
        else:
            assert row["reward"] is None
            assert row.get("reason") or row["judge_meta"]
    unjudged = {ROWS.index({k: row[k] for k in ROWS[0]}) for row in first.unjudged()}
    assert 0 < len(unjudged) < 0.15 * N
    assert kept(path) == N - len(unjudged)
    assert max(answered(server.posts[before:]).values()) == 1
    assert sum(count - 1 for count in answered(server.posts).values()) <= WORKERS

    second = judged(server, path)
    assert not second.unjudged() or len(second.unjudged()) < len(unjudged)
    sent = len(server.posts)
    third = judged(server, path)
    again = {row_in(request.body) for request in server.posts[sent:]} - {None}
    assert len(again) == len(second.unjudged())
    assert [row["reward"] for row in third if row["reward"] is not None] == [
        i % 2 for i, row in enumerate(third) if row["reward"] is not None
    ]
    assert max(answered(server.posts[before:]).values()) == 1
