"""The executable cases of the reference pages, all of them, a page at a time: two thousand tests would cost more."""

from __future__ import annotations

from pathlib import Path

import pytest
import runner

import whileai.simulations as wai
from whileai.simulations.models import exchange

PAGES = sorted((Path(__file__).parent / "cases").glob("*.json"))


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_cases_of_a_reference_page_hold(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "BACKOFF", 0.02)  # seconds before a refused request is sent again
    fixtures = runner._load_fixtures()
    cases = [case for _, case in runner.load_cases([page])]
    assert cases
    assert {case["id"]: wrong for case in cases if (wrong := runner.run_case(case, wai, fixtures))} == {}
