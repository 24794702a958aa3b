"""The card of a dataset: how it was graded, what the gate said, what was held out, where it comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from whileai.simulations.defaults import MIN_PAIRED_TASKS
from whileai.simulations.reports import counted
from whileai.simulations.rows.task import task_key
from whileai.simulations.rows.values import is_mapping

Row = Mapping[str, Any]
_FIELDS = ("model_version", "policy_version", "writer_model", "judge_name", "label_source", "spec_version")
_IN_LINEAGE = ("system_prompt_sha", "eval_run", "scoring_run_id")
_MOST_VALUES = 10  # of one field that a card lists, the most frequent ones
_MOST_CHARACTERS = 200  # of one of them


def measured(rows: Sequence[Row]) -> dict[str, Any]:
    """How many rows and tasks, and their pass rates with 95% intervals over tasks (None where `note` says why).

    >>> found = measured([{"task_id": task, "reward": reward} for task in "abc" for reward in (1, 0, 1, 1)])
    >>> found["n_rows"], found["n_tasks"], found["pass_at"]["pass_at_1"]
    (12, 3, 0.75)
    """
    from whileai.simulations.score.passat import pass_at

    rates = pass_at(rows).to_dict()
    kept = {key: value for key, value in rates.items() if key not in ("per_task", "config")}
    return {"n_rows": len(rows), "n_tasks": len(set(map(task_key, rows))), "pass_at": kept}


def gate_said(gate: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """What of the gate's report goes on the card; None when it did not run."""
    if gate is None:
        return None
    signal = gate["signal"]
    return {
        **{key: gate[key] for key in ("ok", "refusal", "rl_shaped", "band", "warnings")},
        "n_stamped": gate["calibration"]["n_stamped"],
        "regime": gate["hack_scan"]["regime"] if gate["hack_scan"] is not None else None,
        **{key: signal[key] for key in ("n_mixed", "n_in_band", "n_all_zero", "n_all_one", "n_single")},
    }


def lineage(rows: Iterable[Row], parent: str | None) -> dict[str, Any]:
    """Which models, prompts, judges and runs the rows name: `{field: [[value, rows], ...]}`, the most frequent first.

    >>> lineage([{"model_version": "m1"}, {"model_version": "m1", "lineage": {"eval_run": "r"}}], None)["model_version"]
    [['m1', 2]]
    """
    counts: dict[str, Counter[str]] = {name: Counter() for name in (*_FIELDS, *_IN_LINEAGE)}
    for row in rows:
        held = row.get("lineage")
        for names, source in ((_FIELDS, row), (_IN_LINEAGE, held if is_mapping(held) else {})):
            for name in names:
                value = source.get(name)
                if isinstance(value, str) and value:
                    counts[name][value[:_MOST_CHARACTERS]] += 1
    return {"parent": parent, **{name: _most(found) for name, found in counts.items() if found}}


def _most(found: Counter[str]) -> list[list[Any]]:
    ordered = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    kept: list[list[Any]] = [list(pair) for pair in ordered[:_MOST_VALUES]]
    if rest := ordered[_MOST_VALUES:]:
        kept.append([f"{counted(len(rest), 'other value')}", sum(n for _, n in rest)])
    return kept


def holdout_power(rows: Sequence[Row], n_tasks: int, effect: float) -> tuple[dict[str, Any], list[str]]:
    """Whether a holdout of so many tasks can show a gain of `effect`, sized by the rows; and what to say when not."""
    from whileai.simulations.score.stats import detectable_effect, holdout_size

    try:
        sized = holdout_size(effect, before=rows)
    except ValueError:  # too few graded rows to size by: the model's defaults
        sized = holdout_size(effect)
    needed = sized["n_tasks_small"] or sized["n_tasks"]
    smallest = detectable_effect(n_tasks, base=sized["base"], k=sized["k"]) if n_tasks >= MIN_PAIRED_TASKS else None
    values = {"prove_effect": effect, "n_tasks_needed": needed, "detectable_effect": smallest}
    if n_tasks >= needed:
        return values, []
    shows = f"shows gains of {smallest:.3f} or more" if smallest is not None else "is too small for a paired test"
    return values, [
        f"the holdout of {counted(n_tasks, 'task')} {shows}, and a gain of {effect:g} takes {counted(needed, 'task')} "
        "(holdout_size): hold out more, or simulate more tasks"
    ]
