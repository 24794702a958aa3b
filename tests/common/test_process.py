"""The same rows give the same results in another process and with another hash seed."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from common.given import rows
from common.plain import text
from common.registry import CASES

CODE = """
import warnings
warnings.simplefilter("ignore")
from common.test_process import results
print(*results(), sep="\\n")
"""


def results() -> list[str]:
    """Each function and what it gives, as a hash."""
    return [f"{case.name} {hashlib.sha256(text(case.call(rows())).encode()).hexdigest()}" for case in CASES]


@pytest.mark.filterwarnings("ignore")
def test_results_are_the_same_in_another_process_with_another_hash_seed() -> None:
    paths = [str(Path(__file__).parents[1]), *sys.path]
    env = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": os.pathsep.join(paths)}
    said = subprocess.run([sys.executable, "-c", CODE], env=env, capture_output=True, text=True, check=True).stdout
    assert [line for line in results() if line not in said.splitlines()] == []
