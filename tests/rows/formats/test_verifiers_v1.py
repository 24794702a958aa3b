import pytest

from whileai.simulations.rows import text
from whileai.simulations.rows.formats import verifiers_v1
from whileai.simulations.rows.source import Source

CALL = {"id": "c1", "type": "function", "name": "get_order", "arguments": '{"order_id": "17"}'}
TASK = {"key": "refund-17", "hash": "h17", "data": {"prompt": "Refund order 17."}}


def node(parent, role, content=None, *, sampled=False, **more):
    message = {"role": role, "content": content}
    if calls := more.pop("calls", None):
        message["tool_calls"] = calls
    if answers := more.pop("answers", None):
        message["tool_call_id"] = answers
    return {"message": message, "sampled": sampled, **({} if parent is None else {"parent": parent}), **more}


NODES = [
    node(None, "user", "Refund order 17."),
    node(0, "assistant", calls=[CALL], sampled=True, mask=[False, True], logprobs=[-0.1], advantages=[0.5]),
    node(1, "tool", '{"status": "paid"}', answers="c1"),
    node(2, "assistant", "Refunded.", sampled=True, mask=[True, True], logprobs=[-0.2, -0.3], advantages=[0.5, 0.5]),
]


def trace(**changes):
    return {
        "id": "t1", "task": TASK, "nodes": NODES, "ok": True, "errors": [], "stop_condition": "agent_completed",
        "rewards": {"solved": {"score": 1.0, "weight": 1.0}},
        "agent": {"config": {"model": "shop-7b", "sampling": {"temperature": 0.8, "max_tokens": 512}}}, **changes,
    }  # fmt: skip


def rows(*traces, source=None, **episode):
    record = {
        "id": "e1",
        "env": {"id": "shop"},
        "task": TASK,
        "ok": True,
        "errors": [],
        **episode,
        "traces": list(traces),
    }
    return verifiers_v1.to_rows(record, source or Source("traces.jsonl"))


def row(**changes):
    return rows(trace(**changes))[0]


def test_a_trace_is_a_row_with_its_calls_and_its_model():
    read = row()
    (call,) = text.calls(read)
    assert (call.name, call.arguments, call.result) == ("get_order", {"order_id": "17"}, {"status": "paid"})
    assert (read["task_id"], read["rollout_id"], read["final_text"]) == ("refund-17", "t1", "Refunded.")
    assert read["sampling"] == {"temperature": 0.8, "max_tokens": 512, "model": "shop-7b"}


def test_the_task_hash_stands_in_for_a_missing_key():
    assert row(task={"hash": "h17", "data": {}})["task_id"] == "h17"


def test_the_row_is_the_last_branch_and_the_others_hold_only_what_they_do_not_share():
    read = row(nodes=[*NODES, node(0, "assistant", "Which order?", sampled=True)])
    assert read["final_text"] == "Which order?"
    assert [turn["role"] for turn in read["messages"]] == ["user", "assistant"]
    (branch,) = read["branches"]
    assert branch["shared_messages"] == 1
    assert [turn["content"] for turn in branch["messages"]] == [None, '{"status": "paid"}', "Refunded."]


def test_leaves_come_in_index_order_whatever_their_parents():
    leaves = [node(0, "assistant", said, sampled=True) for said in ("first", "a", "last")]
    nodes = [node(None, "user", "Hi"), *leaves, node(2, "user", "more")]
    read = row(nodes=nodes)
    assert [branch["messages"][0]["content"] for branch in read["branches"]] == ["first", "last"]
    assert [turn["content"] for turn in read["messages"]] == ["Hi", "a", "more"]


def test_an_assistant_turn_that_was_given_is_not_the_reply():
    given = [node(None, "user", "Hi"), node(0, "assistant", "An example reply.")]
    assert row(nodes=given)["final_text"] == ""
    assert row(nodes=[*given, node(1, "assistant", "Mine.", sampled=True)])["final_text"] == "Mine."


def test_the_reward_is_the_weighted_sum_of_the_scores_that_are_there():
    rewards = {"solved": {"score": 0.5, "weight": 0.5}, "polite": {"score": 1.0, "weight": 0.25}, "lost": None,
               "unread": {"score": None, "weight": 1.0}}  # fmt: skip
    read = row(rewards=rewards, metrics={"turns": 2.0, "solved": 9.0})
    assert read["reward"] == 0.5 * 0.5 + 1.0 * 0.25
    assert read["markers"] == {"solved": 0.5, "polite": 1.0, "turns": 2.0, "metrics.solved": 9.0}
    assert read["rewards"] == rewards


@pytest.mark.parametrize("rewards", [{}, {"solved": None}, {"solved": {"score": float("nan"), "weight": 1.0}}])
def test_without_any_score_the_row_is_unscored(rewards):
    assert row(rewards=rewards)["reward"] is None


@pytest.mark.parametrize(
    "stop", ["max_turns", "max_input_tokens", "max_output_tokens", "max_total_tokens", "context_length"]
)
def test_running_out_of_something_is_length(stop):
    assert row(stop_condition=stop)["finish_reason"] == "length"


def test_the_last_call_of_the_branch_says_whether_it_was_cut():
    cut, whole = {"node": 3, "finish_reason": "length"}, {"node": 1, "finish_reason": "tool_calls"}
    assert row(calls=[whole, cut])["finish_reason"] == "length"
    assert row(calls=[cut, {**whole, "node": 3}])["finish_reason"] == "agent_completed"
    assert row(calls=[whole, {"node": 99, "finish_reason": "length"}])["finish_reason"] == "agent_completed"


def test_a_failed_trace_is_unscored_and_keeps_its_error():
    errors = [{"type": "TimeoutError", "message": "no answer"}]
    read = row(ok=False, errors=errors, stop_condition="error", rewards={"solved": {"score": 0.0, "weight": 1.0}})
    assert (read["reward"], read["finish_reason"], read["error"]) == (None, "error", "no answer")
    assert read["judge_meta"] == {"raw_reward": 0.0}


def test_errors_of_a_trace_that_is_ok_did_not_end_it():
    assert row(errors=[{"message": "retried"}])["finish_reason"] == "agent_completed"


def test_an_episode_without_traces_is_one_failed_row_of_its_task():
    source = Source("traces.jsonl")
    rows(trace(), source=source)
    (read,) = rows(source=source, ok=False, errors=[{"type": "TunnelError", "message": "never came up"}])
    assert (read["task_id"], read["rollout_index"], read["prompt"]) == ("refund-17", 1, "Refund order 17.")
    assert (read["finish_reason"], read["error"], read["reward"]) == ("error", "never came up", None)


def test_settings_of_a_call_that_differ_are_the_effective_ones():
    read = row(calls=[{"node": 3, "sampling": {"temperature": 0.2}}])
    assert read["sampling"] == {"temperature": 0.2, "max_tokens": 512, "model": "shop-7b"}


def test_token_facts_are_those_of_generated_nodes_on_the_branch():
    read = row()
    assert read["token_logprobs"] == [-0.1, -0.2, -0.3]
    assert read["advantages"] == [0.5, 0.5, 0.5]
    assert read["messages"][3]["node"]["mask"] == [True, True]


def test_advantages_that_are_null_were_not_assigned_and_zeros_were():
    flat = [node(None, "user", "Hi"), node(0, "assistant", "a", sampled=True, advantages=[0.0, 0.0])]
    unset = [node(None, "user", "Hi"), node(0, "assistant", "a", sampled=True, advantages=None)]
    assert row(nodes=flat)["advantages"] == [0.0, 0.0]
    assert "advantages" not in row(nodes=unset)


def test_prime_rl_says_group_and_policy_version():
    run = {"type": "train", "work": {"type": "train", "step": 20, "policy": {"start": 18, "end": 19}}}
    (read,) = rows(trace(), group={"id": "g-17"}, run=run)
    assert (read["group_id"], read["policy_version"]) == ("g-17", "19")
    assert read["run"]["work"]["step"] == 20


def test_several_traces_of_an_episode_are_rows_that_name_it():
    first, second = rows(trace(), trace(id="t2"))
    assert (first["episode_id"], second["episode_id"]) == ("e1", "e1")
    assert (first["rollout_index"], second["rollout_index"]) == (0, 1)


@pytest.mark.parametrize(
    ("nodes", "said"),
    [
        ([node(5, "user", "Hi")], "node 0 has the parent 5, which is no other of the 1 nodes"),
        ([node(1, "user", "a"), node(0, "user", "b"), node(1, "user", "c")], "the parents of node 2 run in a circle"),
        ([node(1, "user", "a"), node(0, "user", "b")], "the nodes have no leaf"),
        (["x"], "node 0 is no object"),
    ],
)
def test_nodes_that_are_no_tree_are_an_error_that_names_the_node(nodes, said):
    with pytest.raises(ValueError, match=said):
        row(nodes=nodes)
