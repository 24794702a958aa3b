"""LangSmith runs: exported runs, with their child runs inside them or as records of their own, and wire dumps.

A row is a run without a parent; other runs are its steps. A wire dump holds a run in two halves, `post` and `patch`,
joined by id or by `dotted_order` (a patch may lack the id). The conversation is that of the run itself or, where it
only shows the question and the answer, that of its last model call; results missing there are those of its tool runs.

`gather` must see the whole file before it knows that a run is complete. It holds one conversation a run: the inputs
and outputs of a model call are dropped as soon as a later one of the same trace, which repeats them, has been read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from whileai.simulations.rows.content import first_of
from whileai.simulations.rows.formats.common import as_mapping, failed_run, make_row, mappings, reward_of
from whileai.simulations.rows.formats.generation import sampling_of
from whileai.simulations.rows.formats.langchain import generation_facts
from whileai.simulations.rows.formats.langsmith_runs import EMPTY, HALVES, Runs, expanded
from whileai.simulations.rows.formats.langsmith_turns import ANSWERED, ASKED, conversation
from whileai.simulations.rows.formats.settings import without_secrets
from whileai.simulations.rows.source import Source

NAME = "langsmith"
LOOKS_FOR = "run_type, inputs, outputs, trace_id, dotted_order, post, patch"

_STEP_BULK = ("inputs", "outputs", "child_runs", "events", "serialized", "extra")


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is a run, or a wire dump of runs.

    >>> sniff({"id": "r1", "run_type": "chain", "inputs": {}, "trace_id": "r1"}), sniff({"post": [{"run_type": "llm"}]})
    (True, True)
    """
    if any(_is_run(half) for name in HALVES for half in mappings(record.get(name))):
        return True
    return "run_type" in record and _is_run(record) and any(name in record for name in ("inputs", "id"))


def gather(records: Iterable[Mapping[str, Any]], source: Source) -> Iterator[dict[str, Any]]:
    """Whole runs, `{"root": run, "steps": [its descendants in time order]}`, in file order.

    >>> runs = [{"id": "t", "run_type": "tool", "parent_run_id": "r"}, {"id": "r", "run_type": "chain", "inputs": {}}]
    >>> [len(run["steps"]) for run in gather(runs, Source("runs.jsonl"))]
    [1]
    """
    held = Runs()
    for record in records:
        for run in expanded(record):
            held.add(run)
    yield from held.whole(source)


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The rows of a gathered run, or of the runs of one record.

    >>> run = {"id": "r", "run_type": "chain", "inputs": {"question": "Hi"}, "outputs": {"answer": "Hello."}}
    >>> to_rows(run, Source("runs.jsonl"))[0]["final_text"]
    'Hello.'
    """
    if "root" not in record:
        return [row for whole in gather([record], source) for row in to_rows(whole, source)]
    root, steps = as_mapping(record["root"]), mappings(record.get("steps"))
    messages = conversation(root, steps)
    extra, inputs = as_mapping(root.get("extra")), as_mapping(root.get("inputs"))
    metadata = {**as_mapping(root.get("metadata")), **as_mapping(extra.get("metadata"))}
    facts = generation_facts(messages)
    calls = [root, *(step for step in steps if step.get("run_type") == "llm")]
    settings = [as_mapping(as_mapping(run.get("extra")).get("invocation_params")) for run in calls] + [inputs]
    model = metadata.get("ls_model_name") or next(
        (m for s in settings if (m := first_of(s, ("model", "model_name")))), None
    )
    facts["sampling"] = _sampling(metadata, settings, model)
    facts["model_version"] = facts["model_version"] or model
    carried = {name: without_secrets(value) for name, value in root.items() if isinstance(value, dict | list)}
    row = make_row(
        {**root, **carried, "metadata": metadata},
        source,
        form=NAME,
        consumed=("inputs", "outputs", "child_runs", "events", "feedback_stats", "extra", "serialized", "metadata"),
        task_id=root.get("reference_example_id"),
        messages=messages,
        tools=next((s["tools"] for s in settings if isinstance(s.get("tools"), list)), None),
        inputs=_rest(inputs, ASKED) or None,
        outputs=_rest(as_mapping(root.get("outputs")), ANSWERED) or None,
        extra=without_secrets(extra) or None,
        serialized=without_secrets(root.get("serialized")) or None,
        child_runs=[{n: v for n, v in step.items() if n not in _STEP_BULK} for step in steps] or None,
        **facts,
        **_verdict(root.get("feedback_stats"), source),
    )
    if root.get("error") not in EMPTY or root.get("status") == "error":
        return [failed_run(row, root.get("error") or "error", source, row["reward"])]
    return [row]


def _is_run(run: Mapping[str, Any]) -> bool:
    return any(name in run for name in ("run_type", "dotted_order", "trace_id"))


def _sampling(metadata: Mapping[str, Any], settings: list[Mapping[str, Any]], model: Any) -> dict[str, Any] | None:
    named = {"temperature": metadata.get("ls_temperature"), "max_tokens": metadata.get("ls_max_tokens")}
    return next((found for entry in (named, *settings) if (found := sampling_of(entry, model)) is not None), None)


def _rest(value: Mapping[str, Any], read: Iterable[str]) -> dict[str, Any]:
    known = {*read, "tools", "usage_metadata", "usage", "role", "system", "instructions"}
    return {name: v for name, v in without_secrets(value).items() if name not in known and v is not None}


def _verdict(stats: Any, source: Source) -> dict[str, Any]:
    """Reward and markers of the feedback. The file's first key is the primary one, on every row of the file."""
    scores = {str(name): as_mapping(entry) for name, entry in as_mapping(stats).items()}
    if not scores:
        return {}
    primary = source.facts.setdefault("primary_feedback", next(iter(scores)))
    values = {name: value for name, entry in scores.items() if (value := reward_of(entry.get("avg"))) is not None}
    return {
        "reward": values.pop(primary, None),
        "judge_name": primary,
        "judge_meta": {"n": scores.get(primary, {}).get("n"), "feedback_stats": stats},
        "markers": values or None,
    }
