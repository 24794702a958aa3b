"""The same arguments give the same rows, byte for byte, in any process and at any concurrency, and quickly."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import whileai.simulations as wai
from run.run_agents import POLICY, TOOLS
from run.toolsets import episodes

MOST_CPU = 5.0  # seconds of 1,000 rows; the issue

CHILD = """
import sys
sys.path[:0] = [sys.argv[1]]
from run.test_reproducible import digest, planned, rl
print(digest(rl(concurrency=int(sys.argv[2])).trajectories), digest(planned()))
"""


def rl(**keywords: Any) -> Any:
    settings = {"tools": TOOLS, "system_prompt": POLICY, "simulator": False, "seed": 0, "budget": 100, "mode": "rl"}
    return wai.simulate(wai.seeded_agent(TOOLS), **{**settings, "repeats": 4, "grade": "conduct", **keywords})


def planned() -> Any:
    return episodes("shop", n=60, seed=3)


def digest(rows: Any) -> str:
    return hashlib.sha256(json.dumps(rows, ensure_ascii=False).encode()).hexdigest()


def test_rows_are_the_same_in_another_process_with_another_hash_seed_and_concurrency() -> None:
    tests = str(Path(__file__).parents[1])
    made = subprocess.run(
        [sys.executable, "-c", CHILD, tests, "32"],
        env={**os.environ, "PYTHONHASHSEED": "77"},
        capture_output=True,
        text=True,
        check=True,
    )
    for concurrency in (1, 4):
        assert made.stdout.split() == [digest(rl(concurrency=concurrency).trajectories), digest(planned())]


def test_another_seed_gives_other_rows() -> None:
    assert digest(rl(seed=1).trajectories) != digest(rl().trajectories)


def test_slow_and_uneven_agents_change_nothing() -> None:
    agent = wai.seeded_agent(TOOLS)

    def uneven(ask: str) -> Any:
        time.sleep(len(ask) % 5 / 1000)
        return agent(ask)

    def sizes(concurrency: int) -> Any:
        keywords = {"tools": TOOLS, "simulator": False, "mode": "adaptive", "budget": 60, "repeats": 4}
        return wai.simulate(uneven, **keywords, grade="conduct", concurrency=concurrency)

    one, many = sizes(1), sizes(16)
    assert one.trajectories == many.trajectories
    assert set(Counter(row["scenario_id"] for row in one).values()) > {2}


def test_the_offline_run_of_a_thousand_rows_covers_its_grid_in_five_seconds_of_cpu() -> None:
    began = time.process_time()
    data = wai.simulate(wai.seeded_agent(TOOLS), tools=TOOLS, system_prompt=POLICY, simulator=False, seed=0)
    assert time.process_time() - began < MOST_CPU
    report = data.report()
    assert (len(data), report["pairwise"]["fraction"]) == (1000, 1.0)
    met = {pair for row in data for pair in combinations(sorted(row["scenario_dimensions"].items()), 2)}
    assert report["pairwise"]["pairs_covered"] == report["pairwise"]["pairs_planned"] <= len(met)


def test_rl_covers_every_pair_it_planned_too() -> None:
    report = rl(budget=500, grade=None).report()
    assert report["pairwise"]["fraction"] == 1.0
    assert (report["rows"], report["rollouts_lost"]) == (500, 0)


def test_adaptive_repeats_only_where_rewards_differ() -> None:
    data = rl(mode="adaptive", repeats=6, budget=150, grader=lambda row: int(not row["seeded"]), grade=None)
    groups: dict[str, list[float]] = {}
    for row in data:
        groups.setdefault(row["scenario_id"], []).append(row["reward"])
    for rewards in groups.values():
        assert len(rewards) in (1, 2, 6) or sum(map(len, groups.values())) == 150
        if len(rewards) > 2:
            assert len(set(rewards[:2])) == 2
    assert len(groups) > 150 // 6
