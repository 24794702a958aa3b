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
    "defaults": ("DEFAULT_BAND", "HACK_THRESHOLD"),
    "errors": ("ReadError",),
    "exports": ("export_dataset", "export_preference", "export_training", "training_rows"),
    "registry": ("push_rows",),
    "rows.load": ("BadRecord", "RowReader", "load_rows"),
    "rows.rowlist": ("RowList",),
    "rows.task": ("task_key",),
    "rows.write": ("write_rows",),
    "run": (
        "AgentProfile",
        "SEEDED_BEHAVIORS",
        "SimulationData",
        "World",
        "conversation",
        "load_traces",
        "mine_traces",
        "seeded_agent",
        "simulate",
        "tool",
        "world",
    ),
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
    "score.agreement": ("judge_agreement",),
    "score.audit": ("audit_grades", "format_audit"),
    "score.checklist": ("expected_outcome", "outcome_check", "privileged_context", "task_checklist"),
    "score.corrected": ("corrected_pass_rate",),
    "score.curriculum": ("curriculum", "format_curriculum", "retire_solved"),
    "score.decontaminate": ("decontaminate",),
    "score.delta": ("DeltaReport", "delta_report", "format_delta_report"),
    "score.dimensions": ("build_dimensions", "policy_sections", "scenario_regions"),
    "score.grading": ("behavior_signature", "conduct_grade"),
    "score.grounding": ("argument_grounding", "grounding_report", "mark_grounding", "ungrounded_arguments"),
    "score.hack_scan": (
        "HackScanReport",
        "format_hack_scan",
        "format_hack_scan_diff",
        "hack_scan",
        "hack_scan_diff",
    ),
    "score.hygiene": ("dedupe_groups", "length_report", "near_duplicate_prompts", "reward_correlations"),
    "score.judge_trust": ("PROBES", "format_judge_trust", "judge_probes", "judge_trust"),
    "score.judging": (
        "Judge",
        "JudgeComparison",
        "JudgeScore",
        "ScoredData",
        "Selection",
        "build_preference_pairs",
        "compare_judges",
        "evaluate",
        "normalize_judge_result",
        "run_judge",
    ),
    "score.labels": ("annotator_agreement", "attach_labels"),
    "score.logprobs": ("logprob_report", "mean_kl", "staleness_report"),
    "score.markers": ("STOCK_MARKERS", "behavioral_markers", "format_markers", "mark_rows", "row_markers"),
    "score.optimize": (
        "filter_rl_rows",
        "group_signal",
        "next_round",
        "optimize",
        "select_for_rl",
        "select_for_sft",
        "trim_out_of_band",
        "trim_unanimous_groups",
    ),
    "score.pairwise": ("judge_pairs", "pairwise_judge"),
    "score.passat": ("PassAt", "pass_at"),
    "score.preflight": (
        "FAILURE_CLASSES",
        "classify_failure",
        "coverage_gap",
        "dataset_report",
        "format_coverage_gap",
        "preflight",
    ),
    "score.privileged": ("LeakReport", "format_leak_report", "leak_report"),
    "score.publish_gate": ("PublishGateError", "calibrate", "publish_gate"),
    "score.quality": ("rank_rows", "score_row"),
    "score.recommend": ("recommend",),
    "score.reference": ("reference_logprobs",),
    "score.rubric": (
        "Criterion",
        "Rubric",
        "attach_rubric",
        "rubric_judge",
        "rubric_of",
        "write_rubrics",
    ),
    "score.spec": ("Spec", "Trait", "load_spec", "spec_version", "stamp_spec"),
    "score.stage": ("STAGES", "format_stages", "stage_of", "stage_report", "stamp_stage"),
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
_MODULES = frozenset({
    "defaults", "distributed", "errors", "exports", "kernels", "models", "page", "registry", "reports", "rows", "run",
    "schema", "score",
})  # fmt: skip

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):  # tools that look at modules ask for these, and want no name that is meant
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in _MODULE_OF:
        value = getattr(importlib.import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
        globals()[name] = value
        return value
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    errors = importlib.import_module(f"{__name__}.errors")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{errors.meant(name, __all__)}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})
