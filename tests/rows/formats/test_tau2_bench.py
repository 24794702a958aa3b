import json

import pytest

from tables import each_of
from whileai.simulations.rows import text
from whileai.simulations.rows.formats import tau2_bench
from whileai.simulations.rows.source import Source

INFO = {
    "agent_info": {"llm": "shop-7b", "llm_args": {"temperature": 0.8, "max_tokens": 512}},
    "user_info": {"llm": "gpt-4.1"},
    "environment_info": {"policy": "Help users."},
}
TASKS = [{"id": "refund-17", "evaluation_criteria": {"actions": []}}]


def call(call_id, name, requestor="assistant"):
    return {"id": call_id, "name": name, "arguments": {"order_id": "17"}, "requestor": requestor}


def result(call_id, content, requestor="assistant", error=False):
    return {"role": "tool", "id": call_id, "content": content, "requestor": requestor, "error": error}


MESSAGES = [
    {"role": "assistant", "content": "Hi! How can I help?", "tool_calls": None, "audio_format": None},
    {"role": "user", "content": "Refund order 17."},
    {"role": "user", "content": None, "tool_calls": [call("u1", "check_signal", "user")]},
    result("u1", "signal: good", "user"),
    {"role": "assistant", "content": None, "tool_calls": [call("c1", "get_order"), call("c2", "refund")]},
    {"role": "tool", "tool_messages": [result("c2", "no", error=True), result("c1", '{"total": 30.0}')]},
    {"role": "assistant", "content": "It cannot be refunded."},
    {"role": "user", "content": "###STOP###"},
]


def simulation(**changes):
    return {
        "id": "s1", "task_id": "refund-17", "trial": 1, "termination_reason": "user_stop", "seed": 301,
        "reward_info": {"reward": 1.0}, "messages": MESSAGES, **changes,
    }  # fmt: skip


def row(source=None, **changes):
    record = {"timestamp": "2026-11-01", "info": INFO, "tasks": TASKS, "simulations": [simulation(**changes)]}
    return tau2_bench.to_rows(record, source or Source("results.json"))[0]


def test_the_users_own_tools_are_kept_but_are_not_the_agents_calls():
    read = row()
    assert [c.name for c in text.calls(read)] == ["get_order", "refund"]
    assert {"signal: good"} <= {turn["content"] for turn in read["messages"]}


def test_a_list_of_tool_messages_answers_by_id_and_its_errors_are_failed_calls():
    get_order, refund = text.calls(row())
    assert (get_order.result, get_order.failed) == ({"total": 30.0}, False)
    assert refund.failed
    assert refund.result == {"error": "no", "status": "error"}


def test_the_prompt_is_the_first_user_turn_though_the_assistant_opens():
    read = row()
    assert (read["prompt"], read["final_text"]) == ("Refund order 17.", "It cannot be refunded.")
    assert (read["task_id"], read["rollout_index"], read["rollout_id"]) == ("refund-17", 1, "s1")


def test_the_parts_of_a_reward_are_markers_and_the_checks_are_evidence():
    info = {"reward": 0.0, "reward_breakdown": {"DB": 0.0, "COMMUNICATE": 1.0}, "db_check": {"db_match": False},
            "reward_basis": ["DB", "COMMUNICATE"], "action_checks": None}  # fmt: skip
    read = row(reward_info=info)
    assert (read["reward"], read["markers"]) == (0.0, {"DB": 0.0, "COMMUNICATE": 1.0})
    assert read["judge_meta"]["db_check"] == {"db_match": False}
    assert "action_checks" not in read["judge_meta"]


@each_of(
    ("reason", "finish"),
    [
        ("user_stop", "stop"),
        ("agent_stop", "stop"),
        ("max_steps", "length"),
        ("timeout", "length"),
        ("context_window_exceeded", "length"),
        ("agent_error", "error"),
        ("user_error", "error"),
        ("too_many_errors", "error"),
        ("unexpected_error", "error"),
        ("moved_away", "moved_away"),
    ],
)
def test_a_reward_stays_whatever_ended_the_run(reason, finish):
    verdict = {"reward": 0.0, "reward_basis": None, "info": {"note": "ended early"}}
    read = row(termination_reason=reason, reward_info=verdict)
    assert (read["finish_reason"], read["reward"]) == (finish, 0.0)
    assert read["judge_meta"] == {"info": {"note": "ended early"}}


@pytest.mark.parametrize("verdict", [{"reward": 0.0}, None])
def test_an_infrastructure_error_is_no_verdict(verdict):
    read = row(termination_reason="infrastructure_error", reward_info=verdict, info={"error": "backend gone"})
    assert (read["reward"], read["judge_status"], read["error"]) == (None, "error", "backend gone")


def test_an_error_without_a_reward_is_a_failed_run():
    read = row(termination_reason="agent_error", reward_info=None)
    assert (read["reward"], read["judge_status"], read["error"]) == (None, "error", "agent_error")


def test_a_run_that_was_not_graded_is_unscored():
    read = row(reward_info=None)
    assert read["reward"] is None
    assert "judge_status" not in read


def test_models_settings_and_the_task_come_from_the_file():
    source = Source("results.json")
    read = row(source)
    assert (read["model_version"], read["user_model"]) == ("shop-7b", "gpt-4.1")
    assert read["sampling"] == {"temperature": 0.8, "max_tokens": 512, "model": "shop-7b"}
    assert read["privileged"] == {"reference": TASKS[0]}
    assert source.facts == {"timestamp": "2026-11-01", "info": INFO}
    assert read["seed"] == 301


def test_turns_of_a_voice_run_come_from_its_ticks():
    ticks = [
        {"tick_id": 0, "agent_chunk": {"content": "Hi! "}, "user_chunk": None},
        {"tick_id": 1, "agent_chunk": {"content": "How can I help?"}, "user_chunk": {"content": ""}},
        {"tick_id": 2, "agent_chunk": None, "user_chunk": {"content": "Refund "}},
        {"tick_id": 3, "user_chunk": {"content": "order 17."}, "user_tool_calls": [call("u1", "look", "user")],
         "user_tool_results": [result("u1", "ok", "user")]},
        {"tick_id": 4, "agent_chunk": {"content": "One moment."}, "agent_tool_calls": [call("c1", "refund")]},
        {"tick_id": 5, "agent_tool_results": [result("c1", "done")]},
        {"tick_id": 6, "agent_chunk": {"content": "Refunded."}},
    ]  # fmt: skip
    read = row(messages=None, ticks=ticks)
    assert (read["prompt"], read["final_text"]) == ("Refund order 17.", "Refunded.")
    assert [(c.name, c.result) for c in text.calls(read)] == [("refund", "done")]
    assert read["messages"][0] == {"role": "assistant", "content": "Hi! How can I help?"}


def run_folder(folder, *names):
    (folder / "simulations").mkdir()
    for trial, name in enumerate(names):
        (folder / "simulations" / f"{name}.json").write_text(json.dumps(simulation(id=name, trial=trial)))
    index = [{"id": name, "task_id": "refund-17"} for name in names]
    return {"info": INFO, "tasks": TASKS, "simulations": [], "simulation_index": index}


def test_runs_kept_one_a_file_are_read_in_the_order_of_the_index(tmp_path):
    record = run_folder(tmp_path, "s2", "s1")
    source = Source("results.json", tmp_path / "results.json")
    rows = [row for whole in tau2_bench.gather(iter([record]), source) for row in tau2_bench.to_rows(whole, source)]
    assert [(row["rollout_id"], row["rollout_index"]) for row in rows] == [("s2", 0), ("s1", 1)]


@pytest.mark.parametrize("name", ["gone", "../s1"])
def test_a_run_of_the_index_that_is_not_there_is_an_error(tmp_path, name):
    record = {**run_folder(tmp_path, "s1"), "simulation_index": [{"id": name}]}
    with pytest.raises(ValueError, match="load the whole run folder"):
        tau2_bench.to_rows(record, Source("results.json", tmp_path / "results.json"))
