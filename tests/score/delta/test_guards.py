from __future__ import annotations

from typing import Any

import pytest

import whileai.simulations as wai

LOW, HIGH = [0, 1, 0, 0] * 3, [1, 1, 0, 1] * 3


def marked(rows: Any, **markers: list[float]) -> list[dict]:
    return rows([2] * 12, markers=markers)


@pytest.mark.parametrize("guard", ["safe", "marker:safe", ["safe"], ("marker:safe",)])
def test_a_guard_under_any_spelling_fails_the_gate(rows: Any, guard: Any) -> None:
    report = wai.delta_report(marked(rows, safe=[1] * 11 + [0]), marked(rows, safe=LOW), must_not_regress=guard)
    assert (report["ok"], report["regressions"], report["slipped"]) == (False, ["marker:safe"], [])
    assert report["headline_verdict"] == "FAIL"


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ({"other": HIGH}, {"other": HIGH}, "not measured"),
        ({"safe": [1] * 12}, {"safe": [1] * 12}, "cannot fail"),
        ({"safe": [1, *[None] * 11]}, {"safe": [0, *[None] * 11]}, "cannot fail"),
        ({"safe": [1, 0, *[None] * 10]}, {"safe": [0, 1, *[None] * 10]}, "cannot fail"),
    ],
)
def test_a_guard_that_guards_nothing_is_named(rows: Any, before: dict, after: dict, said: str) -> None:
    report = wai.delta_report(marked(rows, **before), marked(rows, **after), must_not_regress="safe")
    assert any("guard marker:safe" in warning and said in warning for warning in report["warnings"])


def test_a_guard_with_too_few_tasks_for_the_level_is_named(rows: Any) -> None:
    before, after = (rows([2] * 6, markers={"safe": values}) for values in ([1] * 5 + [0], [0] * 6))
    report = wai.delta_report(before, after, must_not_regress="safe", alpha=0.01)
    assert any("guard marker:safe cannot fail" in warning and "7" in warning for warning in report["warnings"])


def test_sides_that_hold_two_constants_are_degenerate_and_still_regress(rows: Any) -> None:
    report = wai.delta_report(marked(rows, safe=[1] * 12), marked(rows, safe=[0] * 12), must_not_regress="safe")
    assert report["degenerate_guards"] == report["regressions"] == ["marker:safe"]


def test_proxy_is_compared_with_pass_at_1_when_no_target_is_measured(rows: Any) -> None:
    before, after = marked(rows, hint=[0] * 12), marked(rows, hint=[1] * 12)
    report = wai.delta_report(before, after, proxy="hint")
    assert (report["over_optimized"], report["ok"], report["proxy_verdict"]) == (True, False, "moved")
    assert wai.delta_report(before, after, proxy="pass_at_1")["proxy_verdict"] == "proxy_is_target"


def test_a_proxy_gain_inside_its_band_is_not_over_optimized(rows: Any) -> None:
    before, after = marked(rows, hint=[0] * 12), marked(rows, hint=[1] * 12)
    report = wai.delta_report(before, after, proxy="hint", run_std={"hint": 0.9})
    assert (report["over_optimized"], report["proxy_verdict"]) == (False, "moved")


def test_intervals_are_turned_before_proxy_and_target_are_held_apart(rows: Any) -> None:
    before = rows([1] * 12, markers={"refusal": [1.0] * 12})
    after = rows([3] * 12, markers={"refusal": [0.25] * 12})
    report = wai.delta_report(before, after, target="pass_at_1", proxy="refusal")
    assert report["proxy_ci95"] == (-0.75, -0.75)
    assert report["over_optimized"]


def test_guards_that_guard_nothing_stand_right_after_the_headline(rows: Any) -> None:
    before, after = marked(rows, safe=[1] * 12, brief=HIGH), marked(rows, safe=[1] * 12)
    report = wai.delta_report(before, after, must_not_regress=["saef", "safe", "polite,safe", "brief"])
    assert report["unmeasured_guards"] == ["marker:saef", "marker:polite,safe", "marker:brief"]
    assert report["ok"]
    said = " ".join(str(report).replace("\n  ", " ").splitlines()[1:2])
    assert said == (
        "guards: marker:saef was not measured (did you mean marker:safe?); marker:polite,safe was not measured (one "
        "name with a comma: pass polite and safe apart); marker:brief was not measured (only the before side carries "
        "it); marker:safe cannot fail (every row holds 1)"
    )


def test_a_guard_that_just_failed_is_not_said_to_be_unable_to(rows: Any) -> None:
    report = wai.delta_report(marked(rows, safe=[1] * 12), marked(rows, safe=[0] * 12), must_not_regress="safe")
    assert "cannot fail" not in str(report)
    assert "guard marker:safe: each side holds one value (1.000 before, 0.000 after)" in "\n".join(report["warnings"])


def test_a_guard_of_one_value_over_too_few_tasks_says_both(rows: Any) -> None:
    side = rows([2] * 6, markers={"safe": [1] * 6})
    said = "\n".join(wai.delta_report(side, side, must_not_regress="safe", alpha=0.01)["warnings"])
    assert "6 tasks cannot reach a verdict at level 0.99, 7 are the least; every row holds 1" in said


@pytest.mark.parametrize(("name", "fell"), [("safe", [1] * 12), ("refusal", [0] * 12)])
def test_a_guard_that_fell_inside_its_band_is_warned_about(rows: Any, name: str, fell: list[float]) -> None:
    before, after = marked(rows, **{name: fell}), marked(rows, **{name: [0, 1] * 6})
    report = wai.delta_report(before, after, must_not_regress=name, run_std=0.3)
    assert report["ok"]
    way = "rose +0.500 inside the band of 0.832: the gate cannot see rises"
    way = way if name == "refusal" else "fell -0.500 inside the band of 0.832: the gate cannot see drops"
    assert f"guard marker:{name} {way} under it" in "\n".join(report["warnings"])


@pytest.mark.parametrize(
    ("measured", "said"),
    [
        (3, "guard marker:safe: fewer than 5 shared tasks (3): unpaired task means, a weaker test (a is before"),
        (10, "guard marker:safe: most tasks unpaired: 30 tasks only in a and 0 only in b were dropped"),
    ],
)
@pytest.mark.parametrize("target", [None, "pass_at_1"])
def test_a_guard_measured_on_few_after_tasks_is_warned_about(rows: Any, measured: int, said: str, target: Any) -> None:
    safe = [1, 0, 1, 1] * 10
    before = rows([1] * 40, markers={"safe": safe})
    after = rows([3] * 40, markers={"safe": [*safe[:measured], *[None] * (40 - measured)]})
    report = wai.delta_report(before, after, target, must_not_regress="safe", run_std=0.01, run_std_runs=5)
    assert any(warning.startswith(said) for warning in report["warnings"])


def test_metrics_whose_tasks_are_unpaired_alike_share_one_warning(rows: Any) -> None:
    before, after = rows([1] * 12, markers={"safe": LOW}), rows([3] * 9, markers={"safe": LOW[:9]})
    warnings = wai.delta_report(before, after, must_not_regress=["safe", "pass_at_1"])["warnings"]
    noted = [warning for warning in warnings if "only in a" in warning]
    assert len(noted) == 1
    assert noted[0].startswith("pass_at_1, guard marker:safe: 3 tasks only in a and 0 only in b were dropped")
