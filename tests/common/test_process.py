"""The same rows give the same results in another process and with another hash seed."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import whileai.simulations as wai
from common.given import rows
from common.plain import text
from common.registry import CASES
from whileai.simulations.score.overview import overview

EXAMPLE = Path(__file__).parents[2] / "examples" / "support_rollouts.jsonl"
CODE = """
import warnings
warnings.simplefilter("ignore")
from common.test_process import results
print(*results(), sep="\\n")
"""


def results() -> list[str]:
    """Each function and what it gives, as a hash."""
    found = [(case.name, case.call(rows())) for case in CASES]
    return [f"{name} {hashlib.sha256(text(given).encode()).hexdigest()}" for name, given in [*found, *_of_many()]]


def _of_many() -> list[tuple[str, object]]:
    """What a few rows do not reach: the report of a whole file, and selections that draw."""
    loaded = list(wai.load_rows(EXAMPLE))
    return [
        ("overview", (overview(loaded), str(overview(loaded)), wai.marker_summary(loaded))),
        ("rl, drawn", wai.select_for_rl(loaded, target=60)),
        ("sft, drawn", wai.select_for_sft(loaded, target=9)),
        ("sft, any task", wai.select_for_sft(loaded, target=9, select="random_k_overall")),
    ]


@pytest.mark.filterwarnings("ignore")
def test_results_are_the_same_in_another_process_with_another_hash_seed() -> None:
    paths = [str(Path(__file__).parents[1]), *sys.path]
    env = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": os.pathsep.join(paths)}
    said = subprocess.run([sys.executable, "-c", CODE], env=env, capture_output=True, text=True, check=True).stdout
    assert [line for line in results() if line not in said.splitlines()] == []
