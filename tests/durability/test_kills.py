"""A few kills of each job; `make durability` does two hundred."""

from __future__ import annotations

import random
import sys

import pytest

from durability import kills

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")


@pytest.mark.parametrize("name", kills.JOBS)
def test_a_kill_leaves_no_half_file_and_the_next_run_loses_and_doubles_nothing(name: str) -> None:
    draw = random.Random(f"{name} 1")
    job = draw.choice(kills.JOBS[name])
    kills.kill_once(job, draw.uniform(0.005, 0.12))
