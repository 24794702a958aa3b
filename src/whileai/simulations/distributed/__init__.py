"""Reports and selections over rows on many machines, by Ray Data.

Each function has the name and the arguments of the one in `whileai.simulations`, and takes a `ray.data.Dataset`, a
path, or a list of paths that every machine sees, in place of rows. Reports come back as there; rows come back as a
dataset, each as JSON in the column `row` beside `task_key` and `grade` (`rows_of` reads them, `write_rows` writes
them, `dataset_of` makes such a dataset). Ray is loaded when a function is called: pip install 'whileai[ray]'.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOMES: dict[str, tuple[str, ...]] = {
    "decontaminate": ("decontaminate",),
    "delta": ("delta_report",),
    "judge": ("run_judge",),
    "leaks": ("leak_report",),
    "pairs": ("build_preference_pairs",),
    "rates": ("compare_runs", "marker_summary", "metric_summary", "pass_at"),
    "repeats": ("dedupe_groups",),
    "rl": ("select_for_rl",),
    "scan": ("hack_scan",),
    "sft": ("select_for_sft",),
    "source": ("dataset_of", "rows_of"),
    "stamps": ("conduct_grade", "mark_grounding", "mark_leaks", "rank_rows", "style_markers", "trace_markers"),
    "tasks": ("curriculum", "group_signal", "retire_solved", "trim_out_of_band", "trim_unanimous_groups"),
    "variance": ("eval_variance",),
    "write": ("write_rows",),
}
_MODULE_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
