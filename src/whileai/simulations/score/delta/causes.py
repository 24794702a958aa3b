"""Why two sides cannot be compared, in words, and what would make them comparable."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.score.delta.facts import SIDES, Facts, both
from whileai.simulations.score.delta.figures import number
from whileai.simulations.score.delta.labels import unlabelled


def _situations(report: Mapping[str, Any], facts: Facts) -> str:
    absent = unlabelled(facts.labels)
    if absent:
        return f"situations: {absent}"
    return (
        f"situations: only {report['n_paired_tasks']} of {report['n_paired_tasks'] + report['n_unpaired_tasks']} tasks "
        "are on both sides, so these are two evals: run the after side on the before run's tasks (tasks=)"
    )


def _prompt_hash(report: Mapping[str, Any], facts: Facts) -> str:
    return f"prompt_hash: system prompt {both(report, 'prompt_hash')}: fine if the prompt is what you compare"


def _model(key: str, what: str) -> Any:
    def said(report: Mapping[str, Any], facts: Facts) -> str:
        return f"{key}: {what} {both(report, key)}: run both sides with one"

    return said


def _graded(report: Mapping[str, Any], facts: Facts) -> str:
    shares = " and ".join(f"{report['config'][side]['graded_share'] or 0:.1%} {side}" for side in SIDES)
    assert facts.found.selection is not None
    return (
        f"graded_share: rows with a verdict are {shares}; the ungraded ones could move the delta by up to "
        f"{number(facts.found.selection.size)}, which covers it: grade them first"
    )


def answered_apart(report: Mapping[str, Any], facts: Facts) -> str:
    """How much more often one side has no spoken reply, and why."""
    gap = facts.found.answered
    assert gap is not None
    missing = " and ".join(f"{1 - report['config'][side]['answered_share']:.0%} {side}" for side in SIDES)
    bar = "" if gap.bar is None else f" ({'over' if gap.is_over_bar else 'within'} the bar of {gap.bar:.2f})"
    return f"answered: no spoken reply on {missing}, p {gap.p_value:.2g}{bar}: {_why_silent(report)}"


def _why_silent(report: Mapping[str, Any]) -> str:
    configs = [report["config"][side] for side in SIDES]
    if any(config["unclosed_think_share"] for config in configs):
        return "replies end inside <think>: raise max_tokens or close the reasoning, then compare"
    cut = [config["truncated_share"] for config in configs]
    if any(cut):
        before, after = ("?" if share is None else f"{share:.0%}" for share in cut)
        said = f"the token cap cut {before} before and {after} after"
        silent, other = sorted(configs, key=lambda config: config["answered_share"])
        if (silent["truncated_share"] or 0) > (other["truncated_share"] or 0):
            return f"{said}: raise max_tokens"
        return f"{said}, which is not why: read the rows without a reply"
    return "stamp finish_reason on the rows to see why"


CAUSES = {
    "situations": _situations,
    "prompt_hash": _prompt_hash,
    "graded_share": _graded,
    "answered": answered_apart,
    "user_model": _model("user_model", "the simulated user"),
    "writer_model": _model("writer_model", "the writer of the situations"),
}
