"""verifiers 1 `traces.jsonl` (also what prime-rl writes): one episode a line, one row a trace of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.formats.common import (
    as_mapping,
    chat_turn,
    error_text,
    failed_run,
    make_row,
    mappings,
    reward_of,
)
from whileai.simulations.rows.formats.generation import sampling_of
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.text import first_user_text, last_agent_text, prompt_text
from whileai.simulations.rows.values import finite

NAME = "verifiers-v1"
LOOKS_FOR = "`env`, `task`, `traces`, `ok`, `errors`"
_LENGTH = frozenset({"max_turns", "max_input_tokens", "max_output_tokens", "max_total_tokens", "context_length"})


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is an episode of verifiers 1.

    >>> sniff({"id": "e0", "env": {}, "task": {}, "traces": [], "ok": False, "errors": []})
    True
    """
    return isinstance(record.get("traces"), list) and "task" in record and ("env" in record or "ok" in record)


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """One row a trace of the episode; an episode that failed before its first trace is one failed row.

    >>> episode = {"env": {}, "ok": False, "errors": [{"message": "no runtime"}], "traces": [],
    ...            "task": {"key": "refund-17", "data": {"prompt": "Refund order 17."}}}
    >>> row = to_rows(episode, Source("traces.jsonl"))[0]
    >>> row["task_id"], row["prompt"], row["finish_reason"], row["error"]
    ('refund-17', 'Refund order 17.', 'error', 'no runtime')
    """
    traces = record["traces"]
    if not traces:
        return [_row_without_trace(record, source)]
    if not all(isinstance(trace, Mapping) for trace in traces):
        raise ValueError("an entry of `traces` is no object")
    return [_row(trace, record, source) for trace in traces]


def _row_without_trace(episode: Mapping[str, Any], source: Source) -> dict[str, Any]:
    row = make_row(
        episode,
        source,
        form=NAME,
        consumed=("id", "traces"),
        messages=[],
        **_shared(episode, as_mapping(episode["task"])),
    )
    return failed_run(row, error_text(episode.get("errors")) or "the episode holds no trace", source)


def _row(trace: Mapping[str, Any], episode: Mapping[str, Any], source: Source) -> dict[str, Any]:
    task = as_mapping(trace.get("task")) or as_mapping(episode["task"])
    branches = _branches(trace.get("nodes"))
    nodes = branches[-1] if branches else []
    calls = _branch_calls(trace.get("calls"), {str(index) for index, _ in nodes})
    rewards = as_mapping(trace.get("rewards"))
    reward = _weighted_sum(rewards)
    agent = as_mapping(as_mapping(trace.get("agent")).get("config"))
    messages = [_turn(index, node) for index, node in nodes]
    row = make_row(
        {**_of_episode(episode, trace), **trace},
        source,
        form=NAME,
        consumed=("nodes",),
        messages=messages,
        final_text=last_agent_text([turn for turn in messages if not _given(turn)]),
        reward=reward,
        markers=_markers(rewards, trace.get("metrics")) or None,
        finish_reason=_finish(trace.get("stop_condition"), calls),
        branches=[_fork(branch, nodes) for branch in branches[:-1]] or None,
        token_logprobs=_tokens(nodes, "logprobs"),
        advantages=_tokens(nodes, "advantages"),
        model_version=agent.get("model"),
        sampling=sampling_of(_sampling(agent.get("sampling"), calls), agent.get("model")),
        **_shared(episode, task, messages),
    )
    if trace.get("ok") is not True and trace.get("errors"):
        failed_run(row, error_text(trace["errors"]), source, raw_reward=reward)
    return row


def _shared(episode: Mapping[str, Any], task: Mapping[str, Any], messages: Any = None) -> dict[str, Any]:
    """What a row takes from its task, its group and the training run around it."""
    policy = as_mapping(as_mapping(as_mapping(episode.get("run")).get("work")).get("policy")).get("end")
    group = as_mapping(episode.get("group")).get("id")
    return {
        "task_id": task.get("key") or task.get("hash"),
        "prompt": first_user_text(messages) or prompt_text(as_mapping(task.get("data")).get("prompt")),
        "group_id": None if group is None else str(group),
        "policy_version": None if policy is None else str(policy),
    }


def _of_episode(episode: Mapping[str, Any], trace: Mapping[str, Any]) -> dict[str, Any]:
    """The episode's own fields for a row of one of its traces, `episode_` before the names a trace has too."""
    return {
        f"episode_{name}" if name in trace else name: value
        for name, value in episode.items()
        if name not in ("traces", "task") or (name == "task" and value != trace.get("task"))
    }


def _branches(nodes: Any) -> list[list[tuple[int, Mapping[str, Any]]]]:
    """The branches of a tree of nodes, each from root to leaf as (index, node), leaves in index order."""
    listed = nodes if isinstance(nodes, list) else []
    parents = [_parent(index, node, len(listed)) for index, node in enumerate(listed)]
    leaves = sorted(set(range(len(listed))).difference(parents))
    if listed and not leaves:
        raise ValueError("the nodes have no leaf: their parents run in a circle")
    return [_path(leaf, listed, parents) for leaf in leaves]


def _parent(index: int, node: Any, size: int) -> int | None:
    if not isinstance(node, Mapping):
        raise ValueError(f"node {index} is no object")
    parent = node.get("parent")
    if parent is None:
        return None
    if not isinstance(parent, int) or not 0 <= parent < size or parent == index:
        raise ValueError(f"node {index} has the parent {parent!r}, which is no other of the {size} nodes")
    return parent


def _path(leaf: int, nodes: list[Any], parents: list[int | None]) -> list[tuple[int, Mapping[str, Any]]]:
    path: list[tuple[int, Mapping[str, Any]]] = []
    at: int | None = leaf
    while at is not None:
        if len(path) == len(nodes):
            raise ValueError(f"the parents of node {leaf} run in a circle")
        path.append((at, nodes[at]))
        at = parents[at]
    return path[::-1]


def _turn(index: int, node: Mapping[str, Any]) -> dict[str, Any]:
    """A node as a message that keeps what else the node holds (token ids, mask, log-probabilities) under `node`."""
    rest = {
        name: value for name, value in node.items() if name not in ("message", "parent") and value not in (None, [])
    }
    return {**chat_turn(as_mapping(node.get("message"))), "node": {"index": index, **rest}}


def _given(turn: Mapping[str, Any]) -> bool:
    """Whether an assistant turn was put into the conversation, not generated."""
    return turn["role"] == "assistant" and turn["node"].get("sampled") is False


def _fork(branch: list[tuple[int, Mapping[str, Any]]], main: list[tuple[int, Mapping[str, Any]]]) -> dict[str, Any]:
    """A branch that is not the row: how many messages it shares with the row, and those it does not."""
    shared = next((at for at, ((a, _), (b, _)) in enumerate(zip(branch, main, strict=False)) if a != b), len(main))
    return {"shared_messages": shared, "messages": [_turn(index, node) for index, node in branch[shared:]]}


def _branch_calls(calls: Any, nodes: set[str]) -> list[Mapping[str, Any]]:
    """The model calls that made the nodes of a branch; those that name no node count too."""
    return [call for call in mappings(calls) if call.get("node") is None or str(call["node"]) in nodes]


def _finish(stop_condition: Any, calls: list[Mapping[str, Any]]) -> str | None:
    if str(stop_condition) in _LENGTH or (calls and calls[-1].get("finish_reason") == "length"):
        return "length"
    return None if stop_condition is None else str(stop_condition)


def _sampling(agent: Any, calls: list[Mapping[str, Any]]) -> dict[str, Any]:
    """The agent's sampling settings, overridden by those of the last model call that has its own."""
    own: Mapping[str, Any] = next(
        (call["sampling"] for call in reversed(calls) if isinstance(call.get("sampling"), Mapping)), {}
    )
    return {**as_mapping(agent), **own}


def _weighted_sum(rewards: Mapping[str, Any]) -> float | None:
    parts = [
        score * (1.0 if (weight := finite(entry.get("weight", 1.0))) is None else weight)
        for entry in rewards.values()
        if isinstance(entry, Mapping) and (score := finite(entry.get("score"))) is not None
    ]
    return sum(parts) if parts else None


def _markers(rewards: Mapping[str, Any], metrics: Any) -> dict[str, Any]:
    scores = {name: reward_of(as_mapping(entry).get("score")) for name, entry in rewards.items()}
    for name, value in as_mapping(metrics).items():
        scores[f"metrics.{name}" if name in rewards else name] = reward_of(value)
    return {name: score for name, score in scores.items() if score is not None}


def _tokens(nodes: list[tuple[int, Mapping[str, Any]]], field: str) -> list[Any] | None:
    """A per-token list of the generated nodes of a branch, end to end; None where no node has one."""
    lists = [node[field] for _, node in nodes if node.get("sampled") is not False and isinstance(node.get(field), list)]
    return [value for values in lists for value in values] or None
