import pytest

from whileai.simulations.rows import text
from whileai.simulations.rows.formats import mini_swe_agent, recognise
from whileai.simulations.rows.source import Source

ASK = [{"role": "system", "content": "Use bash."}, {"role": "user", "content": "Fix a.py."}]


def bash(command, call_id, words=""):
    function = {"name": "bash", "arguments": f'{{"command": "{command}"}}'}
    return {
        "role": "assistant",
        "content": words,
        "tool_calls": [{"id": call_id, "type": "function", "function": function}],
    }


def observed(output, code, call_id):
    content = f"<returncode>{code}</returncode>\n<output>\n{output}\n</output>"
    return {"role": "tool", "tool_call_id": call_id, "content": content, "extra": {"returncode": code}}


def read(record, name="shop-1.traj.json"):
    return mini_swe_agent.to_rows(record, Source(name))[0]


def run(*turns, status="Submitted", **info):
    closing = {"role": "exit", "content": "the patch", "extra": {"exit_status": status, "submission": "the patch"}}
    found = {"exit_status": status, "submission": "the patch", "model_stats": {"api_calls": 1}, **info}
    return {"info": found, "messages": [*ASK, *turns, closing], "trajectory_format": "mini-swe-agent-1.1"}


def written(*turns):
    roles = ("assistant", "user")
    return {"messages": [*ASK, *({"role": roles[i % 2], "content": turn} for i, turn in enumerate(turns))]}


def test_the_instance_is_the_records_own_else_the_name_of_the_file():
    assert read({**run(), "instance_id": "shop__shop-3"})["task_id"] == "shop__shop-3"
    assert read(run())["task_id"] == "shop-1"


def test_results_bind_to_their_calls():
    row = read(run(bash("ls", "c1"), observed("a.py", 0, "c1")))
    (call,) = text.calls(row)
    assert (call.name, call.arguments, call.failed) == ("bash", {"command": "ls"}, False)
    assert "a.py" in call.result


@pytest.mark.parametrize(("command", "failed"), [("cat b.py", True), ("grep x a.py", False)])
def test_a_return_code_marks_a_failed_call_unless_a_search_found_nothing(command, failed):
    (call,) = text.calls(read(run(bash(command, "c1"), observed("", 1, "c1"))))
    assert call.failed is failed


def test_the_exit_message_is_no_turn_and_no_result():
    row = read(run(bash("submit", "c1")))
    assert [turn["role"] for turn in row["messages"]] == ["system", "user", "assistant"]
    assert row["exit_message"]["content"] == "the patch"
    assert not text.calls(row)[0].answered


def test_the_reply_is_what_the_last_turn_says_else_the_submission():
    assert read(run(bash("submit", "c1", "All done.")))["final_text"] == "All done."
    assert (
        read(run(bash("ls", "c1", "Look."), observed("", 0, "c1"), bash("submit", "c2")))["final_text"] == "the patch"
    )


@pytest.mark.parametrize(
    ("status", "finish"),
    [
        ("Submitted", "stop"),
        ("LimitsExceeded", "length"),
        ("TimeExceeded", "length"),
        ("RepeatedFormatError", "error"),
        ("AuthenticationError", "error"),
    ],
)
def test_the_exit_status_says_why_the_run_ended(status, finish):
    row = read(run(status=status))
    assert (row["finish_reason"], row["reward"]) == (finish, None)
    assert row.get("error") == (f"{status}: the patch" if finish == "error" else None)


@pytest.mark.parametrize("tag", ["mswea_bash_command", "bash"])
def test_the_fenced_block_of_an_older_run_is_its_call_and_the_next_turn_its_result(tag):
    first = f"Look first.\n\n```{tag}\ncat b.py\n```"
    row = read(
        written(first, "<returncode>1</returncode>\n<output>\nno b.py\n</output>", f"End.\n```{tag}\nexit\n```", "")
    )
    found, last = text.calls(row)
    assert (found.name, found.arguments, found.speech, found.failed) == (
        "bash",
        {"command": "cat b.py"},
        "Look first.",
        True,
    )
    assert (last.arguments, last.answered, last.result) == ({"command": "exit"}, True, "")
    assert (row["prompt"], row["final_text"]) == ("Fix a.py.", "End.")


@pytest.mark.parametrize("answer", ["I would look first.", "```bash\nls\n```\nor\n```bash\ncat a.py\n```"])
def test_an_answer_without_exactly_one_block_ran_nothing(answer):
    row = read(written(answer, "Give EXACTLY ONE action.", "```bash\nls\n```", "a.py"))
    assert [call.arguments for call in text.calls(row)] == [{"command": "ls"}]
    assert [turn["role"] for turn in row["messages"][2:]] == ["assistant", "user", "assistant", "tool"]


def test_bare_turns_are_known_by_how_the_agent_speaks():
    turns = written("```bash\nls\n```", "<returncode>0</returncode>\n<output>\na.py\n</output>")
    assert recognise(turns).NAME == "mini-swe-agent"
    assert recognise(written("Use ```bash\nls\n``` to list files.", "Thanks")).NAME != "mini-swe-agent"


def test_turns_of_the_responses_api_are_read():
    call = {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "bash", "arguments": '{"command": "ls"}'}
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Look."}]}
    answer = {
        "object": "response",
        "output": [{"type": "reasoning", "summary": []}, said, call],
        "extra": {"cost": 1.0},
    }
    result = {"type": "function_call_output", "call_id": "c1", "output": "no", "extra": {"returncode": 2}}
    row = read(run(answer, result))
    (made,) = text.calls(row)
    assert (made.id, made.arguments, made.speech, made.failed) == ("c1", {"command": "ls"}, "Look.", True)
    assert row["final_text"] == "Look."


def test_the_configuration_is_a_fact_of_the_file_without_its_keys():
    kwargs = {"temperature": 0.2, "api_key": "hidden", "extra_headers": {"Authorization": "Bearer hidden"}}
    source = Source("shop-1.traj.json")
    config = {"model": {"model_name": "shop-7b", "model_kwargs": kwargs}}
    (row,) = mini_swe_agent.to_rows(run(config=config, mini_version="2.4.6"), source)
    assert (row["model_version"], row["sampling"]) == ("shop-7b", {"temperature": 0.2, "model": "shop-7b"})
    assert source.facts["mini_version"] == "2.4.6"
    assert "config" not in row["info"]
    assert "hidden" not in repr((row, source.facts))


@pytest.mark.parametrize("junk", [None, 5, "x", [None, 5], {"a": 1}])
def test_fields_of_the_wrong_type_are_no_crash(junk):
    assert read({**run(), "info": junk})["reward"] is None
    assert (
        read({**run(), "messages": junk if junk != [None, 5] else [{"role": junk, "content": junk}]})["reward"] is None
    )
