"""Which training stage a row fed (Lambert 2025, chapter Training Overview)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from whileai.simulations.arguments import report_of
from whileai.simulations.errors import meant
from whileai.simulations.reports import Report, counted, printable
from whileai.simulations.rows.table import row_items
from whileai.simulations.rows.task import task_key
from whileai.simulations.rows.values import as_text, is_mapping
from whileai.simulations.signature import public

EVAL = "eval"
STAGES = ("sft", "rm", "rl", EVAL, "mid")
_TRAINING = frozenset(STAGES) - {EVAL}
_MOST_LISTED = 50  # leaked tasks in a report; convention


class StageError(ValueError):
    """The stage is none of `STAGES`."""


@public
def stamp_stage(rows: Iterable[Any], stage: str) -> list[Any]:
    """Copies of the rows with `stage` set, an older stamp overwritten; items that are no dicts are handed on.

    `stage` is one of `STAGES` in any case, anything else a `StageError`, which is a `ValueError`.

    >>> stamp_stage([{"prompt": "Hi"}], "SFT")
    [{'prompt': 'Hi', 'stage': 'sft'}]
    """
    name = stage.lower() if isinstance(stage, str) else stage
    if name not in STAGES:
        raise StageError(f"stage must be one of {', '.join(STAGES)}, got {stage!r}{meant(stage, STAGES)}")
    return [{**row, "stage": name} if is_mapping(row) else row for row in row_items(rows)]


@public
def stage_of(row: Any) -> str | None:
    """The stage stamped on a row, in lower case; `eval` for a row of an evaluation that has no stamp, else None.

    >>> stage_of({"stage": "RL"}), stage_of({"lineage": {"source": "eval"}}), stage_of({"prompt": "Hi"})
    ('rl', 'eval', None)
    """
    if not is_mapping(row):
        return None
    if stamped := as_text(row.get("stage")):
        return stamped.lower()
    lineage = row.get("lineage")
    if (is_mapping(lineage) and lineage.get("source") == EVAL) or row.get("purpose") == EVAL:
        return EVAL
    return None


@public
def stage_report(rows: Iterable[Any]) -> Report:
    """Rows and tasks of each stage, and the tasks used both in `eval` and in training.

    Such a task is a leak: the number reported on it was optimised against. Keys: `counts` (stage: rows, in the order
    met), `n_unstamped`, `tasks_per_stage` (stage: distinct tasks), `eval_train_leaks` (the first 50, sorted),
    `n_leaks` and `warnings`. A row that names no task leaks nothing; rows that are no dicts count as unstamped.

    >>> report = stage_report([{"task_id": "t1", "stage": "rl"}, {"task_id": "t1", "stage": "eval"}])
    >>> report["counts"], report["eval_train_leaks"]
    ({'rl': 1, 'eval': 1}, ['t1'])
    """
    counts: Counter[str] = Counter()
    tasks: dict[str, set[str]] = {}
    n_unstamped = 0
    for row in row_items(rows):
        stage = stage_of(row)
        if stage is None:
            n_unstamped += 1
        else:
            counts[stage] += 1
            tasks.setdefault(stage, set()).add(task_key(row))
    trained = {task for stage in _TRAINING for task in tasks.get(stage, ())}
    leaks = sorted((tasks.get(EVAL, set()) & trained) - {""})
    values = {
        "counts": dict(counts),
        "n_unstamped": n_unstamped,
        "tasks_per_stage": {stage: len(held) for stage, held in tasks.items()},
        "eval_train_leaks": leaks[:_MOST_LISTED],
        "n_leaks": len(leaks),
        "warnings": _warnings(len(leaks), n_unstamped),
    }
    return Report(values, show=format_stages)


def _warnings(n_leaks: int, n_unstamped: int) -> list[str]:
    said = []
    if n_leaks:
        said.append(
            f"{counted(n_leaks, 'task')} used both in eval and in training: drop them from one side, or the eval "
            "measures memory"
        )
    if n_unstamped:
        said.append(f"{counted(n_unstamped, 'row')} without a stage: stamp them with stamp_stage")
    return said


@public
@report_of("stage_report")
def format_stages(report: Mapping[str, Any]) -> str:
    """A line of rows by stage, those of `STAGES` first in their order, then a line for each warning.

    >>> print(format_stages({"counts": {"eval": 12, "sft": 340}, "warnings": ["1 task used in both"]}))
      sft: 340  eval: 12
      ! 1 task used in both
    """
    counts = report["counts"]
    known = [stage for stage in STAGES if stage in counts]
    named = [f"{printable(stage, 40)}: {counts[stage]}" for stage in [*known, *(s for s in counts if s not in STAGES)]]
    lines = ["  " + ("  ".join(named) or "(no stamped rows)")]
    return "\n".join([*lines, *(f"  ! {printable(text)}" for text in report.get("warnings") or ())])
