from __future__ import annotations

from typing import Any

import pytest

import whileai.simulations as wai
from scan_rollouts import rollouts
from whileai.simulations.score.hack_scan.diff import _joined


def test_what_was_learned_is_the_first_gain_and_says_when_it_is_not_endorsed() -> None:
    found = wai.hack_scan_diff(rollouts(), rollouts(pays="phrase", seed=2), endorsed=["lookup"])
    assert "not endorsed" in found["learned"]
    assert found["learned"].startswith(f"the update moved toward {found['gained'][0]['name']}")
    assert any("gained, and not endorsed" in sentence for sentence in found["warnings"])
    assert str(found).startswith(found["learned"][:60])


def test_nothing_learned_from_the_same_rows() -> None:
    found = wai.hack_scan_diff(rollouts(), rollouts())
    assert (found["gained"], found["lost"], found["warnings"]) == ([], [], [])
    assert "is still" in found["learned"]
    assert {item["shift"] for item in found["moved"]} == {0.0}


def test_nothing_clears_the_floor_is_said() -> None:
    found = wai.hack_scan_diff(rollouts(), rollouts(pays="coin", seed=9, asks=12), auto=False)
    assert found["learned"] == "nothing clears the floor after"
    assert {item["name"] for item in found["lost"]} >= {"tool:lookup_order"}


@pytest.mark.parametrize(("top", "expected"), [(0, 0), (-3, 0), (2, 2)])
def test_top_caps_each_list(top: int, expected: int) -> None:
    found = wai.hack_scan_diff(rollouts(), rollouts(pays="phrase", seed=2), top=top)
    assert len(found["moved"]) == expected


def test_both_sides_list_all_so_top_features_is_refused() -> None:
    with pytest.raises(TypeError, match="top_features"):
        wai.hack_scan_diff(rollouts(), rollouts(), top_features=5)


def test_what_a_warning_repeats_is_printed_once() -> None:
    few = {"regime": "no_signal", "top_feature": None}
    warnings = ["before cannot be read", "regime no_signal -> train", "gained, and not endorsed: b"]
    report = {"before": few, "after": {**few, "regime": "train"}, "gained": [], "lost": [], "moved": []}
    text = wai.format_hack_scan_diff({**report, "learned": f"{warnings[0]}, so it is not known", "warnings": warnings})
    assert [text.count(warning) for warning in warnings] == [1, 1, 1]


def item(name: str, rho: float, *aliases: str) -> dict[str, Any]:
    return {"name": name, "aliases": list(aliases), "rho": rho, "above_floor": rho > 0.3, "endorsed": False}


def test_sides_are_joined_by_any_name_under_the_first_they_share() -> None:
    joined = list(_joined([item("b", 0.5, "a", "c"), item("x", 0.2)], [item("c", -0.6, "b"), item("y", 0.1)]))
    assert [(i["name"], i["rho_before"], i["rho_after"], i["shift"]) for i in joined] == [
        ("b", 0.5, -0.6, 0.1), ("y", 0.0, 0.1, 0.1), ("x", 0.2, 0.0, -0.2),
    ]  # fmt: skip


def test_a_feature_that_came_apart_keeps_what_it_was() -> None:
    joined = list(_joined([item("a", 0.5, "b")], [item("a", 0.4), item("b", 0.1)]))
    assert [(i["name"], i["rho_before"], i["rho_after"]) for i in joined] == [("a", 0.5, 0.4), ("b", 0.5, 0.1)]


def test_a_side_in_which_nothing_was_measured_teaches_nothing() -> None:
    rows = rollouts(pays="phrase")
    once = list({row["task_id"]: row for row in rows}.values())
    assert "nothing could be measured before" in wai.hack_scan_diff(once, rows)["learned"]
    assert "nothing could be measured after" in wai.hack_scan_diff(rows, once)["learned"]
