"""Several judges on the same rows."""

from __future__ import annotations

import copy
import json
import threading
import time
from typing import Any

import pytest

from whileai.simulations.score.judging import JudgeComparison, compare_judges, run_judge

Row = dict[str, Any]


def gold(n: int = 40, kind: str = "human") -> list[Row]:
    return [
        {"id": i, "final_text": "Done." if i % 2 else "", "gold_reward": i % 2, "gold_kind": kind} for i in range(n)
    ]


def right(row: Row) -> bool:
    return bool(row["final_text"])


def mostly(row: Row) -> bool:
    return right(row) or row["id"] < 8


def wrong(row: Row) -> int:
    return 1 - right(row)


def silent(row: Row) -> None:
    return None


def unsure(row: Row) -> Row:
    return {"reward": int(right(row)), "unsure": row["id"] < 3}


def test_the_best_by_kappa_comes_first_and_the_unknown_last() -> None:
    found = compare_judges(gold(), [silent, wrong, mostly, right])
    assert found.names == ["right", "mostly", "wrong", "silent"]
    assert [score.ok for score in found] == [True, False, False, False]
    assert found.best.name == "right"
    assert (found["silent"].unjudged, found["silent"].ci95, found["silent"].kappa) == (40, None, None)
    assert (found["wrong"].leak, found["wrong"].miss, found["mostly"].leak) == (1.0, 1.0, 0.2)


def test_wilson_worked_by_hand() -> None:
    # 40 of 40: z^2 = 3.8415, lower end 40 / (40 + 3.8415)
    score = compare_judges(gold(), {"r": right}).best
    assert score.ci95 == (round(40 / 43.8415, 4), 1.0)
    assert score.lower_bound == score.ci95[0]


def test_unsure_rows_are_counted() -> None:
    assert compare_judges(gold(), {"u": unsure}).best.unsure == 3


def test_repeated_names_are_told_apart() -> None:
    assert sorted(compare_judges(gold(), [right, right, wrong, right]).names) == [
        "right",
        "right#2",
        "right#3",
        "wrong",
    ]


def test_labels_of_a_model_make_no_judge_ok_unless_allowed() -> None:
    assert compare_judges(gold(kind="model"), {"r": right}).best.ok is False
    allowed = compare_judges(gold(kind="model"), {"r": right}, allow_model_gold=True)
    assert (allowed.best.ok, allowed.gold_kind) == (True, "model")


@pytest.mark.parametrize(
    ("rows", "judges", "word"), [([], [right], "rows"), (gold(), {}, "judge"), (gold(), [], "judge")]
)
def test_nothing_to_compare_is_refused(rows: list[Row], judges: Any, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        compare_judges(rows, judges)


@pytest.mark.parametrize("judges", [["gpt-4o"], {"a": "no such:thing"}, [7]])
def test_a_judge_that_names_no_model_is_refused(judges: Any) -> None:
    with pytest.raises(ValueError, match="openai"):
        compare_judges(gold(), judges)


def test_an_unknown_name_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="right"):
        compare_judges(gold(), [right])["left"]


def test_rows_stay_as_they_were_and_scores_hold_copies() -> None:
    rows = gold()
    before = copy.deepcopy(rows)
    found = compare_judges(rows, [right])
    assert rows == before
    assert found.best.rows[1]["judge_name"] == "right"


def test_as_plain_values_and_as_a_table() -> None:
    found = run_judge(gold(), right).compare_judges({"a": right, "b\x1b[2J": wrong})
    assert isinstance(found, JudgeComparison)
    plain = json.loads(json.dumps(found.to_dict()))
    assert (plain["best"], plain["n_rows"], plain["gold_kind"], len(plain["judges"])) == ("a", 40, "human", 2)
    assert plain["floors"] == {"agreement": 0.8, "kappa": 0.6}
    lines = str(found).splitlines()
    assert lines[2].split()[0] == "a"
    assert "\x1b" not in str(found)


def test_a_judge_that_failed_says_why_and_not_to_grade_the_rows() -> None:
    def down(row: Row) -> int:
        raise ConnectionError("401: check the key")

    def at_times(row: Row) -> Any:
        return 7 if row["id"] < 3 else right(row)

    rows = [{**row, "reward": 1, "reason": "policy missed"} for row in gold()]
    found = compare_judges(rows, {"down": down, "at times": at_times, "right": right})
    assert found["down"].warnings == [
        "no verdict on 40 of 40 rows; the first: error: ConnectionError: 401: check the key"
    ]
    assert found["at times"].warnings[0].startswith("no verdict on 3 of 40 rows; the first: invalid_result: reward_out")
    assert not any("verdict" in line for line in [*found["right"].warnings, *found.warnings])
    without_gold = [{key: value for key, value in row.items() if key != "gold_reward"} for row in rows]
    assert "attach_labels" in compare_judges(without_gold, {"down": down}).best.warnings[1]


def test_a_judge_that_hangs_costs_its_rows_and_no_more() -> None:
    def hangs(row: Row) -> bool:
        if row["id"] == 5:
            threading.Event().wait(5)
        return right(row)

    start = time.monotonic()
    score = compare_judges(gold(), {"hangs": hangs}, timeout=0.2).best
    assert (score.unjudged, score.n, time.monotonic() - start < 3) == (1, 39, True)
    assert "timeout" in score.warnings[0]


def test_what_is_warned_of_several_judges_is_said_once_with_their_names(caplog: pytest.LogCaptureFixture) -> None:
    said = str(compare_judges(gold(), {"a": right, "b": lambda row: 1, "none": silent}))
    assert said.count("only 40 labels") == 1
    assert "! a, b: only 40 labels" in said
    assert not caplog.records
