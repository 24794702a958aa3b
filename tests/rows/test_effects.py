"""The kind of a call, and whether it changed something: spec/trace.md "Kind of a call", spec/checklist.md "Write"."""

from __future__ import annotations

import pytest
from hypothesis import given

from strategies import json_values, texts
from tables import each_of
from whileai.simulations.rows.calls import Call
from whileai.simulations.rows.effects import (
    Effect,
    attempted_change,
    call_effect,
    call_paths,
    could_change,
    succeeded_change,
    written_text,
)


@each_of(
    ("name", "arguments", "effect"),
    [
        ("bash", {"command": "ls"}, "command"), ("dial", {"cmd": ["ls"]}, "write"), ("zap", {"command": "ls"},
        "command"),
        ("execute_sql", {"query": "select 1"}, "command"), ("postgres", {"statement": "select 1"}, "command"),
        ("search_docs", {"query": "rm -rf"}, "read"), ("delete_file", {"path": "a"}, "delete"),
        ("remove_member", {"id": "5"}, "delete"), ("stage", {"path": "a", "content": "x"}, "write"),
        ("search_file", {"path": "a", "text": "x"}, "read"), ("create_ticket", {"title": "x"}, "write"),
        ("run_report", {}, "command"), ("stage", {"target": "a"}, "read"), ("open_file", {"filename": "a"}, "read"),
        ("str_replace_based_edit_tool", {"command": "view", "path": "a"}, "read"),
        ("str_replace_editor", {"command": "create", "path": "a", "file_text": "x"}, "write"),
        ("str_replace_editor", {"command": "insert", "path": "a", "insert_line": 1, "new_str": "x"}, "write"),
        ("edit", {"command": "edit 1:2\nx\nend_of_edit"}, "write"), ("get_weather", {"city": "Oslo"}, "read"),
        ("zap", {}, None), ("zap", {"path": 5}, None), ("write_file", {"path": "a", "content": ""}, "write"),
    ],
)  # fmt: skip
def test_the_kind_of_a_call(name, arguments, effect):
    assert call_effect(Call(name, arguments)) == effect


@pytest.mark.parametrize(("kind", "effect"), [("write", Effect.WRITE), ("other", None), (None, None), (5, None)])
def test_kinds_win_by_exact_name(kind, effect):
    assert call_effect(Call("bash", {"command": "ls"}), {"bash": kind}) is effect
    assert call_effect(Call("Bash", {"command": "ls"}), {"bash": kind}) is Effect.COMMAND


@pytest.mark.parametrize(
    "call",
    [
        Call("bash", {"command": "sed -i s/a/b/ x"}), Call("edit_file", {"path": "a"}), Call("delete_user", {"id": 5}),
        Call("bash", {"command": "cat > a <<E\nx\nE"}), Call("execute_sql", {"query": "drop table a"}),
        Call("update_address", {"to": "x"}, result="Error: denied", answered=True),
    ],
)  # fmt: skip
def test_an_attempted_change(call):
    assert attempted_change(call)
    assert could_change(call)


@pytest.mark.parametrize(
    "call",
    [
        Call("bash", {"command": "cat a 2>/dev/null | grep x"}), Call("get_order", {"id": 5}), Call("read_file",
        {"path": "a"}),
        Call("execute_sql", {"query": "select 1"}), Call("run_tests"), Call("think", {"thought": "x"}),
    ],
)  # fmt: skip
def test_no_change(call):
    assert not attempted_change(call)
    assert not could_change(call)


@pytest.mark.parametrize(
    "call",
    [
        Call("bash", {"command": "python fix.py"}),
        Call("reboot"),
        Call("execute_code", {"code": "x"}),
        Call("computer", {"a": 1}),
    ],
)
def test_what_cannot_be_told_may_have_changed_something(call):
    assert could_change(call)


def refund(result: object) -> Call:
    return Call("refund", result=result, answered=True)


@pytest.mark.parametrize("result", [{"status": "ok"}, {"status": "refunded"}, {"id": 5}, "done", None, {}])
def test_a_write_with_such_a_result_happened(result):
    assert succeeded_change(refund(result))


@pytest.mark.parametrize(
    "result",
    [
        {"status": "queued"},
        {"status": "PENDING"},
        {"status": "already_done"},
        {"status": "ok", "reason": "already_acted_on"},
    ],
)
def test_a_write_with_such_a_result_did_not_happen(result):
    assert not succeeded_change(refund(result))


def test_a_read_or_a_call_without_an_answer_changed_nothing():
    assert not succeeded_change(Call("refund"))
    assert not succeeded_change(Call("get_refund", result={"status": "ok"}, answered=True))
    assert not succeeded_change(Call("bash", {"command": "ls"}, result={"exit_code": 0}, answered=True))
    assert succeeded_change(Call("bash", {"command": "mv a b"}, result={"exit_code": 0}, answered=True))


def test_a_patch_names_its_files_and_its_new_lines():
    call = Call("apply_patch", {"input": "*** Begin Patch\n*** Update File: a.py\n-x\n+y\n z\n*** End Patch"})
    assert (call_paths(call), written_text(call)) == (["a.py"], "y")


@given(texts, json_values)
def test_any_call_has_a_kind_or_none(name, value):
    for arguments in (
        {"command": value, "path": value},
        {"content": value, "path": "a"},
        {"query": value, "sql": value},
    ):
        call = Call(name, arguments, result=value, answered=True)
        assert call_effect(call) in {None, *Effect}
        assert isinstance(attempted_change(call), bool)
        assert isinstance(succeeded_change(call), bool)
        assert isinstance(written_text(call), str)
