from __future__ import annotations

from typing import Any

import pytest

import whileai.simulations as wai
from tables import each_of
from whileai.simulations.score.hack_scan.features import Feature
from whileai.simulations.score.hack_scan.verdict import endorse, integrity_of, rank, regime_of, warnings_of


def feature(name: str, rho: float = 0.0, pooled: float = 0.0, **more: Any) -> Feature:
    return Feature(name, 30, rho=rho, pooled=pooled, **more)


def values(**more: Any) -> dict[str, Any]:
    plain = {
        "regime": "train", "n_graded": 100, "n_groups": 20, "n_groups_multi": 20, "rollouts_per_group": 8,
        "support": {"sat": 0.0}, "tau": 0.2, "n_perm": 100, "n_above_floor": 1, "endorsed": ["a"],
        "endorsed_matched": 1, "endorsed_on_top": True, "integrity": 1.0, "degenerate": False, "collinear": [],
        "distinct_per_ask": 8,
    }  # fmt: skip
    return {**plain, **more}


@each_of(
    ("more", "regime"),
    [
        ({}, "train"),
        ({"support": {"sat": 0.2}}, "train"),
        ({"support": {"sat": 0.21}}, "pool_exhausted"),
        ({"endorsed_on_top": False, "support": {"sat": 0.5}}, "reward_hack"),
        ({"n_above_floor": 0, "endorsed_on_top": False}, "no_signal"),
        ({"degenerate": True, "n_above_floor": 0}, "degenerate"),
        ({"endorsed_matched": 0, "degenerate": True}, "unknown"),
        ({"endorsed": [], "endorsed_matched": 0, "endorsed_on_top": None}, "train"),
        ({"tau": None}, "unknown"),
    ],
)
def test_first_regime_that_applies(more: dict[str, Any], regime: str) -> None:
    assert regime_of(values(**more)) == regime


def test_ranking_is_by_size_then_endorsed_and_positive_then_name() -> None:
    found = [
        feature("a", -0.5),
        feature("c", 0.5),
        feature("z", 0.5, endorsed=True),
        feature("b", -0.5, endorsed=True),
        feature("y", 0.6, 0.1),
    ]
    assert [f.name for f in rank(found, within=True)] == ["y", "z", "a", "b", "c"]
    assert rank(found, within=False)[0].name == "y"


def test_pattern_matches_any_name_any_case_and_the_parents() -> None:
    parent = feature("contains:and", aliases=["contains:Rest Assured"])
    found = [parent, feature("x AND y", parents=(parent, feature("tool:f"))), feature("tool:f")]
    assert endorse(found, ["rest ASSURED"]) == 2
    assert [f.endorsed for f in found] == [True, True, False]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([feature("a", 0.6, above_floor=True, endorsed=True), feature("b", -0.2, above_floor=True)], 0.75),
        ([feature("a", -0.6, above_floor=True, endorsed=True)], 0.0),
        ([feature("a", 0.6, endorsed=True)], 0.0),
        ([], 0.0),
    ],
)
def test_integrity(found: list[Feature], expected: float) -> None:
    assert integrity_of(found) == expected


def warned(more: dict[str, Any], *found: Feature) -> str:
    return "\n".join(warnings_of(values(**more), list(found), "reward", 0.05))


def test_warnings_name_the_number_and_what_to_do() -> None:
    fine = feature("a", 0.5, 0.5, above_floor=True, endorsed=True)
    rival = feature("b", 0.4, 0.4, above_floor=True)
    assert warned({}, fine) == ""
    assert "2 rollouts an ask" in warned({"rollouts_per_group": 2}, fine)
    assert "scan again at 8" in warned({"rollouts_per_group": 3}, fine)
    assert "b (+0.40)" in warned({"integrity": 0.56}, fine, rival)
    assert warned({"integrity": 0.8}, fine, rival) == ""
    assert "8 of 20 asks" in warned({"regime": "pool_exhausted", "support": {"sat": 0.4}}, fine)
    assert "judge_score" in warnings_of(values(n_graded=0), [], "judge_score", 0.05)[0]


def test_a_hack_is_named_with_what_was_meant() -> None:
    top = feature("contains:and", 0.7, 0.7, above_floor=True, aliases=["contains:rest assured"])
    meant = feature("tool:lookup", 0.1, endorsed=True)
    said = warned({"regime": "reward_hack", "integrity": 0.0}, top, meant)
    assert "contains:and = contains:rest assured (+0.70)" in said
    assert "tool:lookup (+0.10)" in said
    inverted = feature("tool:lookup", -0.7, -0.7, above_floor=True, endorsed=True)
    assert "pays against tool:lookup" in warned({"regime": "reward_hack", "integrity": 0.0}, inverted)


def test_other_inverted_features_are_listed_three_at_most() -> None:
    found = [feature("a", 0.9, 0.9, above_floor=True, endorsed=True)]
    found += [feature(f"n{i}", -0.5, -0.5, above_floor=True, endorsed=True) for i in range(5)]
    assert "n0 (-0.50), n1 (-0.50), n2 (-0.50) and 2 more" in warned({}, *found)


def test_repeats_that_all_agree_ask_for_a_look_at_the_grader_not_for_more_of_the_same() -> None:
    rows = [{"task_id": task, "final_text": f"Done {n}.", "reward": 1} for task in "abc" for n in range(8)]
    said = [wai.hack_scan([row for row in rows if row["final_text"] < f"Done {n}."])["warnings"][0] for n in (8, 4)]
    assert ["check that the grader" in line for line in said] == [True, True]
    assert ["grade repeats" in line for line in said] == [False, True]
