import pytest

from whileai.simulations.rows.formats import humaneval
from whileai.simulations.rows.source import Source


@pytest.mark.parametrize(("passed", "reward"), [(True, 1), (False, 0)])
def test_passed_is_the_reward(passed, reward):
    record = {"task_id": "HumanEval/0", "completion": "    return 1", "result": "passed", "passed": passed}
    (row,) = humaneval.to_rows(record, Source("samples.jsonl_results.jsonl"))
    assert row["reward"] == reward
    assert row["final_text"] == "    return 1"
    assert row["result"] == "passed"


def test_samples_before_evaluation_are_unscored_and_have_no_prompt():
    (row,) = humaneval.to_rows({"task_id": "test/0", "completion": "    return 1"}, Source("samples.jsonl"))
    assert (row["reward"], row["prompt"], row["task_id"]) == (None, "", "test/0")


def test_the_attempt_is_the_place_in_the_file():
    source = Source("samples.jsonl")
    rows = [
        humaneval.to_rows({"task_id": task, "completion": "x"}, source)[0]["rollout_index"]
        for task in ("test/0", "test/0", "test/1", "test/0")
    ]
    assert rows == [0, 1, 0, 2]


@pytest.mark.parametrize("key", ["prompt", "messages", "reward", "example_id"])
def test_a_record_with_more_than_a_completion_is_of_another_kind(key):
    assert not humaneval.sniff({"task_id": "a", "completion": "b", key: None})
