"""Settings that all tests share."""

from __future__ import annotations

import os
import sys
from typing import Any

import pytest
from hypothesis import Phase, settings

from whileai.simulations.parallel import crew

# Hundreds of processes import the package and the tests: each module is compiled once, whatever the environment says.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

EXAMPLES = 25  # of a property each time; `pytest --hypothesis-profile=long` looks longer

# No deadline: machines are noisy, and time is measured in benchmarks/.
settings.register_profile("project", deadline=None, max_examples=EXAMPLES)
settings.register_profile("ci", deadline=None, max_examples=EXAMPLES, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=1000)
settings.register_profile(  # a mutant is noticed or not: the same draws each time, and no search for the smallest one
    "mutation",
    deadline=None,
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
)
settings.load_profile("ci" if os.environ.get("CI") else "project")

# Worker processes are forked from one server: what they work with is imported there once, and not by each of them.
_SCORE = ("checks", "decontaminate", "delta", "hack_scan", "hygiene", "optimize", "overview")
crew._PRELOADED += ["whileai.cli.main", *(f"whileai.simulations.score.{name}" for name in _SCORE)]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A share of the tests each, then what is left of the others': most modules are set up by one worker only."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.getoption("dist") == "load" else None
