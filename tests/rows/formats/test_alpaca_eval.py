import pytest

from whileai.simulations.rows.formats import alpaca_eval
from whileai.simulations.rows.source import Source

PAIR = {
    "instruction": "Name 2 things that float.",
    "output_1": "Stones.",
    "generator_1": "base_model",
    "output_2": "Corks and leaves.",
    "generator_2": "shop-7b",
    "annotator": "weighted_alpaca_eval",
}


def row(preference):
    return alpaca_eval.to_rows({**PAIR, "preference": preference}, Source("annotations.json"))[0]


@pytest.mark.parametrize(
    ("preference", "reward"), [(1, 0), (1.0, 0), (2.0, 1), (1.5, 0.5), (0.0, 0.5), (0, 0.5), (1.25, 0.25)]
)
def test_the_reward_is_the_win_share_of_the_second_answer(preference, reward):
    assert row(preference)["reward"] == reward


@pytest.mark.parametrize("preference", [None, float("nan")])
def test_a_verdict_that_could_not_be_read_is_unscored(preference):
    read = row(preference)
    assert read["reward"] is None
    assert read["judge_status"] == "invalid_result"


def test_a_preference_outside_one_to_two_is_kept_but_is_no_reward():
    assert row(3)["reward"] is None
    assert row(3)["judge_meta"] == {"raw_reward": 3}


def test_the_row_is_the_models_answer_with_the_other_side_carried():
    read = row(2.0)
    assert (read["prompt"], read["final_text"]) == ("Name 2 things that float.", "Corks and leaves.")
    assert (read["model_version"], read["judge_name"]) == ("shop-7b", "weighted_alpaca_eval")
    assert (read["output_1"], read["generator_1"]) == ("Stones.", "base_model")


def test_outputs_before_annotation_have_no_reward():
    record = {"dataset": "made", "instruction": "Name a prime.", "output": "7", "generator": "shop-7b"}
    (read,) = alpaca_eval.to_rows(record, Source("model_outputs.json"))
    assert (read["final_text"], read["model_version"], read["reward"]) == ("7", "shop-7b", None)
    assert "judge_status" not in read
