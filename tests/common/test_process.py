"""The same rows give the same results in another process and with another hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CODE = """
import hashlib, warnings
warnings.simplefilter("ignore")
from common.given import rows
from common.plain import text
from common.registry import CASES
for case in CASES:
    print(case.name, hashlib.sha256(text(case.call(rows())).encode()).hexdigest())
"""


def _said(hash_seed: str) -> subprocess.Popen[str]:
    paths = [str(Path(__file__).parents[1]), *sys.path]
    env = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(paths)}
    return subprocess.Popen([sys.executable, "-c", CODE], env=env, stdout=subprocess.PIPE, text=True)


def test_results_are_the_same_with_another_hash_seed() -> None:
    first, other = (started.communicate()[0].splitlines() for started in (_said("1"), _said("2")))
    assert first
    assert [line for line in first if line not in other] == []
