import pytest

from tables import each_of
from whileai.simulations.rows import text
from whileai.simulations.rows.formats import openhands, recognise
from whileai.simulations.rows.source import Source

ASK = {"id": 0, "source": "user", "action": "message", "args": {"content": "Fix a.py."}}
DONE = {"id": 9, "source": "agent", "action": "finish", "args": {"final_thought": "Fixed.", "thought": "I am done."}}


def acted(event_id, action="run", made=None, **args):
    event = {"id": event_id, "source": "agent", "action": action, "args": args}
    return {**event, "tool_call_metadata": made} if made else event


def seen(cause, content, observation="run", **rest):
    return {"id": cause + 1, "source": "agent", "observation": observation, "content": content, "cause": cause, **rest}


def made(call_id, name="execute_bash", arguments='{"command": "ls"}', **choice):
    call = {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
    response = {"id": f"r-{call_id}", "choices": [{"message": {"tool_calls": [call]}, **choice}]}
    return {"function_name": name, "tool_call_id": call_id, "model_response": response}


def read(*events, **record):
    source = Source("output.jsonl")
    return openhands.to_rows({"instance_id": "shop-1", "history": list(events), **record}, source)[0]


def test_a_call_has_the_name_id_and_arguments_the_model_wrote():
    event = acted(1, command="ls", thought="Look.", blocking=False, made=made("t1"))
    (call,) = text.calls(read(ASK, event, seen(1, "a.py")))
    assert (call.name, call.id, call.arguments) == ("execute_bash", "t1", {"command": "ls"})
    assert (call.speech, call.result) == ("Look.", "a.py")


def test_a_call_without_metadata_has_the_name_of_its_action():
    (call,) = text.calls(read(ASK, acted(1, command="ls", thought="Look."), seen(1, "a.py")))
    assert (call.name, call.arguments) == ("run", {"command": "ls"})


def test_results_bind_by_cause_whatever_their_order():
    calls = acted(1, command="ls"), acted(3, action="read", path="a.py")
    first, last = text.calls(read(ASK, *calls, seen(3, "def f(x)", "read"), seen(1, "a.py")))
    assert (first.result, last.result) == ("a.py", "def f(x)")


@pytest.mark.parametrize(
    "event",
    [
        {"id": 2, "source": "environment", "observation": "agent_state_changed", "content": "", "cause": 1},
        {"id": 2, "source": "environment", "observation": "recall", "content": "notes", "cause": 1},
        {"id": 2, "source": "agent", "observation": "null", "content": "", "cause": 1},
        {"id": 2, "source": "agent", "observation": "error", "content": "no such command"},
    ],
)
def test_observations_that_answer_nothing_are_no_results(event):
    (call,) = text.calls(read(ASK, acted(1, command="ls"), event))
    assert not call.answered


@each_of(
    "action", ["message", "system", "finish", "reject", "recall", "change_agent_state", "condensation", "null", "stop"]
)
def test_actions_that_are_no_tools_are_no_calls(action):
    assert text.calls(read(ASK, acted(1, action=action, content="x"))) == []


@pytest.mark.parametrize(
    ("observation", "extras", "failed"),
    [
        ("error", {}, True),
        ("run", {"metadata": {"exit_code": 127}}, True),
        ("run", {"exit_code": 1}, True),
        ("run", {"metadata": {"exit_code": -1}}, False),
        ("run", {"metadata": {"exit_code": 0}}, False),
    ],
)
def test_an_error_or_an_exit_code_marks_a_failed_call(observation, extras, failed):
    (call,) = text.calls(read(ASK, acted(1, command="ls"), seen(1, "out", observation, extras=extras)))
    assert call.failed is failed


def test_the_reply_is_the_final_thought_else_the_thought_else_the_message():
    assert read(ASK, DONE)["final_text"] == "Fixed."
    assert read(ASK, {**DONE, "args": {"thought": "I am done."}})["final_text"] == "I am done."
    assert read(ASK, {**DONE, "args": {"outputs": {}}, "message": "All done!"})["final_text"] == "All done!"


def test_a_run_that_did_not_finish_ends_with_the_agents_last_words():
    said = {"id": 3, "source": "agent", "action": "message", "args": {"content": "Which file?"}}
    row = read(ASK, acted(1, command="ls"), seen(1, "a.py"), said)
    assert (row["final_text"], row.get("finish_reason")) == ("Which file?", None)


def test_the_oldest_layout_has_flat_fields_and_no_ids():
    history = [
        {"action": "message", "content": "Fix a.py.", "wait_for_response": False},
        {"action": "run", "command": "ls", "thought": "Look."},
        {"observation": "run", "content": "a.py", "exit_code": 0},
        {"action": "message", "content": "Go on?", "wait_for_response": True},
        {"action": "message", "content": "Yes."},
        {"action": "finish", "outputs": {}, "thought": "Fixed."},
    ]
    row = read(*history)
    (call,) = text.calls(row)
    assert (call.name, call.arguments, call.result) == ("run", {"command": "ls"}, "a.py")
    assert [turn["role"] for turn in row["messages"]] == ["user", "assistant", "tool", "assistant", "user", "assistant"]
    assert (row["prompt"], row["final_text"]) == ("Fix a.py.", "Fixed.")


def test_a_history_of_pairs_is_read():
    nothing = {"source": "agent", "observation": "null", "content": "", "extras": {}}
    ran = {"source": "agent", "observation": "run", "content": "a.py", "extras": {}}
    call = {"source": "agent", "action": "run", "args": {"command": "ls"}}
    record = {"instance_id": "shop-1", "history": [[ASK, nothing], [call, ran]]}
    assert recognise(record).NAME == "openhands"
    (found,) = text.calls(openhands.to_rows(record, Source("output.jsonl"))[0])
    assert found.result == "a.py"


@pytest.mark.parametrize(
    "record", [{"test_result": {"report": {"resolved": True}}}, {"resolved": True}, {"test_result": {"resolved": True}}]
)
def test_the_reward_is_whether_the_tests_were_resolved(record):
    row = read(ASK, DONE, **record)
    assert (row["reward"], row["judge_name"], row["judge_meta"]) == (1, "resolved", {"scorer_kind": "rule"})


def test_the_resolvers_success_is_the_opinion_of_a_model():
    issue = {"owner": "octo", "repo": "shop", "number": 5}
    row = read(ASK, DONE, instance_id=None, issue=issue, success=False, result_explanation="No tests.", git_patch="")
    assert (row["task_id"], row["reward"], row["reason"]) == ("octo/shop#5", 0, "No tests.")
    assert row["judge_meta"] == {"scorer_kind": "judge"}


def test_a_run_without_a_verdict_is_unscored():
    assert read(ASK, DONE, test_result={"git_patch": "diff"})["reward"] is None


def test_reaching_the_maximum_iteration_is_a_cut_off_run():
    row = read(ASK, error="RuntimeError: Agent reached maximum iteration in headless mode", resolved=False)
    assert (row["finish_reason"], row["reward"]) == ("length", 0)
    assert "maximum iteration" in row["error"]


def test_any_other_error_is_a_failed_run_not_a_zero():
    row = read(
        error="RuntimeError: container died", test_result={"report": {"resolved": False}}, instruction="Fix a.py."
    )
    assert (row["reward"], row["judge_status"], row["finish_reason"]) == (None, "error", "error")
    assert row["judge_meta"]["raw_reward"] == 0
    assert row["prompt"] == "Fix a.py."


def test_the_repeated_model_response_is_kept_as_its_logprobs_only():
    one = made("t1", finish_reason="tool_calls", logprobs={"content": [{"logprob": -0.5}, {"logprob": -0.25}]})
    row = read(ASK, acted(1, command="ls", made=one), seen(1, "a.py", tool_call_metadata=one), DONE)
    assert row["token_logprobs"] == [-0.5, -0.25]
    assert row["messages"][1]["finish_reason"] == "tool"
    assert "model_response" not in repr(row)


def test_the_configuration_is_a_fact_of_the_file_without_its_keys():
    config = {
        "model": "shop-7b",
        "temperature": 0.0,
        "max_output_tokens": 64,
        "api_key": "*****",
        "aws_secret_access_key": None,
    }
    source = Source("output.jsonl")
    record = {"instance_id": "a", "history": [ASK], "metadata": {"llm_config": config, "max_iterations": 50}}
    (row,) = openhands.to_rows(record, source)
    assert row["sampling"] == {"temperature": 0.0, "max_tokens": 64, "model": "shop-7b"}
    assert source.facts["metadata"] == {
        "llm_config": {"model": "shop-7b", "temperature": 0.0, "max_output_tokens": 64},
        "max_iterations": 50,
    }
    assert "metadata" not in row


def test_a_run_that_failed_before_its_first_event_is_known():
    record = {"instance_id": "a", "history": [], "test_result": {}, "error": "no image"}
    assert recognise(record).NAME == "openhands"


@pytest.mark.parametrize("junk", [None, 5, "x", [None, 5], {"a": 1}])
def test_fields_of_the_wrong_type_are_no_crash(junk):
    for name in ("history", "metadata", "metrics", "test_result", "issue", "instruction"):
        assert read(**{name: junk})["reward"] is None
    for name in ("args", "extras", "content", "cause", "id", "tool_call_metadata", "source", "message"):
        assert read(ASK, {**acted(1), name: junk}, {**seen(1, "x"), name: junk})["task_id"] == "shop-1"
