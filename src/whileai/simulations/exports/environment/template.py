"""The files of an environment package, as text with the name of the package to fill in."""

from __future__ import annotations

from string import Template

PYPROJECT = Template("""\
[project]
name = "$dashed"
version = "0.1.0"
description = "Tasks of recorded rollouts, scored by how near an attempt comes to one that passed."
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["verifiers>=0.4"]

[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[tool.hatch.build.targets.wheel]
packages = ["$package"]

[tool.whileai]
format = "verifiers"
""")

README = Template("""\
# $dashed

A verifiers environment made of recorded rollouts, one task for each that some attempt passed.

* `$package/rows.jsonl`: the rollouts, with their grades.
* `$package/known.py`: what they know of a task, and `score`: the nearness (F1 of calls and of words) to an attempt that
  passed, 0 where one that failed is nearer. It is a likeness, not a verdict: replace `RowsTask.likeness` with yours.
* `$package/taskset.py`: the tasks, for `verifiers.v1`.
* `$package/tools.py`: tools that answer as they answered in the rollouts, and an error to any other call.

```sh
pip install -e .
vf-eval $dashed --env.agent.harness.id null
```

In Python: `from $package import load_environment; env = load_environment()`.
""")

INIT = Template('''\
"""Tasks of recorded rollouts, scored by how near an attempt comes to one that passed."""

from typing import Any

import verifiers.v1 as vf

from $package.taskset import RowsTaskset

__all__ = ["RowsTaskset", "load_environment"]


def load_environment(**config: Any) -> vf.Env:
    """The environment; `config` are fields of its `EnvConfig` beside the taskset, such as `agent`."""
    return vf.load_environment(vf.resolve_env_config({**config, "taskset": {"id": "$package"}}))
''')

TASKSET = Template('''\
"""The tasks of the rollouts, for `verifiers.v1`."""

from importlib.resources import files
from typing import Any

import verifiers.v1 as vf

from $package.known import parsed, read_tasks, score
from $package.tools import RecordedTools


class RowsData(vf.TaskData):
    """A task, and what the rollouts know of it."""

    tools: list[dict[str, Any]] = []
    attempts: list[dict[str, Any]] = []
    answers: list[dict[str, Any]] = []


class RowsTaskConfig(vf.TaskConfig):
    """Where the recorded tools run."""

    tools: vf.ToolsetConfig = vf.ToolsetConfig()


class RowsTask(vf.Task[RowsData, vf.State, RowsTaskConfig]):
    """One task, scored by how near an attempt comes to one that passed."""

    @property
    def key(self) -> str:
        """The task's id in the rollouts."""
        return self.data.id or self.hash

    @vf.reward(weight=1.0)
    async def likeness(self, trace: vf.Trace) -> float:
        """The nearness to an attempt that passed, 0 where one that failed is nearer."""
        made = [call for message in trace.assistant_messages for call in message.tool_calls or ()]
        calls = [{"tool": call.name, "arguments": parsed(call.arguments)} for call in made]
        return score({"calls": calls, "reply": trace.last_reply}, self.data.attempts)

    @classmethod
    def toolsets(cls, config: RowsTaskConfig) -> list[vf.Toolset]:
        return [RecordedTools(config.tools)] if HAS_TOOLS else []


class RowsConfig(vf.TasksetConfig):
    """The taskset's config."""

    task: RowsTaskConfig = RowsTaskConfig()


class RowsTaskset(vf.Taskset[RowsTask, RowsConfig]):
    """The tasks that some attempt passed, in the order of the rollouts."""

    def load(self) -> list[RowsTask]:
        return [RowsTask(RowsData(**task), self.config.task) for task in TASKS]


with (files(__package__) / "rows.jsonl").open(encoding="utf-8") as lines:
    TASKS = read_tasks(lines)
HAS_TOOLS = any(task["tools"] for task in TASKS)
''')

TOOLS = Template('''\
"""Tools that answer as they answered in the rollouts."""

import inspect
import json
from collections.abc import Callable
from typing import Any

import verifiers.v1 as vf

from $package.known import call_key

_KINDS = {"string": str, "integer": int, "number": float, "boolean": bool, "array": list, "object": dict}


class RecordedTools(vf.Toolset[vf.ToolsetConfig]):
    """The tools of the rollouts: a call that was made is answered as it was, any other with an error."""

    TOOL_PREFIX = None
    data: Any = None

    async def setup_task(self, task: Any) -> None:
        self.data = task

    def register(self, mcp: Any) -> None:
        if self.data is None:  # served without a task
            return
        answers = {call_key(entry["tool"], entry["arguments"]): entry["answer"] for entry in self.data.answers}
        for tool in self.data.tools:
            function = tool["function"]
            mcp.add_tool(
                self._with_state(_recorded(function, answers)),
                name=function["name"],
                description=function.get("description"),
                structured_output=False,
            )


def _recorded(function: dict[str, Any], answers: dict[str, str]) -> Callable[..., str]:
    tool, schema = function["name"], function.get("parameters") or {}
    required = set(schema.get("required") or ())

    def call(**arguments: Any) -> str:
        missing = json.dumps({"error": f"no rollout called {tool} with these arguments", "status": "error"})
        return answers.get(call_key(tool, arguments), missing)

    declared = (schema.get("properties") or {}).items()
    parameters = [_parameter(name, kind, name in required) for name, kind in declared if name.isidentifier()]
    call.__signature__ = inspect.Signature(parameters, return_annotation=str)  # type: ignore[attr-defined]
    return call


def _parameter(name: str, schema: Any, required: bool) -> inspect.Parameter:
    kind = schema.get("type") if isinstance(schema, dict) else None
    annotation = _KINDS.get(kind, Any) if isinstance(kind, str) else Any
    if required:
        return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation)
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation | None)


if __name__ == "__main__":
    RecordedTools.run()
''')
