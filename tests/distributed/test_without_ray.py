"""Without Ray the package imports, and says how to install it when something is asked of it."""

from __future__ import annotations

import subprocess
import sys

_PROGRAM = """
import sys
import whileai.simulations as wai
from whileai.simulations import distributed
distributed.pass_at
print("ray" in sys.modules)
sys.modules["ray"] = None
try:
    distributed.pass_at("rows.jsonl")
except ImportError as error:
    print(error)
"""


def test_importing_the_package_loads_no_ray_and_the_error_without_it_names_the_command() -> None:
    said = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True).stdout
    assert said.splitlines() == ["False", "whileai.simulations.distributed needs ray[data]: pip install 'whileai[ray]'"]
