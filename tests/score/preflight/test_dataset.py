from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import few
from strategies import json_values, rows
from whileai.simulations.score.preflight import dataset_report, preflight

TOOL = {"name": "cancel_order"}


def episode(stance: str | None = "ordinary", reward: object = 1, **fields: object) -> dict:
    dimensions = {} if stance is None else {"scenario_dimensions": {"tool": "get", "stance": stance}}
    return {"prompt": "Where is it?", "final_text": "Here.", "reward": reward, **dimensions, **fields}


def test_labels_are_exactly_zero_and_one() -> None:
    report = dataset_report([episode(reward=r) for r in (0, 1.0, "1", True, 0.5, None, float("nan"))])
    assert (report["rows"], report["labeled"], report["passes"], report["fails"]) == (7, 3, 2, 1)
    assert report["fail_rate"] == 0.333


def test_no_rows_have_no_shares() -> None:
    report = dataset_report([])
    assert (report["fail_rate"], report["hard_share"], report["tier_fail_rate"], report["warnings"]) == (
        None,
        None,
        {},
        [],
    )


def test_a_demonstration_is_a_pass_with_a_reply_wherever_it_stands() -> None:
    chat = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]
    held = [episode(), episode(final_text=" \n"), {"reward": 1, "messages": chat}, episode(reward=0)]
    assert dataset_report(held)["usable_sft"] == 2


def test_prompts_behaviors_and_cells_are_counted_once() -> None:
    held = [
        episode(prompt="Where  is it?"),
        episode(prompt="where is IT?"),
        episode("boundary", steps=[{"tool": "get", "arguments": {}}]),
        episode(scenario_dimensions={"tool": ["get"]}),
        episode(scenario_dimensions={"tool": ["get"]}),
        episode(scenario_dimensions={}),
        episode(scenario_dimensions="x", prompt=None),
    ]
    report = dataset_report(held)
    assert (report["unique_prompts"], report["distinct_behaviors"], report["cells_touched"]) == (1, 2, 3)


def test_failure_classes_and_tiers_come_most_common_first_then_by_name() -> None:
    reasons = ["wrong total", "invented a date", "fabricated a fee", "rude", "left it incomplete"]
    stances = ["retry", "unsure", "conflicting", "conflicting", "adversarial"]
    held = [episode(stance, 0, reason=reason) for stance, reason in zip(stances, reasons, strict=True)]
    report = dataset_report(held)
    assert list(report["failure_classes"].items()) == [
        ("fabrication", 2), ("arithmetic", 1), ("incompleteness", 1), ("unclassified", 1),
    ]  # fmt: skip
    assert list(report["tier_counts"]) == ["boundary", "adversarial", "ambiguous", "ordinary"]
    assert dataset_report(held[::-1]) == report
    assert list(dataset_report(held[::-1])["tier_counts"]) == list(report["tier_counts"])


@pytest.mark.parametrize(
    ("n_hard", "n_rows", "floor", "warned"),
    [(5, 20, 0.3, "25%"), (6, 20, 0.3, None), (0, 19, 0.3, None), (6, 20, 0.5, "30%"), (0, 20, 0.0, None)],
)
def test_an_easy_set_is_warned_about_from_twenty_rows(
    n_hard: int, n_rows: int, floor: float, warned: str | None
) -> None:
    held = [episode("boundary" if i < n_hard else "ordinary") for i in range(n_rows)]
    warnings = dataset_report(held, hard_share_floor=floor)["warnings"]
    assert [warned in warning for warning in warnings] == ([] if warned is None else [True])


@pytest.mark.parametrize(("n", "warned"), [(1, False), (2, True)])
def test_more_than_a_tenth_without_a_stance_is_warned_about(n: int, warned: bool) -> None:
    report = dataset_report([episode(None if i < n else "boundary") for i in range(10)])
    assert report["tier_counts"]["unlabelled"] == n
    assert [f"{n} rows of 10" in warning for warning in report["warnings"]] == [True] * warned


def test_with_tools_the_spec_rides_along() -> None:
    report, spec = dataset_report([episode()], tools=[TOOL], system_prompt="Be kind."), preflight([TOOL], "Be kind.")
    assert (report["cells_total"], report["preflight_warnings"]) == (spec["cells"], spec["warnings"])
    assert dataset_report([episode()], tools=[])["cells_total"] == 50
    assert "cells_total" not in dataset_report([episode()])


@pytest.mark.parametrize(
    ("given", "says"),
    [("ds_123", "'ds_123'.*pull"), (b"ds", "pull"), ([1, 2], "int"), ({"prompt": "x"}, "dict"), (5, "int")],
)
def test_what_holds_no_rows_is_refused(given: object, says: str) -> None:
    with pytest.raises(TypeError, match=says):
        dataset_report(given)  # type: ignore[arg-type]


def test_stray_items_among_rows_are_skipped() -> None:
    assert dataset_report(iter([1, None, episode()]))["rows"] == 1


def test_the_text_says_what_the_report_says() -> None:
    text = str(dataset_report([episode(), episode(reward=0, reason="invented")], tools=[TOOL]))
    for part in (
        "2 rows, 1 prompt, 1 behavior",
        "1 passes (1 usable for SFT), 1 fails, fail rate 0.500",
        "fabrication 1",
    ):
        assert part in text


@few
@given(st.lists(rows(), max_size=4), json_values)
def test_any_rows_are_counted_and_left_as_they_are(held: list, odd: object) -> None:
    before = copy.deepcopy(held)
    report = dataset_report([*held, {"scenario_dimensions": odd, "prompt": odd, "reward": 0}, odd])
    assert repr(held) == repr(before)
    assert sum(report["tier_counts"].values()) == report["rows"] >= len(held) + 1
    assert sum(report["failure_classes"].values()) == report["fails"]
    assert isinstance(str(report), str)


def test_a_set_without_any_stance_is_not_called_easy() -> None:
    (warning,) = dataset_report([episode(None) for _ in range(40)])["warnings"]
    assert "40 rows of 40 have no stance" in warning
