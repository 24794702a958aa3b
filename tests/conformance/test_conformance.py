"""The executable cases of the reference pages, all of them."""

from __future__ import annotations

from pathlib import Path

import pytest
import runner

import whileai.simulations as wai

HERE = Path(__file__).parent
CASES = [case for _, case in runner.load_cases(sorted((HERE / "cases").glob("*.json")))]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case_of_the_reference_pages_holds(case: dict) -> None:
    assert runner.run_case(case, wai, runner._load_fixtures()) == []
