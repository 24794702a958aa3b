"""The executable cases of the reference pages, for what is built so far; a new module adds its line to DONE."""

from __future__ import annotations

from pathlib import Path

import pytest
import runner

import whileai.simulations as wai

HERE = Path(__file__).parent
DONE: dict[str, set[str] | None] = {  # module of the cases: the calls that are built, None for all of them
    "curriculum": None,
    "delta": None,
    "passat": None,
    "schema": None,
    "stats": None,
}
CASES = [
    case
    for _, case in runner.load_cases([HERE / "cases" / f"{module}.json" for module in DONE])
    if (calls := DONE[case["id"].split("/")[0]]) is None or case["call"] in calls
]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case_of_the_reference_pages_holds(case: dict) -> None:
    assert runner.run_case(case, wai, runner._load_fixtures()) == []
