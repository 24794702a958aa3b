from whileai.simulations.rows import text
from whileai.simulations.rows.formats import tau_bench
from whileai.simulations.rows.source import Source

CALL = {"id": "c1", "type": "function", "function": {"name": "get_user", "arguments": '{"id": "mia"}'}}
TRAJ = [
    {"role": "system", "content": "Policy."},
    {"role": "user", "content": "Book a flight."},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "name": "get_user", "content": '{"name": "Mia"}'},
    {"role": "assistant", "content": "Booked."},
    {"role": "user", "content": "###STOP###"},
]


def run(**changes):
    record = {"task_id": 3, "reward": 1.0, "info": {"task": {"instruction": "secret"}}, "traj": TRAJ, "trial": 2}
    return tau_bench.to_rows({**record, **changes}, Source("gpt-4o-airline.json"))[0]


def test_a_run_has_the_tools_own_task_trial_and_reward():
    row = run()
    assert (row["task_id"], row["rollout_index"], row["reward"]) == ("3", 2, 1.0)
    assert row["lineage"] == {"source": "gpt-4o-airline.json", "format": "tau-bench"}


def test_the_stop_token_of_the_user_is_not_the_reply():
    assert run()["final_text"] == "Booked."


def test_a_result_is_bound_to_its_call_and_its_arguments_are_parsed():
    (call,) = text.calls(run())
    assert (call.name, call.arguments, call.result) == ("get_user", {"id": "mia"}, {"name": "Mia"})


def test_the_users_hidden_goal_is_privileged_and_nowhere_else():
    row = run(info={"task": {"instruction": "secret"}, "user_cost": 0.1})
    assert row["privileged"] == {"reference": {"instruction": "secret"}}
    assert row["prompt"] == "Book a flight."
    assert row["info"] == {"user_cost": 0.1}


def test_a_crash_is_a_failed_run_not_a_zero():
    row = run(reward=0.0, traj=[], info={"error": "RateLimitError: slow down", "traceback": "Traceback"})
    assert row["reward"] is None
    assert (row["judge_status"], row["finish_reason"]) == ("error", "error")
    assert row["error"] == "RateLimitError: slow down"
    assert row["judge_meta"] == {"raw_reward": 0.0}


def test_a_crash_counts_as_the_tool_counts_it_when_asked():
    crash = {"task_id": 3, "reward": 0.0, "info": {"error": "slow down"}, "traj": [], "trial": 0}
    (row,) = tau_bench.to_rows(crash, Source("a.json", errors="zero"))
    assert (row["reward"], row["finish_reason"]) == (0.0, "error")


def test_without_a_trial_the_attempt_is_counted_in_file_order():
    source = Source("a.json")
    record = {"task_id": 3, "reward": 1.0, "info": {}, "traj": TRAJ}
    assert [tau_bench.to_rows(record, source)[0]["rollout_index"] for _ in range(3)] == [0, 1, 2]
