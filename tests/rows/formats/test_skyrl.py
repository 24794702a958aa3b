from __future__ import annotations

import pytest

from whileai.simulations.rows.formats import recognise
from whileai.simulations.rows.formats.skyrl import NAME, to_rows
from whileai.simulations.rows.source import Source

ASKED = (
    "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nStatus of order 9?<|im_end|>\n<|im_start|>assistant\n"
)


def read(said="Lost.<|im_end|>", score=1.0, stop="stop", **more):
    record = {"input_prompt": ASKED, "output_response": said, "score": score, "stop_reason": stop, **more}
    assert recognise(record).NAME == NAME
    (row,) = to_rows(record, Source("shop.jsonl"))
    return row


def test_marks_are_read_and_the_environment_is_carried():
    row = read(env_class="shop", env_extras={"x": 1}, data_source="shop/support")
    assert (row["prompt"], row["final_text"], row["finish_reason"]) == ("Status of order 9?", "Lost.", "stop")
    assert (row["env_class"], row["env_extras"], row["data_source"]) == ("shop", {"x": 1}, "shop/support")


@pytest.mark.parametrize(
    ("score", "reward"), [(0.25, 0.25), ([0.0, 0.0, 0.75], 0.75), ([0.1] * 10, 1.0), ([], None), (None, None)]
)
def test_a_list_of_token_rewards_is_summed(score, reward):
    row = read(score=score)
    assert row["reward"] == reward
    assert row["score"] == score


def test_a_list_with_a_hole_is_unscored_not_summed():
    row = read(score=[0.5, None])
    assert (row["reward"], row["judge_status"]) == (None, "invalid_result")


def test_a_cut_off_reply():
    assert read("Lo", stop="length")["finish_reason"] == "length"


@pytest.mark.parametrize("stop", ["abort", "timeout"])
def test_any_other_stop_is_an_error_whose_score_is_kept(stop):
    row = read("", score=[0.0], stop=stop)
    assert (row["finish_reason"], row["error"], row["reward"], row["final_text"]) == ("error", stop, 0.0, "")
    assert row["stop_reason"] == stop


def test_metrics_are_no_rows():
    with pytest.raises(ValueError, match="no known format"):
        recognise({"eval/shop/avg_score": 0.5, "eval/shop/pass_at_2": 0.5})
