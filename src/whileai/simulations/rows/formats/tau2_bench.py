"""tau2-bench results: `{info, tasks, simulations}`, or a `results.json` whose runs lie one a file in `simulations/`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from whileai.simulations.rows.formats.common import (
    as_mapping,
    chat_turn,
    error_text,
    failed_run,
    make_row,
    message,
    reward_of,
)
from whileai.simulations.rows.formats.generation import sampling_of
from whileai.simulations.rows.source import Source

NAME = "tau2-bench"
LOOKS_FOR = "`info`, `tasks`, `simulations`"
_FINISH = {
    "user_stop": "stop", "agent_stop": "stop",
    "max_steps": "length", "timeout": "length", "context_window_exceeded": "length",
    "infrastructure_error": "error", "unexpected_error": "error", "agent_error": "error", "user_error": "error",
    "too_many_errors": "error",
}  # fmt: skip
_NO_RUN = "infrastructure_error"


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is a tau2-bench result file.

    >>> sniff({"info": {}, "tasks": [], "simulations": []})
    True
    """
    return (
        isinstance(record.get("info"), Mapping)
        and isinstance(record.get("tasks"), list)
        and ("simulations" in record or "simulation_index" in record)
    )


def gather(records: Iterable[dict[str, Any]], source: Source) -> Iterator[dict[str, Any]]:
    """The result files; of one that only lists its runs (they lie in `simulations/`), a record a run."""
    for record in records:
        index = record.get("simulation_index")
        if record.get("simulations") or not isinstance(index, list) or not index:
            yield record
        else:
            yield from ({**record, "simulation_index": [entry]} for entry in index)


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """One row a simulation; what holds for the run (`info`) is a fact of the file, the task `privileged.reference`.

    >>> run = {"task_id": "a", "trial": 1, "termination_reason": "user_stop", "reward_info": {"reward": 1.0},
    ...        "messages": [{"role": "assistant", "content": "Hi!"}, {"role": "user", "content": "Refund order 5."}]}
    >>> row = to_rows({"info": {}, "tasks": [{"id": "a"}], "simulations": [run]}, Source("results.json"))[0]
    >>> row["task_id"], row["rollout_index"], row["prompt"], row["reward"], row["finish_reason"]
    ('a', 1, 'Refund order 5.', 1.0, 'stop')
    """
    for name, value in record.items():
        if name not in ("tasks", "simulations", "simulation_index"):
            source.facts.setdefault(name, value)
    tasks = {str(task.get("id")): task for task in record["tasks"] if isinstance(task, Mapping)}
    index = record.get("simulation_index")
    listed = index if isinstance(index, list) else []
    runs = record.get("simulations") or [_simulation(entry, source) for entry in listed]
    if not isinstance(runs, list) or not all(isinstance(run, Mapping) for run in runs):
        raise ValueError("`simulations` is no list of objects")
    return [_row(run, as_mapping(record["info"]), tasks, source) for run in runs]


def _simulation(entry: Any, source: Source) -> Mapping[str, Any]:
    name = str(as_mapping(entry).get("id"))
    run = None if "/" in name or "\\" in name else source.sibling(f"simulations/{name}.json", keep=False)
    if not isinstance(run, Mapping):
        raise ValueError(
            f"the runs of this file lie in the folder simulations/ beside it, but simulations/{name}.json "
            "cannot be read there: load the whole run folder"
        )
    return run


def _row(run: Mapping[str, Any], info: Mapping[str, Any], tasks: Mapping[str, Any], source: Source) -> dict[str, Any]:
    agent = as_mapping(info.get("agent_info"))
    model = agent.get("llm") or as_mapping(info.get("audio_native_config")).get("model")
    verdict = as_mapping(run.get("reward_info"))
    reward = reward_of(verdict.get("reward"))
    task = tasks.get(str(run.get("task_id")))
    reason = run.get("termination_reason")
    evidence = {name: value for name, value in verdict.items() if name != "reward" and value is not None}
    row = make_row(
        run,
        source,
        form=NAME,
        consumed=("task_id", "trial", "messages", "reward_info"),
        messages=list(_turns(run)),
        reward=reward,
        markers=_markers(verdict) or None,
        judge_meta=evidence or None,
        finish_reason=_FINISH.get(str(reason), reason),
        privileged=None if task is None else {"reference": task},
        model_version=model,
        user_model=as_mapping(info.get("user_info")).get("llm"),
        sampling=sampling_of(agent.get("llm_args"), model),
    )
    if row.get("finish_reason") == "error":
        _fail(row, run, reward, source)
    return row


def _fail(row: dict[str, Any], run: Mapping[str, Any], reward: Any, source: Source) -> None:
    """A run that ended in an error: a verdict that the tool gave all the same stays, except where nothing ran."""
    reason = run["termination_reason"]
    said = error_text(as_mapping(run.get("info")).get("error")) or str(reason)
    if reason == _NO_RUN or reward is None:
        failed_run(row, said, source, raw_reward=reward)
    else:
        row["error"] = said


def _markers(verdict: Mapping[str, Any]) -> dict[str, Any]:
    parts = as_mapping(verdict.get("reward_breakdown"))
    return {str(name): score for name, value in parts.items() if (score := reward_of(value)) is not None}


def _turns(run: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The messages of a run; those of a voice run come from its ticks."""
    messages = run.get("messages")
    if not isinstance(messages, list):
        yield from _spoken(run.get("ticks"))
        return
    for entry in messages:
        several = as_mapping(entry).get("tool_messages")
        for turn in several if isinstance(several, list) else [entry]:
            if isinstance(turn, Mapping):
                yield _turn(turn)


def _turn(turn: Mapping[str, Any]) -> dict[str, Any]:
    """A message; a tool message's `id` is the id of the call that it answers."""
    if turn.get("role") != "tool":
        return chat_turn(turn)
    rest = {name: value for name, value in turn.items() if name != "id"}
    result = chat_turn({**rest, "tool_call_id": turn.get("id")})
    return {**result, "is_error": True} if turn.get("error") is True else result


def _spoken(ticks: Any) -> Iterator[dict[str, Any]]:
    """Turns from ticks: what one side says in a row is one turn, until the other side speaks or a tool is called."""
    speaker, words = "", ""
    for tick in ticks if isinstance(ticks, list) else []:
        for side, role in (("agent", "assistant"), ("user", "user")):
            said = as_mapping(as_mapping(tick).get(f"{side}_chunk")).get("content")
            calls = as_mapping(tick).get(f"{side}_tool_calls") or None
            if isinstance(said, str) and said:
                if words and speaker != role:
                    yield message(speaker, words)
                    words = ""
                speaker, words = role, words + said
            if calls:
                if words:
                    yield message(speaker, words)
                    words = ""
                yield chat_turn({"role": role, "content": None, "tool_calls": calls})
            for result in as_mapping(tick).get(f"{side}_tool_results") or []:
                yield _turn(as_mapping(result))
    if words:
        yield message(speaker, words)
