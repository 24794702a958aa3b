from __future__ import annotations

import math
import re
from typing import Any

import pytest

import whileai.simulations as wai
from tables import each_of
from whileai.simulations.score.delta.arguments import metric_keys

ROWS = [{"task_id": t, "reward": 1} for t in range(6)]


@each_of(
    ("given", "named"),
    [
        ({"alpha": 0}, "alpha"),
        ({"alpha": "0.05"}, "alpha"),
        ({"alpha": True}, "alpha"),
        ({"power": 1.0}, "power"),
        ({"power": math.nan}, "power"),
        ({"ceiling_pass_rate": None}, "ceiling_pass_rate"),
        ({"answered_gap_points": -0.1}, "answered_gap_points"),
        ({"answered_alpha": math.inf}, "answered_alpha"),
        ({"n_boot": 0}, "n_boot"),
        ({"n_boot": 10.5}, "n_boot"),
        ({"seed": -1}, "seed"),
        ({"target": 5}, "target"),
        ({"target": ""}, "target"),
        ({"proxy": ["a"]}, "proxy"),
        ({"must_not_regress": 3}, "must_not_regress"),
        ({"must_not_regress": [None]}, "must_not_regress"),
        ({"markers": [1]}, "markers"),
        ({"by": 3}, "by"),
        ({"by": ""}, "by"),
        ({"run_std": math.inf}, "run_std"),
        ({"run_std": True}, "run_std"),
        ({"run_std": {"pass_at_1": "0.1"}}, "run_std"),
        ({"run_std": 0.1, "run_std_runs": 1}, "run_std_runs"),
        ({"run_std_runs": 3}, "run_std"),
        ({"lower_is_better": {"a": 1}}, "lower_is_better"),
        ({"lower_is_better": 4}, "lower_is_better"),
        ({"train_runs": "rows"}, "train_runs"),
        ({"train_runs": []}, "train_runs"),
        ({"train_runs": ROWS}, "train_runs"),
        ({"train_runs": [5]}, "train_runs"),
        ({"train_runs": {"after": [ROWS]}}, "train_runs"),
        ({"train_runs": {"before": None, "after": None}}, "train_runs"),
        ({"train_runs": {"before": [], "after": [ROWS]}}, "train_runs"),
    ],
)
def test_a_bad_argument_is_refused_by_name_in_one_line(given: dict, named: str) -> None:
    with pytest.raises(ValueError, match=named) as refused:
        wai.delta_report(ROWS, ROWS, **given)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("rows", [None, 5, "runs.jsonl", {"task_id": "a"}])
def test_a_side_that_is_no_iterable_of_rows_is_named(rows: object) -> None:
    with pytest.raises(ValueError, match="after"):
        wai.delta_report(ROWS, rows)


def test_a_lone_text_is_one_name_and_never_its_letters() -> None:
    assert metric_keys("must_not_regress", "safe") == ["marker:safe"]
    assert metric_keys("markers", ["a", "marker:a", "pass_at_1"]) == ["marker:a", "pass_at_1"]


@pytest.mark.parametrize("floor", [1e200, 1.1e70, 10**400])
@pytest.mark.parametrize("key", [None, "m"])
def test_a_floor_too_large_to_compute_with_is_refused_by_name(rows: Any, floor: float, key: str | None) -> None:
    sides = [rows([1] * 12, markers={"m": [sign * 1e70] * 12}) for sign in (1, -1)]
    with pytest.raises(ValueError, match=r"run_std must be" if key is None else r"run_std\['m'\] must be"):
        wai.delta_report(*sides, "m", run_std=floor if key is None else {key: floor})


@pytest.mark.parametrize("n", [4, 12])
@pytest.mark.parametrize("run_std", [None, 1e70])
def test_the_largest_markers_and_floor_there_may_be_give_a_report(rows: Any, n: int, run_std: float | None) -> None:
    values = [1e70 * (-1) ** i for i in range(n)]
    before, after = rows([1] * n, markers={"m": values}), rows([1] * n, start=n, markers={"m": values[::-1]})
    report = wai.delta_report(before, after, "m", run_std=run_std)
    assert not report["metrics"]["marker:m"]["paired"]
    assert str(report)


@pytest.mark.parametrize(
    ("run_std", "said"),
    [
        ({"pass@1": 0.01}, "run_std names 'marker:pass@1', which is not compared; these are: pass_at_1, marker:m"),
        ({"pass_at_1": 0.01, "nope": None}, "run_std names 'marker:nope', which is not compared"),
        ({}, "run_std is an empty mapping"),
        ({"m": 0.1, "marker:m": 0.2}, "run_std names 'marker:m' twice, as 'm' and as 'marker:m'"),
    ],
)
def test_a_run_std_key_that_names_nothing_or_one_metric_twice_is_refused(rows: Any, run_std: Any, said: str) -> None:
    side = rows([1] * 6, markers={"m": [1] * 6})
    with pytest.raises(ValueError, match=re.escape(said)):
        wai.delta_report(side, side, run_std=run_std)


def test_a_direction_given_twice_is_refused_and_an_unknown_one_lists_escaped_names(rows: Any) -> None:
    side = rows([1] * 6, markers={"a\nb": [1] * 6})
    with pytest.raises(ValueError, match="lower_is_better names 'marker:m' twice"):
        wai.delta_report(side, side, lower_is_better={"m": True, "marker:m": False})
    with pytest.raises(ValueError, match="not compared") as refused:
        wai.delta_report(side, side, lower_is_better="m")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("alpha", [1e-17, 1e-16, 5e-324])
def test_an_alpha_that_leaves_no_room_under_level_1_is_refused_by_its_own_name(alpha: float) -> None:
    with pytest.raises(ValueError, match="alpha is too small"):
        wai.delta_report(ROWS, ROWS, alpha=alpha)
    assert wai.delta_report(ROWS, ROWS, alpha=1e-15)["level"] < 1
