"""Hypothesis strategies shared by the tests: JSON values of every odd kind, and rows made of them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from whileai.simulations.schema.types import AXES, CARRIED_COLUMNS, VERDICT_COLUMNS

ODD_NUMBERS = [float("nan"), float("inf"), float("-inf"), 10**400, -(10**400), 1e308, 0, -1, True, False]
ODD_TEXTS = ["", " ", "0.5", " 1 ", "nan", "1_0", "\ud800", "[]", "{", '{"a": 1}', "<agent error: x>"]

long_numerals = st.just(5000).map("9".__mul__)  # made late: a strategy is printed with its constants
texts = st.text(max_size=8) | st.sampled_from(ODD_TEXTS) | long_numerals
numbers = st.sampled_from(ODD_NUMBERS) | st.integers(-3, 3) | st.floats()
scalars = st.none() | texts | numbers
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=8
)


def objects(columns: dict[str, st.SearchStrategy[Any]], **more: st.SearchStrategy[Any]) -> st.SearchStrategy[dict]:
    """Dicts with any of the columns, each fitting or odd."""
    return st.fixed_dictionaries(
        {}, optional={name: value | json_values for name, value in {**columns, **more}.items()}
    )


calls = objects({"id": texts, "name": texts, "arguments": json_values, "function": objects({"name": texts})})
blocks = objects({
    "type": st.sampled_from(["text", "tool_use", "tool_result", "thinking", "refusal"]),
    "text": texts, "name": texts, "input": json_values, "content": json_values, "tool_use_id": texts,
})  # fmt: skip
messages = objects({
    "role": st.sampled_from(["system", "user", "assistant", "tool", "function", "critic"]),
    "content": texts | st.lists(blocks | texts, max_size=2), "tool_calls": st.lists(calls, max_size=2),
    "tool_call_id": texts, "name": texts,
})  # fmt: skip
steps = objects({
    "tool": texts, "arguments": json_values, "input": json_values, "result": json_values, "output": json_values,
    "text": texts, "user": texts, "logprob": numbers, "n_tokens": numbers, "truncated": st.booleans(),
    "output_tokens": numbers, "status": texts,
})  # fmt: skip
calibrations = objects({
    "task_id": texts, "n": numbers, "pass_rate": st.floats(-0.5, 1.5), "mean_kl": numbers,
    "pass_rate_ci95": st.lists(numbers, max_size=3), "student": objects({"name": texts, "model": texts}), "note": texts,
})  # fmt: skip

_COLUMNS: dict[str, st.SearchStrategy[Any]] = {
    "schema_version": st.sampled_from(["0", "1", 1, "2", None]),
    "prompt": texts | st.lists(messages, max_size=2),
    "steps": st.lists(steps, max_size=3),
    "tool_trace": st.lists(steps, max_size=2),
    "final_text": texts,
    "messages": st.lists(messages, max_size=3),
    "conversations": st.lists(objects({"from": texts, "value": texts}), max_size=2),
    "completion": texts | st.lists(messages, max_size=2),
    "question": texts,
    "answer": texts,
    "scenario_id": texts,
    "task_id": texts,
    "rollout_id": texts,
    "conversation_id": texts,
    "rollout_index": numbers,
    "model_version": texts,
    "policy_version": texts,
    "spec_id": texts,
    "seed": numbers,
    "world_state": texts,
    "faults": st.dictionaries(texts, objects({"mode": texts, "rate": numbers}), max_size=2),
    "privileged": objects({"principle": texts, "hidden_state": json_values, "rubric": json_values}),
    "markers": st.dictionaries(texts, scalars, max_size=3),
    "calibration": calibrations,
    "judge_meta": objects({"scorer_kind": st.sampled_from(["rule", "judge", "human", "x"]), "version": texts}),
    "steps_json": texts,
    "messages_json": texts,
    "metadata_json": texts,
}
_PLAIN = {
    name: scalars for name in (*AXES, *CARRIED_COLUMNS, *VERDICT_COLUMNS, "finish_reason") if name not in _COLUMNS
}

_ROW = objects({**_PLAIN, **_COLUMNS})
_ANY_DICT = _ROW | st.dictionaries(texts | st.integers() | st.none() | st.tuples(texts), json_values, max_size=4)


@st.composite
def rows(draw: st.DrawFn) -> dict[str, Any]:
    """Rows of any shape: known columns, each fitting or odd."""
    return draw(_ROW)


@st.composite
def any_dicts(draw: st.DrawFn) -> dict[Any, Any]:
    """Rows, and dicts of anything under keys of any kind."""
    return draw(_ANY_DICT)
