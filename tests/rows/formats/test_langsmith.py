import pytest

from whileai.simulations.rows import text
from whileai.simulations.rows.formats import langsmith, recognise
from whileai.simulations.rows.formats.langsmith_runs import Runs
from whileai.simulations.rows.source import Source

ASKED = {"messages": [{"type": "human", "data": {"content": "Where is order 17?"}}]}
CALL = {"name": "get_order", "args": {"id": 17}, "id": "c1"}


def ai(content, **data):
    return {"type": "ai", "data": {"content": content, **data}}


def run(**changes):
    return {
        "id": "r1",
        "run_type": "chain",
        "inputs": ASKED,
        "outputs": {"messages": [ai("Packed.")]},
        "trace_id": "r1",
        **changes,
    }


def step(run_id, kind="tool", second=1, **changes):
    start = f"2026-11-01T10:00:0{second}Z"
    return {"id": run_id, "run_type": kind, "parent_run_id": "r1", "trace_id": "r1", "start_time": start, **changes}


def model_call(run_id, second, asked, answer):
    return step(
        run_id,
        "llm",
        second,
        inputs={"messages": [asked]},
        outputs={"generations": [[{"text": "", "message": answer}]]},
    )


def read(*records):
    source = Source("runs.jsonl")
    return [row for whole in langsmith.gather(records, source) for row in langsmith.to_rows(whole, source)]


def test_a_row_is_a_run_without_a_parent():
    rows = read(step("s1", name="get_order"), run(), step("s2", name="refund"), run(id="r2", trace_id="r2"))
    assert [row["rollout_id"] for row in rows] == ["r1", "r2"]
    assert [child["name"] for child in rows[0]["child_runs"]] == ["get_order", "refund"]


def test_the_task_is_the_reference_example_and_the_attempt_its_repetition():
    metadata = {"task_id": "order-17", "repetition": 2}
    (row,) = read(run(reference_example_id="e1", session_id="x1", extra={"metadata": metadata}))
    assert (row["task_id"], row["rollout_index"], row["session_id"]) == ("e1", 2, "x1")
    (row,) = read(run(extra={"metadata": metadata}))
    assert row["task_id"] == "order-17"


def test_outputs_that_repeat_the_conversation_are_the_conversation():
    whole = [*ASKED["messages"], ai("", tool_calls=[CALL]), ai("Packed.")]
    for outputs in ([ai("Packed.")], whole):
        (row,) = read(run(outputs={"messages": outputs}))
        assert [turn["role"] for turn in row["messages"]].count("user") == 1
        assert (row["prompt"], row["final_text"]) == ("Where is order 17?", "Packed.")


def test_a_run_that_shows_question_and_answer_has_the_calls_of_its_last_model_call():
    first = model_call("l1", 1, ASKED["messages"], ai("", tool_calls=[CALL]))
    told = [
        *ASKED["messages"],
        ai("", tool_calls=[CALL]),
        {"type": "tool", "data": {"content": "packed", "tool_call_id": "c1"}},
    ]
    last = model_call("l2", 3, told, ai("It is packed."))
    root = run(inputs={"question": "Where is order 17?"}, outputs={"answer": "It is packed."})
    for records in ([root, first, last], [last, first, root], [{**root, "child_runs": [first, last]}]):
        (row,) = read(*records)
        (call,) = text.calls(row)
        assert (call.name, call.result, row["final_text"]) == ("get_order", "packed", "It is packed.")


def test_child_runs_may_be_nested():
    inner = step("s1", name="get_order", inputs={"input": '{"id": 17}'}, outputs={"output": "packed"})
    outer = {"id": "a1", "run_type": "chain", "child_runs": [inner | {"parent_run_id": None}]}
    (row,) = read(run(child_runs=[outer]))
    (call,) = text.calls(row)
    assert (call.arguments, call.result, row["final_text"]) == ({"id": 17}, "packed", "Packed.")


def test_results_only_the_tool_runs_have_are_bound_in_time_order():
    calls = [{"name": "get_order", "args": {"id": i}, "id": f"c{i}"} for i in (1, 2)]
    late = step("s2", second=5, name="get_order", inputs={"order": 2}, outputs={"output": "second"})
    early = step("s1", second=3, name="get_order", inputs={"order": 1}, outputs={"output": "first"})
    (row,) = read(run(outputs={"messages": [ai("", tool_calls=calls)]}), late, early)
    assert [call.result for call in text.calls(row)] == ["first", "second"]


def test_a_tool_run_with_the_arguments_of_a_call_is_its_own():
    calls = [{"name": "get_order", "args": {"id": i}, "id": f"c{i}"} for i in (1, 2)]
    runs = [
        step(f"s{i}", second=3 - i, name="get_order", inputs={"id": i}, outputs={"output": f"o{i}"}) for i in (1, 2)
    ]
    (row,) = read(run(outputs={"messages": [ai("", tool_calls=calls)]}), *runs)
    assert [call.result for call in text.calls(row)] == ["o1", "o2"]


def test_a_tool_run_that_failed_is_a_failed_call():
    (row,) = read(run(), step("s1", name="get_order", inputs={"id": 1}, outputs=None, error="TimeoutError: late"))
    (call,) = text.calls(row)
    assert call.failed
    assert call.result["error"] == "TimeoutError: late"


def test_an_error_is_a_failed_run_not_a_zero():
    (row,) = read(run(outputs=None, error="TimeoutError", feedback_stats={"correctness": {"n": 1, "avg": 0.0}}))
    assert (row["reward"], row["judge_status"], row["error"]) == (None, "error", "TimeoutError")
    assert row["judge_meta"]["raw_reward"] == 0.0


def test_the_first_feedback_is_the_reward_and_the_others_are_markers():
    stats = {"correctness": {"n": 3, "avg": 0.5}, "polite": {"n": 1, "avg": 1.0}, "note": {"n": 1, "avg": None}}
    (row,) = read(run(feedback_stats=stats))
    assert (row["reward"], row["judge_name"], row["markers"]) == (0.5, "correctness", {"polite": 1.0})
    assert (row["judge_meta"]["n"], row["judge_meta"]["feedback_stats"]) == (3, stats)


def test_a_run_without_the_primary_feedback_has_no_reward():
    one = run(feedback_stats={"correctness": {"n": 1, "avg": 1.0}})
    other = run(
        id="r2", trace_id="r2", feedback_stats={"polite": {"n": 1, "avg": 0.0}, "correctness": {"n": 1, "avg": 0.25}}
    )
    third = run(id="r3", trace_id="r3", feedback_stats={"polite": {"n": 1, "avg": 0.0}})
    assert [row["reward"] for row in read(one, other, third)] == [1.0, 0.25, None]


def completion(finish="stop"):
    message = {"role": "assistant", "content": "Howdy!"}
    choice = {"index": 0, "finish_reason": finish, "message": message, "logprobs": {"content": [{"logprob": -0.5}]}}
    return {"id": "c", "object": "chat.completion", "model": "gpt-4o-mini-2024", "choices": [choice]}


def halves(outputs, **patch):
    asked = {"messages": [{"role": "user", "content": "howdy"}], "model": "gpt-4o-mini", "temperature": 0.5}
    post = {
        "id": "r1",
        "run_type": "llm",
        "inputs": asked,
        "outputs": {},
        "dotted_order": "20241011Zr1",
        "trace_id": "r1",
    }
    return {"post": [post], "patch": [{"dotted_order": "20241011Zr1", "trace_id": "r1", "outputs": outputs, **patch}]}


def test_the_halves_of_a_wire_dump_are_one_run_though_the_patch_has_no_id():
    (row,) = read(halves(completion()))
    assert (row["prompt"], row["final_text"], row["finish_reason"]) == ("howdy", "Howdy!", "stop")
    assert (row["model_version"], row["token_logprobs"]) == ("gpt-4o-mini-2024", [-0.5])
    assert row["sampling"] == {"temperature": 0.5, "model": "gpt-4o-mini"}


def test_the_halves_may_be_records_of_their_own_in_any_order():
    dump = halves(completion())
    for records in (
        [{"post": dump["post"]}, {"patch": dump["patch"]}],
        [{"patch": dump["patch"]}, {"post": dump["post"]}],
    ):
        assert recognise(records[0]).NAME == "langsmith"
        assert [row["final_text"] for row in read(*records)] == ["Howdy!"]


def test_a_streamed_finish_reason_may_be_an_object():
    (row,) = read(halves(completion({"index": 0, "delta": {}, "finish_reason": "length"})))
    assert row["finish_reason"] == "length"


def test_outputs_may_be_a_response_with_items():
    call = {"type": "function_call", "call_id": "c1", "name": "get_order", "arguments": '{"id": 17}'}
    (row,) = read(
        halves(
            {
                "object": "response",
                "status": "incomplete",
                "incomplete_details": {"reason": "max_output_tokens"},
                "output": [call],
            }
        )
    )
    assert ([c.name for c in text.calls(row)], row["finish_reason"]) == (["get_order"], "length")


def test_runs_with_ids_of_their_own_are_not_joined_by_their_place():
    rows = read(run(dotted_order="same"), run(id="r2", trace_id="r2", dotted_order="same"))
    assert [row["rollout_id"] for row in rows] == ["r1", "r2"]


def test_child_runs_without_their_root_are_left_out_and_said():
    source = Source("runs.jsonl")
    assert list(langsmith.gather([step("s1")], source)) == []
    assert source.notes == ["runs left out, since the run they are steps of is not in the file: 1"]


def test_no_key_of_the_client_ends_on_a_row():
    inputs = {**ASKED, "extra_headers": {"Authorization": "Bearer hidden"}, "api_key": "hidden"}
    extra = {
        "invocation_params": {"model": "shop-7b", "openai_api_key": "hidden"},
        "metadata": {"LANGSMITH_TOKEN": "hidden"},
    }
    (row,) = read(run(inputs=inputs, extra=extra, serialized={"kwargs": {"secret": "hidden"}}))
    assert "hidden" not in repr(row)
    assert row["model_version"] == "shop-7b"


def test_only_the_last_model_call_of_a_trace_is_held():
    held = Runs()
    for second in (1, 3, 2):
        held.add(model_call(f"l{second}", second, ASKED["messages"], ai("x")))
    assert [found["id"] for found in held._runs.values() if "inputs" in found] == ["l3"]


@pytest.mark.parametrize("junk", [None, 5, "x", [None, 5], {"a": 1}])
def test_fields_of_the_wrong_type_are_no_crash(junk):
    names = (
        "inputs",
        "outputs",
        "extra",
        "feedback_stats",
        "child_runs",
        "trace_id",
        "start_time",
        "dotted_order",
        "serialized",
    )
    for name in names:
        assert len(read(run(**{name: junk}), step("s1", **{name: junk}))) == 1
    for name in ("messages", "generations", "choices", "output", "message"):
        assert len(read(run(outputs={name: junk}))) == 1
