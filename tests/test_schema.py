"""The typed row: what each column becomes, what comes back, what `validate` says."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from importlib.resources import files

import pandas as pd
import pytest
from jsonschema import Draft202012Validator

import whileai.simulations as wai
from tables import each_of
from whileai.simulations.schema import PolicyRef, Privileged, ScorerRef, Step, World

STAMPED = {"schema_version": "1", "prompt": "hi", "steps": [], "final_text": "hello"}
CHAT = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Where is order 4473?"},
    {
        "role": "assistant",
        "content": "Checking.",
        "tool_calls": [{"id": "c", "name": "get", "arguments": {"id": 4473}}],
    },
    {"role": "tool", "tool_call_id": "c", "content": '{"eta": "Friday"}'},
    {"role": "assistant", "content": "It arrives on Friday."},
]
ENGINE = {
    "scenario_id": "s1", "prompt": "Where is order 4473?", "final_text": "It arrives on Friday.", "seed": 41,
    "steps": [{"kind": "tool", "tool": "get", "arguments": {"id": 4473}, "result": {"eta": "Friday"}, "status": "ok"}],
    "messages": CHAT, "reward": 0.5, "reason": "late", "grader_reason": "rule 7", "judge_name": "j", "rollout_index": 0,
    "judge_meta": {"version": "7", "model": "large"}, "markers": {"polite": 1.0}, "tone": "curt", "trace": "0af7",
    "steering": {"k": 1}, "behavior_signature": "a1b2", "world_state": "order late", "model_version": "m1",
    "policy_version": "m1@ff", "faults": {"get": {"mode": "timeout", "rate": 0.5}}, "fault_detected": True,
    "privileged": {"reference": "Friday", "other": 1}, "rollout_id": "run3-1", "warehouse": {"shards": [1, 2]},
    "lineage": {"source": "x"}, "llm_reward": 1, "llm_reason": "fine", "qwen_reward": 0,
}  # fmt: skip


def joined(row: dict) -> dict:
    return wai.to_row(*wai.from_row(row))


def primary(row: dict) -> wai.Judgment:
    return wai.from_row({"scenario_id": "s", "prompt": "p", **row})[2][0]


# What comes back.


def test_an_engine_row_comes_back_whole():
    assert joined(ENGINE) == {**ENGINE, "schema_version": "1"}


@each_of(
    "odd",
    [
        {"judge_meta": "judge-large, temperature 0"},
        {"world_state": {"orders": {"5": "late"}}},
        {"reason": ["too", "late"]},
        {"failure_class": {"code": 3}},
        {"policy_version": 3},
        {"model_version": ["m1"]},
        {"markers": {"polite": 1.0, "tone": "warm"}},
        {"markers": ["polite"]},
        {"faults": "none"},
        {"calibration": {"n": 0}},
        {"rollout_index": "first"},
        {"rollout_id": 17},
        {"llm_reason": "no reward beside it"},
        {"grader_reason": "late"},
        {"trace": [{"note": 1}]},
        {5: "five", None: "none"},
    ],
    ids=lambda odd: str(next(iter(odd))),
)
def test_an_odd_column_comes_back_as_it_was(odd):
    row = {**ENGINE, **odd}
    if odd == {"llm_reason": "no reward beside it"}:
        del row["llm_reward"]
    assert joined(row) == {**row, "schema_version": "1"}


def test_reason_without_a_verdict_is_no_judgment_and_comes_back():
    row = {**STAMPED, "scenario_id": "s", "messages": [], "reason": "none given", "failure_class": "x"}
    assert wai.from_row(row)[2] == []
    assert joined(row) == row


def test_unknown_keys_of_a_step_and_unreadable_facts_come_back():
    step = {"tool": "get", "arguments": {}, "result": 1, "latency_ms": 12, "n_tokens": "many", "logprob": -1.5}
    task = {"task_id": "t", "prompt": "p", "steps": [step, {"user": "hi", "mood": "calm"}, {"note": "retry"}]}
    assert joined(task)["steps"] == task["steps"]
    assert wai.from_row(task)[1].steps[0].logprob == -1.5


@pytest.mark.parametrize("steps", [["s", 3, None], ["s", {"text": "x"}, [1], {"user": "y"}]], ids=str)
def test_entries_that_are_no_step_come_back_in_their_places(steps):
    row = {**STAMPED, "scenario_id": "s", "messages": [], "steps": steps}
    assert joined(row) == row
    assert wai.from_row(row)[1].extra["passthrough"] == {"steps": steps}


def test_steps_added_by_hand_follow_the_entries_that_are_none():
    task, rollout, _, _ = wai.from_row(
        {"scenario_id": "s", "prompt": "p", "steps": [{"text": "a"}, "odd", {"text": "b"}]}
    )
    rollout.steps[1:] = []
    assert wai.to_row(task, rollout)["steps"] == [{"text": "a"}, "odd"]
    rollout.steps += [Step(text="c"), Step(text="d")]
    assert wai.to_row(task, rollout)["steps"] == [{"text": "a"}, "odd", {"text": "c"}, {"text": "d"}]


def test_step_facts_that_say_nothing_are_left_out():
    step = {"text": "x", "n_tokens": 0, "truncated": False, "logprob": None, "user": None, "tool": None}
    assert joined({"task_id": "t", "prompt": "p", "steps": [step]})["steps"] == [{"text": "x"}]


def test_explicit_defaults_are_left_out():
    row = {**STAMPED, "scenario_id": "s", "judge_status": "ok", "world_state": "unknown", "fault_detected": False}
    assert not {"judge_status", "world_state", "fault_detected"} & set(joined(row))


def containers(value):
    """The ids of all lists and dicts in a value."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    own = {id(value)} if isinstance(value, dict | list) else set()
    return own.union(*map(containers, inner))


NESTED = {
    **ENGINE, "tone": ["curt", ["very"]], "world_state": {"orders": [5]}, "seed": [1, [2]],
    "calibration": {"n": 1, "x": [1]},
    "steps": [{"tool": "get", "arguments": {"ids": [1]}, "result": [{"eta": 1}], "raw": {"x": [1]}}, "odd", [["odd"]]],
    "grader_reason": ["rule", ["7"]], "judge_meta": {"votes": [{"by": "a"}]}, "reward": [[1]], "llm_reward": [["x"]],
    "faults": {"get": {"mode": "timeout", "args": [1]}, "set": "x"}, "reason": ["a", ["b"]], "markers": {"m": [[1]]},
    "pair": ([1], {"a": [2]}),
}  # fmt: skip


@pytest.mark.parametrize("row", [ENGINE, NESTED, {**NESTED, "judge_meta": ["a", ["b"]]}, {"messages": CHAT}])
def test_a_joined_row_shares_no_list_or_dict_with_its_source_or_its_objects(row):
    before, parts = copy.deepcopy(row), wai.from_row(row)
    out = wai.to_row(*parts)
    held = [value for part in parts[:2] for value in vars(part).values()] + [part.evidence for part in parts[2]]
    held += [(step.arguments, step.result, step.extra) for step in parts[1].steps]
    assert not containers(out) & (containers(row) | containers(held))
    assert row == before


def test_the_columns_of_the_objects_are_copies():
    task, rollout, judgments, _ = wai.from_row(NESTED)
    columns = [task.world.state, task.world.seed, task.world.faults, *task.axes.values(), judgments[0].evidence]
    columns += [rollout.extra, *rollout.extra.values(), *rollout.extra["passthrough"].values()]
    columns += [judgments[0].evidence["judge_meta"], rollout.steps[0].extra]
    source = {id(column) for column in [NESTED, *NESTED.values(), *NESTED["steps"]]}
    assert not source & {id(column) for column in columns if isinstance(column, list | dict)}


def test_an_unreadable_reward_becomes_null_and_stays_in_judge_meta():
    out = joined({"task_id": "t", "prompt": "p", "reward": "great", "judge_meta": {"model": "m"}})
    assert (out["reward"], out["judge_status"]) == (None, "invalid_result")
    assert out["judge_meta"] == {"model": "m", "raw_reward": "great"}
    assert joined(out) == out


def test_an_unreadable_reward_beside_a_text_judge_meta_stays_on_the_row():
    out = joined({"task_id": "t", "prompt": "p", "reward": "great", "judge_meta": "m"})
    assert (out["reward"], out["judge_meta"], out["raw_reward"]) == (None, "m", "great")


@pytest.mark.parametrize(
    ("meta", "after"),
    [
        ("m", {"value": "m", "raw_reward": "great"}), (None, {"raw_reward": "great"}), ({}, {"raw_reward": "great"}),
        ({"raw_reward": 0, "k": 1}, {"raw_reward": "great", "k": 1, "value": {"raw_reward": 0, "k": 1}}),
    ],
    ids=str,
)  # fmt: skip
def test_an_unreadable_reward_takes_no_place_that_is_taken(meta, after):
    row = {"scenario_id": "a", "prompt": "p", "reward": "great", "judge_meta": meta, "raw_reward": 5}
    out = joined(row)
    assert (out["raw_reward"], out["judge_meta"]) == (5, after)
    assert joined(out) == out


def test_an_unreadable_reward_beside_a_raw_reward_of_judge_meta_stays_on_the_row():
    out = joined({"scenario_id": "a", "prompt": "p", "reward": "great", "judge_meta": {"raw_reward": 0}})
    assert (out["raw_reward"], out["judge_meta"]) == ("great", {"raw_reward": 0})


@pytest.mark.parametrize("column", ["llm_reward", "qwen_reward"])
def test_an_unreadable_side_verdict_goes_back_as_it_was(column):
    row = {**STAMPED, column: "great"}
    assert wai.from_row(row)[2][0].reward is None
    assert joined(row)[column] == "great"


def test_a_rollout_id_given_by_hand_is_written_and_a_derived_one_is_not():
    assert wai.to_row(wai.Task("t"), wai.Rollout("r1", "t"))["rollout_id"] == "r1"
    assert "rollout_id" not in joined({"task_id": "t", "prompt": "p"})


def test_a_version_from_lineage_is_not_written_twice():
    row = {**STAMPED, "scenario_id": "s", "messages": [], "reward": 1, "lineage": {"judge_version": "3"}}
    assert joined(row) == row


def test_kind_and_version_of_a_scorer_survive_the_wire():
    scorer = ScorerRef("rm-2", "reward_model", "v9")
    out = wai.to_row(wai.Task("t"), wai.Rollout("r", "t"), [wai.Judgment("r", scorer, 0.25)])
    assert wai.from_row(out)[2][0].scorer == scorer


@each_of("kind", ["human", "reward_model"])
@each_of("meta", ["by hand", ["a", "b"], {"k": 1}, {"scorer_kind": "judge"}, None], ids=str)
def test_a_scorer_keeps_its_kind_and_version_beside_any_judge_meta(kind, meta):
    scorer = ScorerRef("ana", kind, "v2")
    judgment = wai.Judgment("r", scorer, None, "invalid_result", evidence={"judge_meta": meta, "raw_reward": "bad"})
    out = wai.to_row(wai.Task("t"), wai.Rollout("r", "t"), [judgment])
    again = wai.from_row(out)[2][0]
    assert again.scorer == scorer
    assert out["judge_meta"]["raw_reward"] == "bad"
    if not isinstance(meta, dict | None):
        assert out["judge_meta"]["value"] == meta
    assert joined(out) == out


def test_a_scorer_made_a_rule_is_no_longer_read_as_human():
    judgment = wai.Judgment("r", ScorerRef("em", "rule"), 1, evidence={"judge_meta": {"scorer_kind": "human"}})
    out = wai.to_row(wai.Task("t"), wai.Rollout("r", "t"), [judgment])
    assert wai.from_row(out)[2][0].scorer == ScorerRef("em", "rule")


def test_a_primary_judge_called_like_a_side_verdict_stays_primary_without_a_reward():
    row = {**STAMPED, "scenario_id": "s", "messages": [], "judge_name": "qwen", "judge_status": "timeout"}
    assert joined(row) == row


def test_unknown_keys_of_a_calibration_come_back():
    block = {"n": 8, "pass_rate": 0.5, "seed": 3}
    assert joined({**STAMPED, "scenario_id": "s", "calibration": block})["calibration"] == {
        "task_id": "s", "student": {"name": "", "model": None, "prompt_hash": None, "version": None},
        "n": 8, "pass_rate": 0.5, "mean_kl": None, "pass_rate_ci95": None, "seed": 3,
    }  # fmt: skip


# Which shape is read how.


@each_of("name", ["prompt", "question", "input", "task", "ask"])
@each_of("reply", ["final_text", "final", "output", "response", "answer", "completion"])
def test_every_spelling_of_ask_and_reply_is_read(name, reply):
    task, rollout, _, _ = wai.from_row({name: "2 + 2?", reply: "4"})
    assert (task.prompt, rollout.final_text) == ("2 + 2?", "4")


@each_of("arguments", ["arguments", "input", "args", "parameters"])
@each_of("result", ["result", "output", "response"])
@each_of("shape", [{}, {"scenario_id": "s"}, {"schema_version": "1"}, {"conversation_id": "c"}], ids=str)
def test_every_spelling_of_a_step_is_read_on_every_shape(arguments, result, shape):
    row = {"prompt": "p", "steps": [{"tool": "get", arguments: {"id": 5}, result: "ok"}], "final_text": "x", **shape}
    assert wai.from_row(row)[1].steps == [Step("get", {"id": 5}, "ok")]


@pytest.mark.parametrize("name", ["tool_trace", "trace"])
@pytest.mark.parametrize("shape", [{}, {"scenario_id": "s"}, {"conversation_id": "c"}], ids=str)
def test_steps_under_another_name_are_read_and_stay_on_the_row(name, shape):
    row = {"prompt": "p", name: [{"tool": "get", "input": {}, "output": 1}, {"text": "One."}], **shape}
    _, rollout, _, _ = wai.from_row(row)
    assert [step.tool for step in rollout.steps] == ["get", None]
    assert rollout.final_text == "One."
    assert rollout.extra["passthrough"][name] == row[name]


def test_a_stored_empty_step_list_is_final_on_an_engine_row_only():
    row = {"messages": CHAT, "steps": [], "final_text": "x"}
    assert wai.from_row({**row, "scenario_id": "s"})[1].steps == []
    assert len(wai.from_row(row)[1].steps) == 3


def test_a_training_record_is_read_from_its_messages_even_with_a_scenario_id():
    task, rollout, _, _ = wai.from_row({"messages": CHAT, "scenario_id": "s"})
    assert task.prompt == "Where is order 4473?"
    assert rollout.final_text == "It arrives on Friday."
    assert rollout.steps[1] == Step("get", {"id": 4473}, {"eta": "Friday"}, "Checking.")


def test_an_empty_reply_of_an_engine_row_stays_empty():
    row = {"scenario_id": "s", "prompt": "p", "steps": [{"text": "Hm."}], "final_text": "", "answer": "42"}
    assert wai.from_row(row)[1].final_text == ""


@pytest.mark.parametrize(
    "more",
    [{}, {"messages": CHAT}, {"steps": [{"user": "Hi"}]}, {"completion": CHAT[2:]}],
    ids=lambda more: str([*more]),
)
def test_an_empty_prompt_of_a_stamped_row_stays_empty(more):
    row = {**STAMPED, "scenario_id": "s", "prompt": "", "question": "q", "final_text": "", **more}
    out = joined(row)
    assert (out["prompt"], out["final_text"]) == ("", "")
    assert out == {"messages": out["messages"], **row}


@pytest.mark.parametrize(
    ("call", "step"),
    [
        ({"name": ""}, {"text": "Howdy"}), ({"name": "", "arguments": "{"}, {"text": "Howdy"}),
        ({"name": "", "arguments": {"a": 1}}, {"tool": "", "arguments": {"a": 1}, "result": None, "text": "Howdy"}),
    ],
    ids=str,
)  # fmt: skip
def test_a_call_that_names_no_tool_is_stable(call, step):
    turns = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "Howdy", "tool_calls": [call]}]
    out = joined({"messages": turns})
    assert out["steps"] == [{"user": "q"}, step]
    assert joined(out) == out


def test_a_record_without_ask_and_steps_is_read_as_it_stands():
    _, rollout, _, _ = wai.from_row({"output": "42"})
    assert rollout.final_text == ""
    assert rollout.extra == {"passthrough": {"output": "42"}}


def test_a_gold_answer_beside_a_completion_is_not_the_reply():
    assert wai.from_row({"prompt": "6 * 7?", "completion": "43", "answer": "42"})[1].final_text == "43"


def test_conversational_prompt_and_completion_keep_every_turn():
    row = {"prompt": CHAT[:2], "completion": CHAT[2:], "reward": 1}
    task, rollout, _, _ = wai.from_row(row)
    assert task.prompt == "Where is order 4473?"
    assert rollout.final_text == "It arrives on Friday."
    assert [step.tool for step in rollout.steps] == [None, "get", None]
    assert joined(row)["messages"] == CHAT


def test_the_reply_of_a_conversational_completion_is_the_agents_even_when_the_user_speaks_last():
    row = {
        "prompt": "p",
        "completion": [{"role": "assistant", "content": "Done."}, {"role": "user", "content": "Thanks"}],
    }
    assert wai.from_row(row)[1].final_text == "Done."


@pytest.mark.parametrize("trace", ["0af7", [{"note": 1}], ["a"], {}], ids=repr)
def test_a_trace_that_is_no_step_list_is_a_column_like_any_other(trace):
    row = {"prompt": "p", "messages": CHAT, "trace": trace}
    assert [step.tool for step in wai.from_row(row)[1].steps] == [None, "get", None]
    assert joined(row)["trace"] == trace


def test_from_value_records_are_read():
    turns = [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Hello."}]
    task, rollout, _, _ = wai.from_row({"conversations": turns})
    assert (task.prompt, rollout.final_text) == ("Hi", "Hello.")
    assert joined({"conversations": turns})["conversations"] == turns


def test_two_prompts_that_are_no_text_are_two_tasks():
    ids = {wai.from_row({"prompt": prompt, "final_text": "x"})[0].task_id for prompt in ({"a": 1}, {"a": 2}, [1], 5)}
    assert len(ids) == 4


def test_flattened_columns_that_do_not_parse_or_are_not_needed_stay():
    row = {"prompt": "p", "steps": [{"text": "x"}], "steps_json": "[]", "messages_json": "{", "metadata_json": "[1]"}
    rest = wai.from_row(row)[1].extra["passthrough"]
    assert rest == {"steps_json": "[]", "messages_json": "{", "metadata_json": "[1]"}


@pytest.mark.parametrize("empty", [None, "", pd.NA, pd.NaT, float("nan")], ids=str)
def test_an_empty_scenario_id_names_no_task(empty):
    row = {"scenario_id": empty, "task_id": 0, "prompt": "p", "rollout_id": empty}
    task, rollout, _, _ = wai.from_row(row)
    assert (task.task_id, wai.task_key(row), wai.task_key(joined(row))) == ("0", "0", "0")
    assert rollout.rollout_id == wai.from_row({"task_id": 0, "prompt": "p"})[1].rollout_id


@pytest.mark.parametrize("row", [None, [], "row", 5, (("prompt", "p"),)], ids=repr)
def test_anything_but_a_dict_is_a_type_error(row):
    with pytest.raises(TypeError, match="must be a dict"):
        wai.from_row(row)


# Verdicts, measurements, the world.


@pytest.mark.parametrize("reward", ["great", [1], float("nan"), float("inf"), "nan", {"score": 1}], ids=repr)
def test_a_reward_no_report_can_use_is_an_invalid_result_never_zero(reward):
    judgment = primary({"reward": reward, "judge_status": "ok"})
    assert (judgment.reward, judgment.status) == (None, "invalid_result")
    assert repr(judgment.evidence["raw_reward"]) == repr(reward)


@pytest.mark.parametrize(
    ("row", "name", "kind"),
    [
        ({"reward": 1}, "unlabeled", "rule"),
        ({"label_source": "em"}, "em", "rule"),
        ({"judge_name": "j", "label_source": "em"}, "j", "judge"),
        ({"reward": 1, "label_source": "ana", "judge_meta": {"scorer_kind": "human"}}, "ana", "human"),
        ({"judge_name": "j", "judge_meta": {"scorer_kind": ["human"]}}, "j", "judge"),
    ],
)
def test_who_scored(row, name, kind):
    scorer = primary(row).scorer
    assert (scorer.name, scorer.kind) == (name, kind)
    assert wai.from_row(joined(row))[2][0].scorer == scorer


def test_further_primary_judgments_do_not_fit_the_wire():
    verdicts = [wai.Judgment("r", ScorerRef(name), value) for name, value in (("a", 1), ("b", 0))]
    out = wai.to_row(wai.Task("t"), wai.Rollout("r", "t"), verdicts)
    assert (out["reward"], out["label_source"]) == (1, "a")


def test_seed_state_and_faults_make_the_world_and_the_ledger():
    task, rollout, _, _ = wai.from_row(ENGINE)
    assert task.world == World(41, "order late", {"get": {"mode": "timeout", "rate": 0.5}})
    assert [(f.tool, f.mode, f.rate, f.injected) for f in rollout.ledger] == [("get", "timeout", 0.5, True)]
    assert task.privileged == Privileged(reference="Friday")


@pytest.mark.parametrize("hidden", ["flagged", ["a"], 5], ids=repr)
def test_a_hidden_state_of_any_type_is_kept(hidden):
    row = {"scenario_id": "s", "prompt": "p", "privileged": {"hidden_state": hidden, "rubric": hidden}}
    task = wai.from_row(row)[0]
    assert task.privileged.hidden_state == task.privileged.rubric == hidden
    assert joined(row)["privileged"] == row["privileged"]


# Derived messages.


def said(steps, final="Done.", prompt="p", **extra):
    rollout = wai.Rollout("r", "t", steps=steps, final_text=final, extra=extra)
    messages = wai.to_row(wai.Task("t", prompt=prompt), rollout)["messages"]
    return [(message["role"], message["content"]) for message in messages]


def test_the_reply_follows_the_last_tool_result():
    assert said([Step("get", {}, None)]) == [
        ("user", "p"), ("assistant", ""), ("tool", "null"), ("assistant", "Done."),
    ]  # fmt: skip


def test_a_reply_said_earlier_is_not_repeated():
    assert said([Step(text="Done."), Step("get", {}, "x")])[-1] == ("tool", "x")


def test_trailing_user_turns_are_dropped_but_not_before_a_crash():
    steps = [Step(text="Done."), Step(user="And?"), Step(user="Hello?")]
    assert said(steps) == [("user", "p"), ("assistant", "Done.")]
    assert said(steps, "<agent error: x>")[-2:] == [("user", "Hello?"), ("assistant", "<agent error: x>")]


def test_an_empty_last_turn_takes_the_reply():
    assert said([Step(text="")]) == [("user", "p"), ("assistant", "Done.")]


def test_the_ask_is_said_once():
    assert said([Step(user="p")]) == [("user", "p"), ("assistant", "Done.")]


def test_an_opener_comes_first():
    assert said([], opener="Hi.") == [("assistant", "Hi."), ("user", "p"), ("assistant", "Done.")]


def test_a_result_that_is_no_json_is_written_as_text():
    assert said([Step("get", {}, {(1, 2): "x"})])[2] == ("tool", "{(1, 2): 'x'}")
    assert said([Step("get", {}, {"name": "Zoë"})])[2] == ("tool", '{"name": "Zoë"}')


# The objects.


def test_rows_share_no_mutable_default():
    (left, one, *_), (right, two, *_) = wai.from_row({"prompt": "p"}), wai.from_row({"prompt": "p"})
    for a, b in [
        (left.axes, right.axes), (left.world.faults, right.world.faults), (one.steps, two.steps),
        (left.privileged.rubric, right.privileged.rubric), (one.ledger, two.ledger), (one.extra, two.extra),
    ]:  # fmt: skip
        assert a == b
        assert a is not b
    left.axes["tone"] = "x"
    assert left.axes == {"tone": "x"}
    assert right.axes == {}


def test_objects_read_from_a_row_are_equal_to_those_made_by_hand():
    task, rollout, judgments, markers = wai.from_row({"task_id": "t", "prompt": "p", "reward": 1, "markers": {"m": 2}})
    assert task == wai.Task("t", prompt="p")
    assert rollout.policy == PolicyRef()
    assert judgments == [wai.Judgment(rollout.rollout_id, ScorerRef("unlabeled"), 1, evidence={"reward_present": True})]
    assert markers == [wai.Marker(rollout.rollout_id, "m", 2.0)]


@pytest.mark.parametrize("again", [copy.deepcopy, copy.copy, lambda x: pickle.loads(pickle.dumps(x))])
def test_objects_can_be_copied_and_pickled(again):
    parts = wai.from_row({**ENGINE, "steps": [{"text": "x"}], "calibration": {"n": 8, "pass_rate": 0.5}})
    assert again(parts) == parts
    assert [again(step) for step in parts[1].steps] == parts[1].steps


def test_objects_can_be_replaced_and_turned_to_dicts():
    task, rollout, _, _ = wai.from_row({"task_id": "t", "prompt": "p", "steps": [{"text": "x"}]})
    assert dataclasses.replace(task, prompt="q").prompt == "q"
    assert dataclasses.replace(rollout.steps[0], text="y") == Step(text="y")
    assert dataclasses.asdict(task)["world"] == {"seed": None, "state": None, "faults": {}, "exemplars": {}}
    assert repr(rollout.steps[0]).startswith("Step(tool=None, arguments=None, result=None, text='x', user=None")


@pytest.mark.parametrize(
    ("thing", "name"),
    [(Step(text="x"), "text"), (World(), "faults"), (wai.from_row({"steps": [{"text": "x"}]})[1].steps[0], "tool")],
)
def test_frozen_objects_cannot_be_edited(thing, name):
    with pytest.raises(AttributeError):
        setattr(thing, name, "y")


def test_an_object_has_no_other_attributes():
    with pytest.raises(AttributeError):
        Step().nothing  # noqa: B018
    with pytest.raises(AttributeError):
        World.faults  # noqa: B018


# Checks.

SCHEMA = json.loads(files("whileai.simulations").joinpath("schemas/row-v1.json").read_text(encoding="utf-8"))
DEFINITIONS = {"row": "row", "training": "training_row", "preference": "preference_row"}
TURN = {"role": "user", "content": "q"}
PAIR = {"chosen": [TURN], "rejected": [TURN]}
CHECKED = [
    ("row", STAMPED, []),
    ("row", {**STAMPED, "schema_version": 1, "unknown": {"a": 1}, "messages": 5}, []),
    ("row", {"schema_version": "1"}, ["prompt_missing", "steps_missing", "final_text_missing"]),
    ("row", {**STAMPED, "prompt": None}, ["prompt_not_str"]),
    ("row", {**STAMPED, "schema_version": "2"}, ["unknown_schema_version:2"]),
    ("row", {**STAMPED, "schema_version": True}, ["unknown_schema_version:True"]),
    ("row", {**STAMPED, "schema_version": ["1"]}, ["unknown_schema_version:['1']"]),
    ("row", {**STAMPED, "reward": True}, ["reward_is_bool"]),
    ("row", {**STAMPED, "reward": "1"}, ["reward_not_number"]),
    ("row", {**STAMPED, "reward": float("inf")}, ["reward_not_finite"]),
    ("row", {**STAMPED, "reward": 10**400}, ["reward_not_finite"]),
    ("row", {**STAMPED, "reward": None, "calibration": None}, []),
    ("row", {**STAMPED, "calibration": {"n": 1.5, "pass_rate": True}}, []),
    ("row", {**STAMPED, "calibration": {"n": "8", "pass_rate": "0.5"}}, []),
    ("row", {**STAMPED, "calibration": {"n": 0.5, "pass_rate": 0.5}}, ["calibration_invalid"]),
    ("row", {**STAMPED, "calibration": {"n": 10**400, "pass_rate": 0.5}}, ["calibration_invalid"]),
    ("row", {**STAMPED, "calibration": {"n": 8, "pass_rate": 1.2}}, ["calibration_invalid"]),
    ("row", {**STAMPED, "calibration": {"pass_rate": 0.5}}, ["calibration_invalid"]),
    ("row", {**STAMPED, "calibration": [8, 0.5]}, ["calibration_invalid"]),
    ("training", {"messages": [TURN]}, []),
    ("training", {"messages": [TURN], "tools": None, "loss_mask": None, "reward": True}, []),
    ("training", {"messages": [TURN], "loss_mask": [1], "schema_version": "1"}, []),
    ("training", {"messages": [TURN], "loss_mask": [1.0]}, []),
    ("training", {"messages": [TURN], "loss_mask": [2]}, ["loss_mask_invalid"]),
    ("training", {"messages": [TURN], "loss_mask": [True]}, ["loss_mask_invalid"]),
    ("training", {"messages": [TURN], "loss_mask": "1"}, ["loss_mask_invalid"]),
    ("training", {"messages": [TURN], "tools": {}}, ["tools_not_list"]),
    ("training", {"messages": [TURN, "x", {"role": None}]}, ["message_without_role"]),
    ("training", {"messages": {}}, ["messages_missing"]),
    ("training", {"schema_version": "9", "messages": [TURN]}, ["unknown_schema_version:9"]),
    ("preference", PAIR, []),
    ("preference", {**PAIR, "schema_version": 0, "prompt": 5}, []),
    ("preference", {**PAIR, "chosen": []}, ["chosen_missing"]),
    ("preference", {"schema_version": "1"}, ["chosen_missing", "rejected_missing"]),
]


@each_of(("kind", "row", "problems"), CHECKED)
def test_validate_names_the_problems_and_the_json_schema_agrees(kind, row, problems):
    assert wai.validate(row, kind) == problems
    check = Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{DEFINITIONS[kind]}"})
    assert check.is_valid(row) == (not problems)


def test_a_mask_of_another_length_is_invalid_though_json_schema_cannot_say_so():
    assert wai.validate({"messages": [TURN], "loss_mask": [1, 0]}, "training") == ["loss_mask_invalid"]


def test_an_unknown_kind_is_named():
    assert wai.validate({"prompt": "p"}, kind=["row"]) == ["unknown_kind:['row']"]


def test_a_column_of_numbers_with_gaps_still_stamps_version_1():
    assert wai.validate({**STAMPED, "schema_version": 1.0}) == []


def test_the_json_schema_is_a_schema_and_has_the_five_definitions():
    Draft202012Validator.check_schema(SCHEMA)
    assert {"row", "step", "message", "training_row", "preference_row"} <= set(SCHEMA["$defs"])


@pytest.mark.parametrize(
    ("step", "fits"),
    [
        ({"tool": "get", "arguments": {}, "result": None, "text": "x", "n_tokens": 3, "status": "ok"}, True),
        ({"user": "hi"}, True),
        ({"text": "hi", "truncated": True, "logprob": -1.5}, True),
        ({"tool": "get"}, False),
        ({"note": "hi"}, False),
        ({"text": "hi", "logprob": "low"}, False),
    ],
)
def test_the_definition_of_a_step(step, fits):
    assert Draft202012Validator({**SCHEMA, "$ref": "#/$defs/step"}).is_valid(step) == fits


# Calibration.


def test_a_calibration_names_its_task_by_the_row_when_it_does_not_itself():
    block = {"n": 4.9, "pass_rate": "0.5"}
    rows = [{"scenario_id": "", "task_id": 3}, {"prompt": "p"}, {}]
    assert [wai.calibration_of({**row, "calibration": block}).task_id for row in rows] == ["3", "p", ""]
    assert wai.calibration_of({"calibration": block}).n == 4


@pytest.mark.parametrize(
    ("pair", "read"),
    [([0.1, "0.9"], (0.1, 0.9)), ([0.1], None), ("01", None), ([0.1, float("nan")], None), ((0, 1), (0.0, 1.0))],
)
def test_an_interval_is_a_pair_of_numbers(pair, read):
    assert (
        wai.calibration_of({"calibration": {"n": 8, "pass_rate": 0.5, "pass_rate_ci95": pair}}).pass_rate_ci95 == read
    )


def test_a_typed_calibration_or_student_is_taken_as_it_is():
    student = PolicyRef("nova")
    typed = wai.calibration_of({"calibration": {"n": 8, "pass_rate": 0, "student": student}})
    assert typed.student is student
    assert wai.calibration_of({"calibration": typed}) is typed


def test_a_row_read_from_another_tool_keeps_its_empty_reply() -> None:
    row = {"task_id": "5", "prompt": "Cancel it.", "final_text": "", "answer": "done", "output": {"x": 1},
           "reward": None, "lineage": {"format": "verifiers"}}  # fmt: skip
    rollout = wai.from_row(row)[1]
    assert rollout.final_text == ""
    assert wai.to_row(*wai.from_row(row))["answer"] == "done"


def test_what_from_row_makes_is_frozen_and_shares_nothing():
    row = {"scenario_id": "s", "prompt": "p", "reward": 1, "steps": [{"tool": "get"}], "markers": {"polite": 1.0}}
    (_, one, judged, [marker]), (_, _, _, [other]) = wai.from_row(row), wai.from_row(row)
    assert [type(made) for made in (one.steps[0], judged[0], marker)] == [Step, wai.Judgment, wai.Marker]
    for made in (one.steps[0], judged[0], marker):
        for change in (setattr, lambda held, name, _: delattr(held, name)):
            with pytest.raises(dataclasses.FrozenInstanceError):
                change(made, dataclasses.fields(made)[0].name, "x")
    assert pickle.loads(pickle.dumps(other)) == copy.copy(other) == marker == wai.Marker(one.rollout_id, "polite", 1.0)
    marker.evidence["span"] = [0, 4]
    assert other.evidence == {}
    assert not hasattr(marker, "weight")


def test_the_evidence_of_a_read_judgment_is_its_own() -> None:
    row = {"task_id": "a", "reward": 1}
    (one,), (two,) = wai.from_row(row)[2], wai.from_row(row)[2]
    one.evidence["seen"] = True
    assert two.evidence == {"reward_present": True}
