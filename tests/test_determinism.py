"""The same rows give the same text, in another process and with another hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CODE = """
import json, sys
import whileai.simulations as wai
from whileai.simulations.score.overview import overview
rows = list(wai.load_rows(sys.argv[1]))
print(wai.pass_at(rows), json.dumps(wai.pass_at(rows).to_dict()))
print(json.dumps(wai.marker_summary(rows)), json.dumps(wai.metric_summary(rows)))
print(overview(rows), json.dumps(overview(rows)))
print([wai.to_row(*wai.from_row(row)) for row in rows[:20]])
"""


def said(path: Path, hash_seed: str) -> str:
    env = {**os.environ, "PYTHONHASHSEED": hash_seed}
    return subprocess.run(
        [sys.executable, "-c", CODE, str(path)], env=env, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.parametrize("name", ["support_rollouts.jsonl"])
def test_reports_are_the_same_with_another_hash_seed(name: str) -> None:
    path = ROOT / "examples" / name
    assert said(path, "1") == said(path, "2")
