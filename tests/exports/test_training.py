"""`export_training` and `training_rows`: lines, masks, the report, what is refused."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas
import pytest
from hypothesis import given, settings

import whileai.simulations as wai
from export_rows import TOOLS, parallel, stepped
from strategies import rows
from whileai.simulations.exports import export_dataset, export_preference, export_training, training_rows
from whileai.simulations.rows.load import load_rows
from whileai.simulations.rows.rowlist import RowList
from whileai.simulations.rows.text import calls, reply
from whileai.simulations.score.judging import ScoredData

FORMATS = ("openai", "trl", "fireworks")
SECRET = "the seal was broken twice"


def test_openai_line_holds_the_chat_the_mask_the_tools_the_grade_and_the_lineage() -> None:
    line = training_rows([stepped(reason="done", _own=1)], tools=TOOLS, system_prompt="Be kind.")[0]
    assert line["messages"][0] == {"role": "system", "content": "Be kind."}
    assert line["messages"][4]["tool_calls"][0]["function"] == {
        "name": "refund", "arguments": '{"id": 9, "reference": "R-1"}',
    }  # fmt: skip
    assert line["loss_mask"] == [0, 0, 1, 0, 1, 0, 1]
    assert [tool["function"]["name"] for tool in line["tools"]] == ["get_order", "refund"]
    assert {tool["type"] for tool in line["tools"]} == {"function"}
    facts = ("prompt", "reward", "reason", "scenario_id", "rollout_index", "lineage")
    assert [line[name] for name in facts] == [
        "Refund order 9.", 1, "done", "refund-9", 0, {"system_prompt_sha": "ab12", "eval_run": "r1"},
    ]  # fmt: skip


def test_trl_line_has_dicts_for_arguments_and_no_column_that_a_trainer_takes_for_its_own() -> None:
    line = training_rows([parallel()], format="trl")[0]
    arguments = [call["function"]["arguments"] for call in line["messages"][2]["tool_calls"]]
    assert arguments == [{"id": 1}, {"id": 2, "note": None}]
    assert line["prompt_text"] == "Where are orders 1 and 2?"
    assert not {"prompt", "completion", "loss_mask", "label"} & line.keys()


def test_fireworks_line_has_messages_with_weights_and_tools_only() -> None:
    line = training_rows([parallel()], format="fireworks", tools=TOOLS, mask_mode="final")[0]
    assert line.keys() == {"messages", "tools"}
    assert [turn.get("weight") for turn in line["messages"]] == [None, None, 0, None, None, 1]


def test_final_trains_on_the_last_turn_of_the_agent() -> None:
    assert training_rows([parallel()], mask_mode="final")[0]["loss_mask"] == [0, 0, 0, 0, 0, 1]
    line = training_rows([parallel()], mask_mode="final", format="trl")[0]
    assert [turn["role"] for turn in line["prompt"]] == ["system", "user", "assistant", "tool", "tool"]
    assert line["completion"] == [{"role": "assistant", "content": "1: shop, 2: home."}]


def test_unroll_makes_a_line_of_each_turn_of_the_agent() -> None:
    lines = training_rows([stepped()], unroll=True)
    assert [len(line["messages"]) for line in lines] == [2, 4, 6]
    assert [line["loss_mask"] for line in lines] == [[0, 1], [0, 0, 0, 1], [0, 0, 0, 0, 0, 1]]
    completions = [line["completion"] for line in training_rows([stepped()], unroll=True, format="trl")]
    assert [len(completion) for completion in completions] == [1, 1, 1]


def test_a_line_ends_with_the_last_turn_of_the_agent() -> None:
    chat = [*parallel()["messages"], {"role": "user", "content": "###STOP###"}]
    assert training_rows([parallel(messages=chat)])[0]["messages"][-1]["role"] == "assistant"


def test_the_system_prompt_given_stands_before_that_of_the_row_and_of_the_source() -> None:
    source = RowList([parallel(), stepped(), stepped(system_prompt="Row.")], system_prompt="Source.", tools=TOOLS)
    first = [line["messages"][0]["content"] for line in training_rows(source)]
    assert first == ["Be brief.", "Source.", "Row."]
    given = [line["messages"][:2] for line in training_rows(source, system_prompt="Given.")]
    assert [[turn["role"] for turn in pair] for pair in given] == [["system", "user"]] * 3
    assert all(len(line["tools"]) == 2 for line in training_rows(source))


def test_a_run_gives_each_row_the_prompt_it_was_made_with() -> None:
    profile = SimpleNamespace(policy="Profile.", tools=TOOLS)
    run = SimpleNamespace(
        trajectories=[stepped(), stepped(lineage={})], profile=profile, system_prompts={"ab12": "First."}
    )
    lines = training_rows(run)
    assert [line["messages"][0]["content"] for line in lines] == ["First.", "Profile."]
    assert all("tools" in line for line in lines)


def test_scored_data_gives_the_prompt_and_tools_of_its_rows() -> None:
    rows = RowList([stepped()], system_prompt="Be kind.", tools=TOOLS)
    scored = ScoredData(rows, run_id="r", source="s", judge_name="j")
    line = training_rows(scored)[0]
    assert (line["messages"][0]["content"], len(line["tools"])) == ("Be kind.", 2)


def test_the_report_counts_what_was_written(tmp_path: Path) -> None:
    rows = [parallel(), stepped(0), stepped(None), stepped(0.7), {"prompt": "Hi", "final_text": "<agent error: x>"}]
    path = tmp_path / "train.jsonl"
    report = export_training(rows, path, tools=TOOLS, max_tool_output_chars=5)
    assert dict(report) == {
        "path": str(path),
        "n": 5,
        "n_written": 4,
        "format": "openai",
        "with_system": 1,
        "with_tools": 4,
        "groups": 2,
        "rewards": {"n_pass": 2, "n_fail": 1, "n_ungraded": 1},
        "mask_mode": "assistant",
        "trained_messages": 2 + 3 * 3,
        "masked_messages": 4 + 3 * 3,
        "unrolled": False,
        "tool_call_roundtrip": {"checked": 5, "invalid": 0, "rows": [], "encoding": "json_string"},
        "privileged_leaks": {
            "checked": False,
            "n_checked": 0,
            "n_leaked": 0,
            "leaked": [],
            "summary": "checked 0 of 5 rows: no row carries a privileged block",
        },
        "tool_output_truncated": 5,
        "tool_output_chars_cut": 2 * (len('{"at": "home"}') - 5) + 3 * (len('{"ok": true, "reference": "R-1"}') - 5),
        "max_tool_output_chars": 5,
        "warnings": [
            "3 rows had a system prompt and the file has none: pass system_prompt=, or the policy is trained without "
            "what it will be told",
            "1 row left out: the agent says and calls nothing there, or only crashed",
        ],
        "pushed": None,
    }
    assert "openai: 4 lines of 5 rows written to" in str(report)
    assert json.loads(json.dumps(report)) == report


def test_every_key_is_there_on_every_path(tmp_path: Path) -> None:
    keys = list(export_training([], tmp_path / "none.jsonl"))
    assert (tmp_path / "none.jsonl").read_text() == ""
    for form in FORMATS:
        report = export_training([stepped()], format=form, system_prompt="x", tools=TOOLS)
        assert list(report) == keys
        assert (report["path"], report["n"], report["n_written"], report["warnings"]) == (None, 1, 0, [])
        assert "no output was named" in str(report)
    assert "nothing to write" in export_training([])["warnings"][0]


@pytest.mark.parametrize("form", FORMATS)
def test_load_rows_reads_the_same_reply_calls_and_reward(form: str, tmp_path: Path) -> None:
    rows = [parallel(), stepped(0), stepped(0.25), {"prompt": "Sky?", "final_text": "Blue.", "reward": True}]
    for options in ({}, {"mask_mode": "final"}):
        export_training(rows, tmp_path / "train.jsonl", format=form, tools=TOOLS, **options)
        back = list(load_rows(tmp_path / "train.jsonl"))
        assert [reply(row) for row in back] == ["1: shop, 2: home.", "Refunded.", "Refunded.", "Blue."]
        assert [[(call.name, call.arguments, call.result) for call in calls(row)] for row in back] == [
            [(call.name, call.arguments, call.result) for call in calls(row)] for row in rows
        ]
        if form != "fireworks":
            assert [row["reward"] for row in back] == [1, 0, 0.25, 1]


def test_a_reply_that_quotes_its_privileged_block_is_refused_by_row_and_nothing_is_written(tmp_path: Path) -> None:
    leaky = stepped(final_text=f"Refunded, as {SECRET.upper()}.", privileged={"reference": SECRET})
    path = tmp_path / "train.jsonl"
    path.write_text("before")
    with pytest.raises(ValueError, match=r"1 row quotes .*: row 2 \(refund-9\): reference; leave them out") as refused:
        export_training([stepped(), leaky], path)
    assert SECRET not in str(refused.value).lower()
    assert [entry.name for entry in tmp_path.iterdir()] == ["train.jsonl"]
    assert path.read_text() == "before"
    report = export_training([stepped(), leaky], path, validate=False)
    assert (report["privileged_leaks"]["n_leaked"], report["n_written"]) == (1, 2)
    assert report["privileged_leaks"]["leaked"][0]["field"] == "reference"
    assert "written all the same" in report["warnings"][-1]


def test_what_the_user_said_first_is_no_leak() -> None:
    row = stepped(prompt=f"Sorry, {SECRET}.", final_text=f"So {SECRET}.", privileged={"reference": SECRET})
    assert training_rows([row])[0]["messages"][-1]["content"] == f"So {SECRET}."


def test_no_line_holds_the_block(tmp_path: Path) -> None:
    row = stepped(privileged={"reference": SECRET}, reason=SECRET, lineage={"rubric": SECRET}, markers={"_m": SECRET})
    for form in FORMATS:
        assert SECRET not in json.dumps(training_rows([row], format=form))


@pytest.mark.parametrize(
    "arguments", ["five", {"n": float("nan")}, {"n": {1, 2}}, [1]], ids=["text", "nan", "set", "list"]
)
def test_calls_that_would_change_are_refused(arguments: Any) -> None:
    row = {"prompt": "Hi", "steps": [{"tool": "get", "arguments": arguments, "result": 1}], "final_text": "Done."}
    with pytest.raises(ValueError, match=r"1 tool call would not be read back as made \(row 2\)"):
        training_rows([stepped(), row])
    report = export_training([stepped(), row], validate=False, format="trl")
    assert report["tool_call_roundtrip"] == {"checked": 2, "invalid": 1, "rows": [2], "encoding": "dict"}


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"format": "parquet"}, "format must be one of openai, trl, fireworks, verifiers, got 'parquet'"),
        ({"mask_mode": "all"}, "mask_mode must be one of assistant, final, got 'all'"),
        ({"max_tool_output_chars": 0}, "max_tool_output_chars must be a whole number of at least 1, got 0"),
        ({"format": "verifiers", "unroll": True}, "unroll=True"),
        ({"format": "verifiers", "push_to": "./x"}, "push_to sends a file of lines"),
    ],
)
def test_wrong_arguments_are_named(options: dict[str, Any], named: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=named):
        export_training([stepped()], tmp_path / "x.jsonl", **options)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("export", [export_training, export_preference])
def test_parquet_is_refused_as_its_calls_have_no_one_type(export: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"training files are JSON lines; name a \.jsonl"):
        export([stepped()], tmp_path / "train.parquet")


@pytest.mark.parametrize("source", [{"prompt": "Hi"}, 5, None], ids=["dict", "number", "None"])
def test_what_holds_no_rows_is_a_type_error(source: Any) -> None:
    with pytest.raises(TypeError, match="source is a run, a list of rows or a path"):
        training_rows(source)


def test_an_entry_that_is_no_row_is_named() -> None:
    with pytest.raises(ValueError, match=r"row 1 must be a dict, found a list: give the rows alone"):
        training_rows(([stepped()], {"kept": 1}))


def test_tools_of_the_wrong_kind_are_a_type_error() -> None:
    with pytest.raises(TypeError, match="tools= takes a sequence"):
        training_rows([stepped()], tools="get_order")


def test_plain_functions_are_tools() -> None:
    def get_order(order_id: str, verbose: bool = False) -> dict[str, Any]:
        """Look an order up."""
        raise NotImplementedError

    schema = training_rows([stepped()], tools=[get_order])[0]["tools"][0]["function"]
    assert schema["name"] == "get_order"
    assert schema["description"] == "Look an order up."
    assert list(schema["parameters"]["properties"]) == ["order_id", "verbose"]


def test_a_file_is_a_source_and_rows_stay_as_they_were(tmp_path: Path) -> None:
    rows = [parallel(), stepped(privileged={"reference": "R"})]
    before = copy.deepcopy(rows)
    export_training(rows, tmp_path / "one.jsonl")
    assert rows == before
    again = training_rows(tmp_path / "one.jsonl")
    assert [line["messages"] for line in again] == [line["messages"] for line in training_rows(rows)]


def test_lines_are_pushed_where_rows_are(tmp_path: Path) -> None:
    report = export_training([stepped()], push_to=str(tmp_path / "refunds"), format="trl")
    assert report["pushed"]["version"] == 1
    assert next(iter(load_rows(Path(report["pushed"]["path"]) / "data/train.jsonl")))["reward"] == 1
    assert export_training([stepped()], push_to=str(tmp_path / "refunds"), format="trl")["pushed"]["created"] is False


def test_a_table_is_a_source() -> None:
    frame = pandas.DataFrame([{"task_id": "a", "prompt": "Sky?", "final_text": "Blue.", "reward": 1.0}])
    assert training_rows(frame)[0]["messages"][-1]["content"] == "Blue."


@settings(max_examples=25)
@given(rows())
def test_no_row_is_too_odd(row: dict[str, Any]) -> None:
    for form in FORMATS:
        for line in training_rows([row], format=form, validate=False, unroll=True, max_tool_output_chars=3):
            assert "assistant" in json.dumps(line)


def test_the_two_names_are_one_function() -> None:
    assert export_dataset is export_training


@pytest.mark.parametrize(
    "said",
    [
        {"steps": [{"tool": "note", "arguments": {"text": [SECRET]}, "result": SECRET}], "final_text": "Noted."},
        {"messages": [{"role": "assistant", "content": "No.", "reasoning_content": SECRET}]},
    ],
    ids=["call", "thought"],
)
@pytest.mark.parametrize("block", [{"reference": SECRET}, SECRET, [SECRET]], ids=["dict", "text", "list"])
def test_what_is_called_or_thought_with_the_block_is_refused(said, block):
    with pytest.raises(ValueError, match="quotes the privileged block") as refusal:
        wai.training_rows([{"prompt": "q", "reward": 1, "privileged": block, **said}])
    assert SECRET not in str(refusal.value)
    kept, report = wai.optimize([{"prompt": "q", "reward": 1, "privileged": block, **said}], mode="sft")
    assert (kept, report["privileged_leaks_dropped"]) == ([], 1)


def test_a_call_with_what_a_tool_had_said_before_is_no_leak():
    steps = [
        {"tool": "look", "arguments": {}, "result": {"note": SECRET}},
        {"tool": "note", "arguments": {"text": SECRET}, "result": "ok"},
    ]
    row = {"prompt": "q", "steps": steps, "final_text": "Noted.", "reward": 1, "privileged": {"reference": SECRET}}
    assert len(wai.training_rows([row])) == 1


def test_a_reply_that_shows_the_markup_of_a_call_stays_as_it_is(tmp_path):
    reply = 'It is paid. Example: <tool_call>{"name":"x","arguments":{}}</tool_call> Bye.'
    row = {"prompt": "p", "steps": [{"tool": "get", "arguments": {"a": 1}, "result": "R1"}], "final_text": reply}
    assert wai.training_rows([row])[0]["messages"][-1]["content"] == reply
    assert any("raw markup" in text for text in wai.export_training([row], tmp_path / "a.jsonl")["warnings"])


def test_lines_are_json_that_strict_readers_take(tmp_path):
    row = {"prompt": "q", "final_text": "a \ud83d", "reward": 1, "markers": {"x": float("nan"), "n": 2**70}}
    wai.export_training([row], tmp_path / "a.jsonl")
    text = (tmp_path / "a.jsonl").read_text(encoding="utf-8")
    line = json.loads(text, parse_constant=lambda name: pytest.fail(name))
    assert line["messages"][-1]["content"] == "a \ufffd"
    assert line["markers"] == {"x": None, "n": 2**70}
