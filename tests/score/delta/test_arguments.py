from __future__ import annotations

import math

import pytest

import whileai.simulations as wai
from whileai.simulations.score.delta.arguments import metric_keys

ROWS = [{"task_id": t, "reward": 1} for t in range(6)]


@pytest.mark.parametrize(
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
