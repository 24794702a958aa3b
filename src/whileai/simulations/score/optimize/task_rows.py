"""A rollout as the task it was of: what was asked, without what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.content import filled
from whileai.simulations.rows.text import ask_text

_VERDICT = (
    "reward qwen_reward llm_reward gold_reward gold_labels reason grader_reason llm_reason label_source failure_class "
    "markers quality quality_reason quality_scores reward_before_penalty rubric_scores score"
)
_DEED = (
    "messages conversations conversation steps tool_trace trace final_text final output response completion "
    "answer finish_reason overlong truncated fault_detected behavior_signature rollout_id rollout_index"
    " conversation_id ts usage"
)
_SAMPLE = "logprob ref_logprob n_tokens token_logprobs sampling"
_OUTCOME = frozenset(f"{_VERDICT} {_DEED} {_SAMPLE}".split())
_BULK = frozenset({"messages", "conversations", "conversation", "steps", "tool_trace", "trace", "final_text"})
_OUTCOME_PREFIX = "judge_"


def task_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of a row without its verdict, what the agent did and how it was sampled.

    Ids, prompt, tools, faults, `privileged`, `calibration` and anything unknown stay. A row that says what was asked
    only in its messages gets it as `prompt`.

    >>> said = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]
    >>> task_row({"task_id": "a", "messages": said, "reward": 1, "judge_name": "llm", "calibration": {"n": 8}})
    {'task_id': 'a', 'calibration': {'n': 8}, 'prompt': 'Hi'}
    """
    task = {
        name: value
        for name, value in row.items()
        if name not in _OUTCOME and not (isinstance(name, str) and name.startswith(_OUTCOME_PREFIX))
    }
    if not filled(row.get("prompt")) and (asked := ask_text(row)):
        task["prompt"] = asked
    return task


def without_deeds(row: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of a row without the bulk of what the agent did, for a plan of tasks; one that names its task stays one.

    >>> without_deeds({"prompt": "Hi", "messages": [{"role": "user", "content": "Hi"}], "reward": 1})
    {'prompt': 'Hi', 'reward': 1}
    """
    if not filled(row.get("prompt")):
        return dict(row)  # its messages say what was asked
    return {name: value for name, value in row.items() if name not in _BULK}
