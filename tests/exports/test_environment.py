"""The environment folder: written whole or not at all, loaded and scored by the real verifiers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from export_rows import TOOLS, parallel, stepped
from whileai.simulations.exports import export_training
from whileai.simulations.exports.environment import write_environment
from whileai.simulations.rows.load import load_rows
from whileai.simulations.rows.text import calls, reply

# Runs in a process of its own: verifiers takes seconds to import and warns.
PLAYED = """
import asyncio, json, sys
import refunds_env
import verifiers.v1 as vf
from mcp.server.mcpserver import MCPServer
from refunds_env.taskset import HAS_TOOLS
from refunds_env.tools import RecordedTools

KINDS = {"system": vf.SystemMessage, "user": vf.UserMessage, "assistant": vf.AssistantMessage, "tool": vf.ToolMessage}

def message(turn):
    for call in turn.get("tool_calls", ()):
        call.update(call.pop("function"))
    return KINDS[turn["role"]](**turn)

def score(task, messages):
    nodes = [
        vf.MessageNode(message=message(turn), parent=at - 1 if at else None, sampled=turn["role"] == "assistant")
        for at, turn in enumerate(messages)
    ]
    recorded = vf.TraceTask(type="RowsTask", data=task.data, key=task.key)
    trace = vf.Trace(task=recorded, agent=vf.AgentInfo(config=vf.AgentConfig()), nodes=nodes)
    asyncio.run(task.score(trace))
    return trace.reward

async def called(task, name, arguments):
    tools = RecordedTools(vf.ToolsetConfig())
    await tools.setup_task(task.data)
    server = MCPServer("recorded")
    tools.register(server)
    listed = [tool.name for tool in await server.list_tools()]
    answer = await server.call_tool(name, arguments)
    return listed, answer.content[0].text

env = refunds_env.load_environment()
tasks = {task.key: task for task in env.taskset}
asked = json.load(sys.stdin)
print(json.dumps({
    "env": [base.__name__ for base in type(env).__mro__],
    "tasks": {key: [task.data.prompt, task.data.system_prompt] for key, task in tasks.items()},
    "scores": [score(tasks[key], messages) for key, messages in asked["rollouts"]],
    "answers": [asyncio.run(called(tasks[key], name, arguments)) for key, name, arguments in asked["calls"]],
    "toolsets": len(type(tasks["refund-9"]).toolsets(tasks["refund-9"].config)),
    "has_tools": HAS_TOOLS,
}))
"""


def said(words: str, *made: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    turns: list[dict[str, Any]] = [{"role": "user", "content": "?"}]
    for name, arguments in made:
        function = {"name": name, "arguments": json.dumps(arguments)}
        turns.append({"role": "assistant", "content": "", "tool_calls": [{"id": "x", "function": function}]})
        turns.append({"role": "tool", "tool_call_id": "x", "content": "ok"})
    return [*turns, {"role": "assistant", "content": words}]


def test_verifiers_loads_the_environment_scores_rollouts_and_answers_calls(tmp_path: Path) -> None:
    rows = [stepped(1), stepped(0, final_text="I will not."), parallel(), stepped(0, scenario_id="never")]
    report = export_training(rows, tmp_path / "Refunds-env", format="verifiers", tools=TOOLS_DECLARED)
    assert report["n_written"] == 4
    assert "the environment leaves out 1 task of 3, as no row passes" in report["warnings"][-1]
    right = ("refund", {"id": 9, "reference": "R-1"})
    asked = {
        "rollouts": [
            ["refund-9", said("Refunded.", right)],
            ["refund-9", said("I will not.", right)],
            ["refund-9", said("Refunded.", ("refund", {"id": 8}))],
        ],
        "calls": [["refund-9", *right], ["refund-9", "refund", {"id": 8}]],
    }
    done = subprocess.run(
        [sys.executable, "-c", PLAYED],
        input=json.dumps(asked),
        env={**os.environ, "PYTHONPATH": str(tmp_path / "Refunds-env"), "HF_HUB_OFFLINE": "1", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert "Env" in found["env"]
    assert found["tasks"] == {
        "refund-9": ["Refund order 9.", None],
        "orders": ["Where are orders 1 and 2?", "Be brief."],
    }
    assert found["scores"] == [1.0, 0.0, 0.5]
    assert found["answers"][0] == [["get_order", "refund"], '{"ok": true, "reference": "R-1"}']
    assert "no rollout called refund with these arguments" in found["answers"][1][1]
    assert (found["toolsets"], found["has_tools"]) == (1, True)


TOOLS_DECLARED = [
    TOOLS[0],
    {
        "name": "refund",
        "parameters": {
            "type": "object",
            "properties": {"id": {"type": "integer"}, "reference": {"type": "string"}},
            "required": ["id"],
        },
    },
]


def test_the_folder_is_a_package_and_its_rows_are_read_back(tmp_path: Path) -> None:
    export_training([stepped(1), parallel()], tmp_path / "json", format="verifiers")
    project = tomllib.loads((tmp_path / "json/pyproject.toml").read_text())
    assert project["project"]["name"] == "env-json"
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == ["env_json"]
    back = list(load_rows(tmp_path / "json/env_json/rows.jsonl"))
    assert [(reply(row), len(calls(row)), row["reward"]) for row in back] == [
        ("Refunded.", 1, 1), ("1: shop, 2: home.", 2, 1),
    ]  # fmt: skip
    for module in (tmp_path / "json/env_json").glob("*.py"):
        compile(module.read_text(), str(module), "exec")


def test_an_earlier_export_is_replaced_and_anything_else_is_not(tmp_path: Path) -> None:
    target = tmp_path / "env"
    target.mkdir()
    write_environment([], target)
    (target / "stale").write_text("")
    write_environment([], target)
    assert not (target / "stale").exists()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.txt").write_text("years of work")
    with pytest.raises(ValueError, match="holds something else than an earlier export"):
        write_environment([], tmp_path / "mine")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["env", "mine"]


def test_a_folder_that_could_not_be_finished_leaves_nothing_and_the_old_one_whole(tmp_path: Path) -> None:
    def failing() -> Iterator[dict[str, Any]]:
        yield {"messages": []}
        raise OSError("disk full")

    write_environment([{"messages": []}], tmp_path / "env")
    with pytest.raises(OSError, match="disk full"):
        write_environment(failing(), tmp_path / "env")
    with pytest.raises(OSError, match="disk full"):
        write_environment(failing(), tmp_path / "new")
    assert [path.name for path in tmp_path.iterdir()] == ["env"]
    assert (tmp_path / "env/env/rows.jsonl").exists()
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        write_environment([], tmp_path / "no/env")
