from __future__ import annotations

import json
import math

import pytest

from whileai.simulations.score.overview import Overview, overview, why_ungraded


def rows(spec: dict[str, list[object]]) -> list[dict]:
    return [{"task_id": task, "reward": reward} for task, rewards in spec.items() for reward in rewards]


def test_every_row_is_counted_once() -> None:
    report = overview(rows({"a": [1, 0, 0.5, None], "b": [True, "x"], "c": []}))
    counts = [report[key] for key in ("rows", "passed", "failed", "partial", "ungraded")]
    assert counts == [6, 1, 1, 1, 3]
    assert report["graded"] + report["ungraded"] == report["rows"]
    assert sum(report["ungraded_why"].values()) == report["ungraded"]


def test_tasks_fall_into_the_bins_of_their_pass_rate() -> None:
    spec = {"never": [0] * 10, "hard": [1] + [0] * 9, "low edge": [1, 1] + [0] * 8, "high edge": [1] * 8 + [0, 0]}
    report = overview(rows({**spec, "easy": [1] * 9 + [0], "always": [1] * 10}))["difficulty"]
    assert [entry["n"] for entry in report["bins"]] == [1, 1, 1, 0, 1, 1, 1]
    assert report["n_in_band"] == 2


def test_draw_sizes_asked_for_are_given_below_the_usual_four() -> None:
    report = overview(rows({t: [1, 1, 0, 0] for t in "abc"}), [2, 3])
    assert [draw["k"] for draw in report["k_way"]] == [2, 3]
    assert report["k_way"][0]["pass_pow_k"] == pytest.approx(1 / 6)


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({}, "no reward key"),
        ({"reward": None}, "reward is null"),
        ({"reward": True}, "reward is a boolean, not a number"),
        ({"reward": math.nan}, "reward is nan"),
        ({"reward": "great"}, "reward is str, not a number"),
        ({"reward": None, "judge_status": "timeout"}, "judge status timeout"),
        ({"qwen_reward": None, "judge_status": "ok"}, "qwen_reward is null"),
    ],
)
def test_an_ungraded_row_says_why(row: dict, why: str) -> None:
    assert why_ungraded(row) == why


def test_what_is_missing_names_rows_without_a_task() -> None:
    assert any("count as one task" in line for line in overview([{"reward": 1}, {"reward": 0}])["missing"])


def test_what_is_missing_names_settings_the_rows_disagree_on() -> None:
    mixed = [{"task_id": t, "reward": 1, "policy_version": v} for t in "abc" for v in ("m@1", "m@2")]
    assert any("disagree on policy_version" in line for line in overview(mixed)["missing"])


def test_block_fits_a_hundred_columns_and_obeys_no_escape_sequence() -> None:
    hostile = "\x1b[2J" + "m" * 200
    text = str(
        overview(
            [{"task_id": t, "reward": 1, "markers": {hostile: v}} for t, v in zip("abcd", [0, 1, 1, 0], strict=True)]
        )
    )
    assert max(map(len, text.splitlines())) <= 100
    assert "\x1b" not in text


def test_nothing_at_all_is_said_not_raised() -> None:
    report = overview([])
    assert report["rows"] == 0
    assert "no row has a 0/1 reward" in str(report)


def test_report_is_plain_json() -> None:
    report = overview(rows({t: [1, 0, 1, 0.5, None] for t in "abcd"}))
    assert json.loads(json.dumps(report)) == report


def test_batches_give_what_one_list_gives() -> None:
    given = rows({t: [1, 0, 1, None] for t in "abcdef"})
    gathered = Overview()
    for start in range(0, len(given), 5):
        gathered.add(given[start : start + 5])
    assert gathered.report() == overview(given)
