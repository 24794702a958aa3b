"""The public surface: each name and the module that holds it, loaded on first use (PEP 562).

>>> import whileai.simulations as wai
>>> rows = [{"task_id": t, "reward": r} for t in "abcd" for r in (1, 1, 0, 1)]
>>> wai.pass_at(rows).pass_at_1
0.75
"""

from __future__ import annotations

import importlib
from typing import Any

_HOMES: dict[str, tuple[str, ...]] = {
    "errors": ("ReadError",),
    "rows.load": ("BadRecord", "RowReader", "load_rows"),
    "rows.task": ("task_key",),
    "rows.write": ("write_rows",),
    "schema": (
        "Calibration",
        "Dataset",
        "Judgment",
        "Marker",
        "Rollout",
        "SCHEMA_VERSION",
        "Task",
        "calibration_of",
        "from_row",
        "to_row",
        "validate",
    ),
    "defaults": ("HACK_THRESHOLD",),
    "score.checklist": ("expected_outcome", "outcome_check", "privileged_context", "task_checklist"),
    "score.curriculum": ("curriculum", "format_curriculum", "retire_solved"),
    "score.decontaminate": ("decontaminate",),
    "score.delta": ("DeltaReport", "delta_report", "format_delta_report"),
    "score.grading": ("behavior_signature", "conduct_grade"),
    "score.grounding": ("argument_grounding", "grounding_report", "mark_grounding", "ungrounded_arguments"),
    "score.hygiene": ("dedupe_groups", "length_report", "near_duplicate_prompts"),
    "score.markers": ("STOCK_MARKERS", "behavioral_markers", "format_markers", "mark_rows", "row_markers"),
    "score.passat": ("PassAt", "pass_at"),
    "score.privileged": ("LeakReport", "format_leak_report", "leak_report"),
    "score.quality": ("rank_rows", "score_row"),
    "score.stats": (
        "EvalVarianceReport",
        "HoldoutSizeReport",
        "compare_runs",
        "detectable_effect",
        "eval_variance",
        "holdout_size",
        "marker_names",
        "marker_summary",
        "metric_summary",
        "noise_band",
    ),
    "score.style": ("STYLE_MARKERS", "StyleReport", "refusal_report", "style_markers", "style_report"),
    "score.trace": ("trace_flag_report", "trace_flags", "trace_markers"),
}
_MODULE_OF = {name: home for home, names in _HOMES.items() for name in names}
_MODULES = frozenset({"defaults", "errors", "kernels", "reports", "rows", "schema", "score"})

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> Any:
    if name in _MODULE_OF:
        value = getattr(importlib.import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
        globals()[name] = value
        return value
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})
