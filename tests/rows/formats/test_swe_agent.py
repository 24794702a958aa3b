import json

import pytest

from tables import each_of
from whileai.simulations.rows import text
from whileai.simulations.rows.formats import recognise, swe_agent
from whileai.simulations.rows.source import Source

ASK = [
    {"role": "system", "content": "You are an agent.", "agent": "main"},
    {"role": "user", "content": "A solved example.", "agent": "main", "is_demo": True},
    {"role": "user", "content": "Fix a.py.", "agent": "main"},
]
LOOK = {"action": "cat a.py", "observation": "def f(x)", "response": "Look.", "thought": "Look.", "state": "{}"}
SUBMIT = {"action": "submit\n", "observation": "diff", "response": "Done.", "thought": "Done.", "state": {}}


def called(name, action, call_id):
    call = {"id": call_id, "type": "function", "function": {"name": name, "arguments": "{}"}}
    return {"role": "assistant", "content": "Look.", "action": action, "tool_calls": [call], "agent": "main"}


def read(record, name="shop__shop-1.traj", **options):
    return swe_agent.to_rows(record, Source(name, **options))[0]


def run(**changes):
    info = {"exit_status": "submitted", "submission": "diff --git", "model_stats": {"api_calls": 2}}
    return {"trajectory": [LOOK, SUBMIT], "history": ASK, "info": info, "environment": "main", **changes}


def test_the_instance_is_the_name_of_the_file():
    assert read(run())["task_id"] == "shop__shop-1"
    assert read(run(), "shop-2.traj.gz")["task_id"] == "shop-2"


def test_without_a_file_of_its_own_the_instance_is_the_problem_statement():
    config = json.dumps({"problem_statement": {"id": "shop__shop-7"}})
    assert read(run(replay_config=config), "runs.jsonl")["task_id"] == "shop__shop-7"


def test_the_prompt_is_the_first_turn_that_is_no_demonstration():
    row = read(run())
    assert row["prompt"] == "Fix a.py."
    assert [turn["content"] for turn in row["demonstration"]] == ["A solved example."]
    assert not any("example" in turn["content"] for turn in row["messages"])


def test_a_call_has_the_function_of_the_history_and_the_action_as_argument():
    history = [*ASK, called("bash", "cat a.py", "c1")]
    first, last = text.calls(read(run(history=history)))
    assert (first.name, first.id, first.arguments, first.result) == ("bash", "c1", {"command": "cat a.py"}, "def f(x)")
    assert (last.name, last.arguments, last.result) == ("submit", {"command": "submit\n"}, "diff")


def test_without_tool_calls_the_call_is_the_first_word_of_the_action():
    assert [call.name for call in text.calls(read(run()))] == ["cat", "submit"]


def test_a_step_the_history_lacks_does_not_shift_the_names():
    wrong = {"action": "vim a.py", "observation": "", "thought": "Edit.", "response": "Edit."}
    history = [*ASK, called("open", "cat a.py", "c1")]
    row = read(run(trajectory=[wrong, LOOK], history=history))
    assert [call.name for call in text.calls(row)] == ["vim", "open"]


def test_a_step_without_an_action_is_no_call():
    refused = {"action": "", "observation": "", "thought": "No command here.", "response": "No command here."}
    assert [call.name for call in text.calls(read(run(trajectory=[refused, SUBMIT])))] == ["submit"]


def test_history_content_may_be_blocks():
    blocks = [{"role": "user", "content": [{"type": "text", "text": "Fix b.py."}], "agent": "main"}]
    assert read(run(history=blocks))["prompt"] == "Fix b.py."


@pytest.mark.parametrize("state", ['{"open_file": "a.py"}', {"open_file": "a.py"}])
def test_the_state_is_an_object_however_it_was_stored(state):
    row = read(run(trajectory=[{**LOOK, "state": state}]))
    assert row["messages"][2]["state"] == {"open_file": "a.py"}


def test_the_reply_is_the_last_thought_else_the_submission():
    assert read(run())["final_text"] == "Done."
    assert read(run(trajectory=[LOOK, {**SUBMIT, "thought": " "}]))["final_text"] == "diff --git"


@each_of(
    ("status", "finish"),
    [
        ("submitted", "stop"),
        ("submitted (exit_cost)", "length"),
        ("exit_context", "length"),
        ("exit_total_execution_time", "length"),
        ("submitted (exit_command_timeout)", "length"),
        ("exit_error", "error"),
        ("submitted (exit_format)", "error"),
        ("exit_api", "error"),
        ("exit_environment_error", "error"),
        ("exit_forfeit", "stop"),
        ("skipped", "skipped"),
        (None, None),
    ],
)
def test_the_exit_status_says_why_the_run_ended(status, finish):
    row = read(run(info={"exit_status": status}))
    assert row.get("finish_reason") == finish
    assert row["reward"] is None
    assert (row.get("judge_status") == "error") == (finish == "error")


@pytest.mark.parametrize("dump", [dict, json.dumps])
def test_the_configuration_is_a_fact_of_the_file_without_its_keys(dump):
    model = {"name": "gpt-4o", "temperature": 0.5, "api_key": "sk-0000000000000000", "per_instance_cost_limit": 3.0}
    source = Source("shop-1.traj")
    (row,) = swe_agent.to_rows(run(replay_config=dump({"agent": {"model": model}})), source)
    assert (row["model_version"], row["sampling"]) == ("gpt-4o", {"temperature": 0.5, "model": "gpt-4o"})
    assert source.facts["replay_config"]["agent"]["model"]["per_instance_cost_limit"] == 3.0
    assert "sk-000" not in repr((row, source.facts))


def test_a_demonstration_holds_only_its_history():
    history = [
        {"role": "user", "content": "Fix a.py.", "agent": "main"},
        {"role": "assistant", "content": "Look.\n```\ncat a.py\n```", "thought": "Look.", "action": "cat a.py"},
        {"role": "user", "content": "def f(x)", "agent": "main"},
        {"role": "assistant", "content": "Submit it.\n\n```\nsubmit\n```", "agent": "main"},
    ]
    assert recognise({"history": history}).NAME == "swe-agent"
    row = read({"history": history}, "demo.traj")
    assert [(call.name, call.result) for call in text.calls(row)] == [("cat", "def f(x)"), ("submit", None)]
    assert (row["prompt"], row["final_text"]) == ("Fix a.py.", "Submit it.")


def test_a_demonstration_of_turns_marked_as_demonstration_is_read():
    history = [{**turn, "is_demo": True} for turn in (ASK[2], called("bash", "ls", "c1"))]
    row = read({"history": history})
    assert (row["prompt"], [call.name for call in text.calls(row)]) == ("Fix a.py.", ["bash"])
    assert "demonstration" not in row


def test_the_verdict_is_joined_from_the_report_beside_the_run(tmp_path):
    (tmp_path / "report.json").write_text(json.dumps({"resolved_ids": ["shop-1"], "unresolved_ids": ["shop-2"]}))
    rewards = [read(run(), f"shop-{i}.traj", path=tmp_path / f"shop-{i}.traj")["reward"] for i in (1, 2, 3)]
    assert rewards == [1, 0, None]


@pytest.mark.parametrize("junk", [None, 5, "x", [None, 5, []], {"a": 1}])
def test_fields_of_the_wrong_type_are_no_crash(junk):
    for name in ("trajectory", "history", "info", "replay_config"):
        assert read(run(**{name: junk}))["reward"] is None
    assert read(run(trajectory=[dict.fromkeys(("action", "observation", "thought", "state"), junk)]))
