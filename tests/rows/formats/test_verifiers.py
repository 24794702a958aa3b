import json

import pytest

from whileai.simulations.rows import text
from whileai.simulations.rows.formats import verifiers
from whileai.simulations.rows.source import Source

PROMPT = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Orders 22 and 23?"}]


def envelope(call_id, arguments, *, flat):
    body = {"name": "get_order", "arguments": json.dumps(arguments)}
    return json.dumps({"id": call_id, **body} if flat else {"id": call_id, "type": "function", "function": body})


def completion(*, flat, ids):
    calls = [envelope(call_id, {"order_id": order}, flat=flat) for call_id, order in (("c1", "22"), ("c2", "23"))]
    results = (
        [("c2", "23 is packed"), ("c1", "22 is on its way")]
        if ids
        else [("", "22 is on its way"), ("", "23 is packed")]
    )
    return [
        {"role": "assistant", "content": "Checking.", "tool_calls": calls},
        *(
            {"role": "tool", "content": said, "tool_calls": None} | ({"tool_call_id": call} if ids else {})
            for call, said in results
        ),
        {"role": "assistant", "content": "Both come.", "tool_calls": None},
    ]  # fmt: skip


def record(**changes):
    return {
        "example_id": 1, "prompt": PROMPT, "completion": completion(flat=True, ids=True), "reward": 0.5, "error": None,
        "is_completed": True, "is_truncated": False, "stop_condition": "no_tools_called", **changes,
    }  # fmt: skip


def old_record(**changes):
    return {
        "example_id": 1, "prompt": PROMPT, "completion": completion(flat=False, ids=False), "task": "shop",
        "reward": 0.5, "error": None, "generation_ms": 1200.0, "scoring_ms": 3.5, "total_ms": 1203.5, "answer": "yes",
        "info": {}, **changes,
    }  # fmt: skip


def row(made, source=None):
    return verifiers.to_rows(made, source or Source("results.jsonl"))[0]


def answers(made):
    return [(call.arguments["order_id"], call.result) for call in text.calls(row(made))]


def test_calls_are_json_texts_and_results_bind_by_id_in_any_order():
    assert answers(record()) == [("22", "22 is on its way"), ("23", "23 is packed")]


def test_results_of_0_1_9_have_lost_their_id_and_bind_in_order():
    assert answers(old_record()) == [("22", "22 is on its way"), ("23", "23 is packed")]


def test_the_row_number_is_the_task_not_the_name_of_the_environment():
    read = row(old_record())
    assert (read["task_id"], read["prompt"], read["final_text"]) == ("1", "Orders 22 and 23?", "Both come.")
    assert read["task"] == "shop"


def test_metrics_are_markers_once_though_the_file_repeats_them():
    read = row(record(metrics={"exact": 1.0, "turns": 5.0}, exact=1.0, turns=5.0))
    assert read["markers"] == {"exact": 1.0, "turns": 5.0}
    assert "exact" not in read


def test_without_metrics_every_numeric_column_not_known_is_one():
    assert row(old_record(exact=0.0, format_ok=1, note="late", flag=True))["markers"] == {"exact": 0.0, "format_ok": 1}


def test_columns_saved_from_the_state_are_no_metrics(tmp_path):
    (tmp_path / "metadata.json").write_text(json.dumps({"state_columns": ["seed"]}))
    read = row(old_record(exact=0.0, seed=17), Source("results.jsonl", tmp_path / "results.jsonl"))
    assert read["markers"] == {"exact": 0.0}
    assert read["seed"] == 17


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ({"error": "TimeoutError", "message": "no answer"}, "no answer"),
        ("RuntimeError('gone')", "RuntimeError('gone')"),
    ],
)
def test_a_failed_rollout_is_unscored_and_its_filler_is_kept(error, said):
    read = row(record(error=error, reward=0.0, is_truncated=True))
    assert (read["reward"], read["finish_reason"], read["judge_status"]) == (None, "error", "error")
    assert read["error"] == said
    assert read["judge_meta"] == {"raw_reward": 0.0}


def test_a_rollout_that_failed_before_its_first_turn_has_only_its_prompt():
    read = row(record(error="RuntimeError('gone')", completion=None, reward=None))
    assert (read["prompt"], read["final_text"], read["reward"]) == ("Orders 22 and 23?", "", None)
    assert "judge_meta" not in read


def test_truncation_is_length_and_another_stop_keeps_its_word():
    assert row(record(is_truncated=True))["finish_reason"] == "length"
    assert row(record())["finish_reason"] == "no_tools_called"


def test_a_missing_reward_is_null():
    assert row(record(reward=float("nan")))["reward"] is None


def test_what_the_run_was_made_with_comes_from_metadata_json(tmp_path):
    run = {"model": "shop-7b", "sampling_args": {"temperature": 0.8, "max_tokens": 512, "n": 1}, "avg_reward": 0.5}
    (tmp_path / "metadata.json").write_text(json.dumps(run))
    source = Source("results.jsonl", tmp_path / "results.jsonl")
    read = row(record(), source)
    assert read["model_version"] == "shop-7b"
    assert read["sampling"] == {"temperature": 0.8, "max_tokens": 512, "model": "shop-7b"}
    assert source.facts == run
    assert "avg_reward" not in read


def test_logprobs_are_those_of_generated_tokens_turn_by_turn():
    turns = [
        {"tokens": {"completion_logprobs": [-0.1, -0.2], "completion_mask": [1, 0]}},
        {"tokens": None},
        {"tokens": {"completion_logprobs": [-0.3]}},
    ]
    assert row(record(trajectory=turns))["token_logprobs"] == [-0.1, -0.3]


def test_text_prompts_and_completions_are_turns_too():
    read = row(record(prompt="2+3?", completion="5"))
    assert (read["prompt"], read["final_text"]) == ("2+3?", "5")
