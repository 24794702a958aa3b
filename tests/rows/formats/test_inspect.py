import pytest

from tables import each_of
from whileai.simulations.rows import text
from whileai.simulations.rows.formats import inspect
from whileai.simulations.rows.source import Source

USER = {"role": "user", "content": "Where is order 5?"}
HASH = "0123456789abcdef0123456789abcdef"


def log(*samples, **changes):
    spec = {"task": "orders", "model": "mockllm/model", "scorers": [{"name": "shop/match"}]}
    return {"version": 2, "status": "success", "eval": spec, "plan": {}, "samples": list(samples), **changes}


def sample(**changes):
    made = {
        "id": 1, "epoch": 1, "input": "Where is order 5?", "target": "shipped", "uuid": "u1",
        "messages": [USER, {"role": "assistant", "content": "Shipped."}],
        "output": {"model": "m", "choices": [{"stop_reason": "stop"}]},
        "scores": {"match": {"value": "C", "answer": "shipped", "explanation": "same word", "history": []}},
    }  # fmt: skip
    return {name: value for name, value in {**made, **changes}.items() if value != "drop"}


def row(made=None, source=None, **header):
    return inspect.to_rows(log(made or sample(), **header), source or Source("log.json"))[0]


def scored(value, **score):
    return row(sample(scores={"match": {"value": value, **score}}))


# ---- rows


def test_a_sample_is_a_row_of_its_id_and_epoch():
    read = row(sample(id=7, epoch=3))
    assert (read["task_id"], read["rollout_index"], read["rollout_id"]) == ("7", 2, "u1")
    assert (read["prompt"], read["final_text"], read["target"]) == ("Where is order 5?", "Shipped.", "shipped")
    assert (read["reward"], read["judge_name"], read["reason"]) == (1, "match", "same word")
    assert read["judge_meta"] == {"answer": "shipped"}


def test_rows_come_by_epoch_and_id_and_int_ids_by_number():
    samples = [sample(id=name, epoch=epoch) for epoch in (2, 1) for name in (10, 9, 1)]
    rows = inspect.to_rows(log(*samples), Source("log.json"))
    assert [(r["rollout_index"], r["task_id"]) for r in rows] == [(e, i) for e in (0, 1) for i in ("1", "9", "10")]


def test_text_ids_come_by_text():
    rows = inspect.to_rows(log(*(sample(id=name) for name in ("9", "10", "b"))), Source("log.json"))
    assert [r["task_id"] for r in rows] == ["10", "9", "b"]


@pytest.mark.parametrize("samples", [[], None])
def test_a_log_without_samples_is_no_rows_and_no_error(samples):
    source = Source("log.json")
    assert inspect.to_rows({**log(), "samples": samples}, source) == []
    assert source.facts["status"] == "success"
    assert "samples" not in source.facts


def test_the_header_is_a_fact_of_the_file_and_not_on_rows():
    source = Source("log.json")
    read = row(source=source, results={"total_samples": 1})
    assert source.facts["results"] == {"total_samples": 1}
    assert "results" not in read


def test_a_list_input_gives_its_last_user_turn_and_stands_in_for_missing_messages():
    turns = [{"role": "system", "content": "Be brief."}, USER, {"role": "user", "content": "And order 6?"}]
    read = row(sample(input=turns, messages=[]))
    assert read["prompt"] == "And order 6?"
    assert [turn["role"] for turn in read["messages"]] == ["system", "user", "user"]


# ---- calls and content


def test_a_call_is_named_by_its_function_and_an_error_result_is_a_failed_call():
    messages = [
        USER,
        {"role": "assistant", "content": "Let me look.", "tool_calls": [
            {"id": "c1", "type": "function", "function": "lookup", "arguments": {"id": 5}},
            {"id": "c2", "type": "function", "function": "refund", "arguments": {}, "parse_error": "bad JSON"}]},
        {"role": "tool", "tool_call_id": "c2", "function": "refund", "content": "",
         "error": {"type": "timeout", "message": "took too long"}},
        {"role": "tool", "tool_call_id": "c1", "function": "lookup", "content": '{"status": "shipped"}'},
    ]  # fmt: skip
    read = row(sample(messages=messages))
    lookup, refund = text.calls(read)
    assert (lookup.name, lookup.arguments, lookup.result) == ("lookup", {"id": 5}, {"status": "shipped"})
    assert (refund.name, refund.failed) == ("refund", True)
    assert refund.result == {"error": "took too long", "status": "error"}
    assert read["messages"][1]["tool_calls"][1]["parse_error"] == "bad JSON"
    assert read["final_text"] == ""


def test_a_result_whose_call_was_cut_from_the_log_names_no_call_of_the_agent():
    result = {"role": "tool", "tool_call_id": "c9", "function": "bash", "content": "ok"}
    assert [call.name for call in text.calls(row(sample(messages=[result])))] == [""]


def test_a_server_side_call_holds_its_result_and_reasoning_is_not_the_reply():
    content = [
        {"type": "reasoning", "reasoning": "hm"},
        {
            "type": "tool_use",
            "tool_type": "web_search",
            "id": "s1",
            "name": "search",
            "arguments": '{"q": "5"}',
            "result": "x",
        },
    ]
    messages = [USER, {"role": "assistant", "content": content}, {"role": "assistant", "content": [
        {"type": "reasoning", "reasoning": "done"}, {"type": "text", "text": "Found."}]}]  # fmt: skip
    read = row(sample(messages=messages))
    assert [(call.name, call.arguments, call.result) for call in text.calls(read)] == [("search", {"q": "5"}, "x")]
    assert read["final_text"] == "Found."


def test_attachments_are_put_where_they_are_referred_to():
    made = sample(
        input=f"attachment://{HASH}",
        messages=[{"role": "user", "content": [{"type": "image", "image": f"attachment://{HASH}"}]}],
        events=[{"event": "info", "data": {"deep": [f"attachment://{HASH}"]}}],
        attachments={HASH: "a long text", "unused": "kept"},
    )
    read = row(made)
    assert read["prompt"] == "a long text"
    assert read["messages"][0]["content"][0]["image"] == "a long text"
    assert read["events"][0]["data"]["deep"] == ["a long text"]
    assert read["attachments"] == {"unused": "kept"}


def test_an_unknown_attachment_and_one_inside_other_words_stay():
    turns = [{"role": "user", "content": "attachment://ffff"}, {"role": "user", "content": f"see attachment://{HASH}"}]
    read = row(sample(messages=turns, attachments={HASH: "text"}))
    assert [turn["content"] for turn in read["messages"]] == ["attachment://ffff", f"see attachment://{HASH}"]


@pytest.mark.parametrize(
    "pool", [{"message_pool": [USER]}, {"events_data": {"messages": [USER], "calls": []}}], ids=["older", "newer"]
)
def test_messages_are_whole_where_events_refer_to_a_pool(pool):
    read = row(sample(events=[{"event": "model", "input": [], "input_refs": [[0, 1]]}], **pool))
    assert [turn["content"] for turn in read["messages"]] == ["Where is order 5?", "Shipped."]
    assert read["events"][0]["input_refs"] == [[0, 1]]
    assert pool.items() <= read.items()


# ---- scores


@each_of(
    ("value", "reward"),
    [("C", 1), ("P", 0.5), ("I", 0), ("N", 0), ("Yes", 1), ("TRUE", 1), ("no", 0), ("False", 0), ("0.25", 0.25),
     (True, 1), (False, 0), (3, 3), (-0.5, -0.5), ({"only": "C"}, 1), ([0.5], 0.5)],
)  # fmt: skip
def test_what_a_score_value_is_worth(value, reward):
    assert scored(value)["reward"] == reward


@pytest.mark.parametrize("letter", ["c", "E", "GRADE: C", ""])
def test_letters_and_words_nobody_explained_are_null_and_kept(letter):
    read = scored(letter)
    assert (read["reward"], read["judge_status"], read["judge_meta"]) == (
        None,
        "invalid_result",
        {"raw_reward": letter},
    )


@pytest.mark.parametrize("score", [{"reason": "grader_failed"}, {"metadata": {"unscored_reason": "grader_failed"}}])
def test_nan_is_deliberately_unscored(score):
    read = scored(float("nan"), **score)
    assert read["reward"] is None
    assert "judge_status" not in read
    assert read["judge_meta"]["unscored_reason"] == "grader_failed"


@pytest.mark.parametrize(
    ("value", "markers"),
    [
        ({"tone": "P", "steps": 2, "note": "?"}, {"match.tone": 0.5, "match.steps": 2}),
        ([1, 0], {"match.0": 1, "match.1": 0}),
    ],
)
def test_several_values_of_the_primary_scorer_are_markers_only(value, markers):
    read = scored(value)
    assert (read["reward"], read["markers"]) == (None, markers)
    assert "judge_status" not in read


def test_other_scorers_are_markers_and_never_stand_in_for_the_primary():
    read = row(sample(scores={"polite": {"value": True}, "rubric": {"value": {"tone": 0.25}}}))
    assert (read["reward"], read["judge_name"]) == (None, "match")
    assert read["markers"] == {"polite": 1, "rubric.tone": 0.25}


def test_the_primary_scorer_of_older_headers():
    spec = {"task": "t", "model": "m"}
    scores = {"other": {"value": "I"}, "match": {"value": "C"}}
    listed = row(sample(scores=scores), eval=spec, results={"scores": [{"name": "x", "scorer": "inspect_ai/match"}]})
    single = row(sample(scores=scores), eval=spec, results={"scorer": {"name": "match"}, "metrics": {}})
    unnamed = row(sample(scores=scores), eval=spec)
    assert [(r["judge_name"], r["reward"]) for r in (listed, single, unnamed)] == [
        ("match", 1),
        ("match", 1),
        ("other", 0),
    ]


def test_the_oldest_layout_has_one_score_a_transcript_and_a_sandbox_list():
    made = sample(
        scores="drop", uuid="drop", score={"value": "C", "explanation": "same"}, sandbox=["docker", "compose.yaml"],
        transcript={"events": [{"event": "info", "data": f"tc://{HASH}"}], "content": {HASH: "long"}},
    )  # fmt: skip
    read = row(made)
    assert (read["reward"], read["judge_name"], read["reason"]) == (1, "match", "same")
    assert read["events"] == [{"event": "info", "data": "long"}]
    assert read["sandbox"] == ["docker", "compose.yaml"]
    assert read["rollout_id"] == "1_epoch_1"


# ---- how it ended


@pytest.mark.parametrize(
    ("reason", "finish"),
    [("stop", "stop"), ("max_tokens", "length"), ("model_length", "length"), ("tool_calls", "tool"),
     ("content_filter", "content_filter"), ("unknown", "unknown")],
)  # fmt: skip
def test_the_stop_reason_of_the_last_generation(reason, finish):
    assert row(sample(output={"choices": [{"stop_reason": reason}]}))["finish_reason"] == finish


@pytest.mark.parametrize("kind", ["context", "time", "working", "message", "token", "turn", "cost"])
def test_a_limit_that_was_reached_is_length_and_the_score_stays(kind):
    read = row(sample(limit={"type": kind, "limit": 9.0}))
    assert (read["finish_reason"], read["reward"], read["limit"]["type"]) == ("length", 1, kind)


@pytest.mark.parametrize("kind", ["operator", "custom"])
def test_a_run_stopped_by_hand_is_a_failed_run(kind):
    read = row(sample(limit={"type": kind, "limit": 1.0}))
    assert (read["finish_reason"], read["reward"], read["judge_meta"]["raw_reward"]) == ("error", None, 1)


def test_a_generation_that_failed_is_a_failed_run():
    read = row(sample(output={"choices": [{"stop_reason": "error"}], "error": "no capacity"}))
    assert (read["finish_reason"], read["reward"], read["error"]) == ("error", None, "no capacity")


def test_an_errored_sample_is_unscored_and_keeps_its_error():
    error = {"message": "sandbox went away", "traceback": "..."}
    read = row(sample(error=error, scores={}, limit={"type": "time", "limit": 1}))
    assert (read["reward"], read["finish_reason"], read["judge_status"]) == (None, "error", "error")
    assert (read["error"], read["source_error"]) == ("sandbox went away", error)


# ---- model and settings


def test_settings_of_the_plan_win_over_the_models_and_those_of_a_generation_over_both():
    spec = {"task": "t", "model": "m", "model_generate_config": {"temperature": 0.0, "max_tokens": 64}}
    plan = {"config": {"max_tokens": 128}}
    events = [{"event": "model", "model": "grader", "config": {"temperature": 1.0}},
              {"event": "model", "model": "m", "config": {"temperature": 0.5, "max_tokens": None}}]  # fmt: skip
    assert row(eval=spec, plan=plan)["sampling"] == {"temperature": 0.0, "max_tokens": 128, "model": "m"}
    read = row(sample(events=events), eval=spec, plan=plan)
    assert read["sampling"] == {"temperature": 0.5, "max_tokens": 128, "model": "m"}


def test_logprobs_are_those_of_the_last_generation():
    choice = {
        "stop_reason": "stop",
        "logprobs": {"content": [{"token": "a", "logprob": -0.5}, {"token": "b", "logprob": -1.5}]},
    }
    assert row(sample(output={"choices": [choice]}))["token_logprobs"] == [-0.5, -1.5]
