import pytest

from whileai.simulations.rows.formats import evalplus
from whileai.simulations.rows.source import Source


def rows(attempts, source=None):
    record = {"date": "2026-11-01 10:00", "hash": "00", "eval": {"HumanEval/0": attempts}, "pass_at_k": {"base": {}}}
    return evalplus.to_rows(record, source or Source("eval_results.json"))


def attempt(base, plus):
    return {"task_id": "HumanEval/0", "solution": "def f(): ...", "base_status": base, "plus_status": plus}


@pytest.mark.parametrize(
    ("base", "plus", "reward", "markers"),
    [
        ("pass", "pass", 1, {"base": 1, "plus": 1}),
        ("pass", "fail", 0, {"base": 1, "plus": 0}),
        ("timeout", "timeout", 0, {"base": 0, "plus": 0}),
        ("pass", None, 1, {"base": 1}),
        ("fail", None, 0, {"base": 0}),
    ],
)
def test_the_reward_needs_both_sets_of_tests_and_the_base_alone_where_plus_was_not_run(base, plus, reward, markers):
    (row,) = rows([attempt(base, plus)])
    assert (row["reward"], row["markers"]) == (reward, markers)


def test_a_missing_or_unknown_verdict_is_null_never_zero():
    unrun, unknown = rows([attempt(None, None), attempt("pass", "skipped")])
    assert unrun["reward"] is None
    assert "judge_status" not in unrun
    assert unknown["reward"] is None
    assert (unknown["judge_status"], unknown["judge_meta"]) == ("invalid_result", {"raw_reward": "skipped"})


def test_attempts_keep_their_order_and_tests_that_failed_are_carried():
    first, second = rows([attempt("pass", "pass"), {**attempt("fail", "fail"), "plus_fail_tests": [[2]]}])
    assert (first["rollout_index"], second["rollout_index"]) == (0, 1)
    assert second["plus_fail_tests"] == [[2]]


def test_what_holds_for_the_file_is_a_fact_and_not_on_rows():
    source = Source("eval_results.json")
    (row,) = rows([attempt("pass", "pass")], source)
    assert source.facts == {"date": "2026-11-01 10:00", "hash": "00", "pass_at_k": {"base": {}}}
    assert "pass_at_k" not in row


@pytest.mark.parametrize("count", ["nfiles", "files"])
def test_the_oldest_layout_is_refused_with_a_hint(count):
    with pytest.raises(ValueError, match=r"HumanEval/0.*oldest EvalPlus layout.*evaluate the samples again"):
        rows({count: 2, "base": [["pass", []]]})
