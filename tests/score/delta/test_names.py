from __future__ import annotations

from typing import Any

import pytest

import whileai.simulations as wai
from whileai.simulations.score.delta.names import nearest


@pytest.mark.parametrize(
    ("asked", "meant"),
    [("marker:pollite", "marker:polite"), ("marker:pass@1", "pass_at_1"), ("marker:POLITE", "marker:polite")],
)
def test_a_misspelt_name_finds_the_near_one(asked: str, meant: str) -> None:
    assert nearest(asked, ["pass_at_1", "marker:polite", "marker:brief"]) == meant


def test_no_name_is_near_to_one_that_is_like_none() -> None:
    assert nearest("marker:zzz", ["pass_at_1", "marker:polite"]) is None
    assert nearest("marker:" + "polite" * 100_000, ["marker:" + "polite" * 100_000]) is None


def test_target_and_proxy_get_the_near_name_too(rows: Any) -> None:
    side = rows([1, 2] * 3, markers={"safe": [1] * 6})
    said = "\n".join(wai.delta_report(side, side, target="saef", proxy="pass@1")["warnings"])
    assert "did you mean marker:safe?" in said
    assert "not checked; did you mean pass_at_1?" in said
