"""What `import whileai.simulations as wai` offers, where each name is defined, and what importing it costs."""

from __future__ import annotations

import doctest
import importlib
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import whileai
import whileai.simulations as wai
from tables import each_of

HEAVY = ("numpy", "scipy", "pyarrow", "pandas", "polars", "datasets", "rich", "typer", "httpx", "openai")
SPEC = Path(__file__).parents[2] / "shared" / "spec"

# The names of the two reference pages, by the module that each is "Defined in".
DEFINED_IN = {
    "schema": "Calibration Dataset Judgment Marker Rollout Task calibration_of from_row to_row validate",
    "score.agreement": "judge_agreement",
    "score.audit": "audit_grades format_audit",
    "score.checklist": "expected_outcome outcome_check privileged_context task_checklist",
    "score.curriculum": "curriculum format_curriculum retire_solved",
    "score.delta": "delta_report format_delta_report",
    "score.grading": "behavior_signature conduct_grade",
    "score.grounding": "argument_grounding grounding_report mark_grounding ungrounded_arguments",
    "score.hack_scan": "format_hack_scan format_hack_scan_diff hack_scan hack_scan_diff",
    "score.hygiene": "dedupe_groups length_report near_duplicate_prompts reward_correlations",
    "score.judge_trust": "format_judge_trust judge_probes judge_trust",
    "score.judging": "ScoredData build_preference_pairs evaluate normalize_judge_result run_judge",
    "score.labels": "annotator_agreement attach_labels",
    "score.logprobs": "logprob_report mean_kl staleness_report",
    "score.markers": "behavioral_markers format_markers mark_rows row_markers",
    "score.optimize": "filter_rl_rows group_signal next_round optimize recommend select_for_rl select_for_sft "
    "trim_out_of_band trim_unanimous_groups",
    "score.pairwise": "judge_pairs pairwise_judge",
    "score.passat": "PassAt pass_at",
    "score.preflight": "classify_failure coverage_gap dataset_report format_coverage_gap preflight",
    "score.privileged": "format_leak_report leak_report",
    "score.publish_gate": "PublishGateError calibrate publish_gate",
    "score.quality": "rank_rows score_row",
    "score.reference": "reference_logprobs",
    "score.rubric": "Criterion Rubric attach_rubric rubric_judge rubric_of write_rubrics",
    "score.spec": "Spec Trait load_spec spec_version stamp_spec",
    "score.stage": "format_stages stage_of stage_report stamp_stage",
    "score.stats": "compare_runs decontaminate detectable_effect eval_variance holdout_size marker_names "
    "marker_summary metric_summary task_key",
    "score.style": "refusal_report style_markers style_report",
    "score.trace": "trace_flag_report trace_flags trace_markers",
}
HOMES = [(name, module) for module, names in DEFINED_IN.items() for name in names.split()]

# Constants of the table in surface.md; `PROBES`, `STAGES` and `STYLE_MARKERS` are below.
CONSTANTS = {
    "ALPHA": 0.05, "POWER": 0.8, "PASS_THRESHOLD": 0.5, "MIN_CI_TASKS": 3, "MIN_TRAIN_SEEDS": 2, "MIN_HOLDOUT_TASKS": 2,
    "FIXED_POINT_STEPS": 12, "BASE_PASS_RATE": 0.6, "CEILING_PASS_RATE": 0.9, "CEILING_MIN_TASKS_WITH_ROOM": 20,
    "ROLLOUTS_PER_TASK": 4, "ANSWERED_GAP_POINTS": 0.10, "ANSWERED_P_MAX": 0.01, "DIFFICULTY_BAND": (0.2, 0.8),
    "DEFAULT_BAND": (0.2, 0.8), "FN_WARN": 0.10, "FLIP_FLAG": 0.10, "PROBE_MIN_N": 20, "MAX_SKIPPED_SHARE": 0.10,
    "POSITION_FLIP_FLAG": 0.2, "MIN_DISTINCT_PER_ASK": 3, "DEGENERATE_RHO": 0.999, "SATURATION_COPIES": 5,
    "RULE_AXIS_CAP_REPORT": None, "RULE_AXIS_CAP_GRID": 16, "HARD_SHARE_FLOOR": 0.3, "CI_LEVEL": 0.95, "Z_95": 1.96,
    "BOOTSTRAP_DRAWS": 2000, "MIN_RERUNS": 3, "PROVE_EFFECT": 0.05, "DIFFICULTY_BAND_ROLLOUTS": 16,
    "REJECTION_SAMPLING_MIN_K": 10, "RL_ROLLOUTS_PER_PROMPT": 8, "SFT_PHRASINGS_PER_SITUATION": 3,
    "SFT_COMPLETIONS_PER_PROMPT": 4, "DECONTAM_NGRAM": 8, "DECONTAM_OVERLAP": 0.8, "SEMANTIC_SIMILARITY": 0.85,
    "MIN_GOLD": 50, "MAX_GOLD_ASK": 200, "MIN_AGREEMENT": 0.8, "MIN_KAPPA": 0.6, "JUDGE_CHECK_SAMPLE": 40,
    "LENGTH_GAP_FLAG": 0.15, "JUDGE_PAYLOAD_CHARS": 8000, "JUDGE_SITUATION_CHARS": 4000,
    "JUDGE_FINAL_TEXT_CHARS": 2000, "JUDGE_POLICY_CHARS": 2000, "JUDGE_MAX_TOKENS": 120, "JUDGE_TEMPERATURE": 0.0,
    "DECISION_UNSURE_BAND": 0.1, "TRUNCATED_REPLY_CHARS": 600, "HACK_THRESHOLD": 0.3, "LEAK_MIN_QUOTE_CHARS": 12,
    "DEFAULT_BUDGET": 1000, "DEFAULT_CONCURRENCY": 32, "DEFAULT_SELECT_TARGET": 1000,
}  # fmt: skip
OF_THE_PACKAGE = [
    "Anthropic", "Endpoint", "Fireworks", "Hosted", "Judge", "Ollama", "OpenAI", "Selection", "configure", "context",
    "export", "judge_comparison", "models", "select",
]  # fmt: skip


@each_of("name", wai.__all__)
def test_each_public_name_loads_and_is_documented_with_an_example(name: str) -> None:
    found = getattr(wai, name)
    assert getattr(whileai, name) is found
    if callable(found):
        assert doctest.DocTestParser().get_examples(inspect.getdoc(found) or ""), f"{name} has no example"


@each_of(("name", "module"), HOMES, ids=[name for name, _ in HOMES])
def test_each_name_of_the_pages_is_where_they_say_it_is_defined(name: str, module: str) -> None:
    assert getattr(importlib.import_module(f"whileai.simulations.{module}"), name) is getattr(wai, name)
    assert name in wai.__all__


@pytest.mark.skipif(not SPEC.is_dir(), reason="the pages are not there")
def test_the_list_of_names_is_that_of_the_pages() -> None:
    listed = {(name, f"whileai/simulations/{module.replace('.', '/')}.py") for name, module in HOMES}
    page = (SPEC / "score-api.md").read_text(encoding="utf-8")
    parts = re.split(r"^### ", page, flags=re.MULTILINE)[1:]
    on_page = {
        (part.split("\n")[0].replace("\\", ""), m[1])
        for part in parts
        if (m := re.search(r"Defined in `([^`]+)`", part))
    }
    schema = (SPEC / "schema-api.md").read_text(encoding="utf-8")
    assert "Defined in whileai/simulations/schema.py" in schema
    on_page |= {(name, "whileai/simulations/schema.py") for name in re.findall(r"^`(\w+)`\t", schema, re.MULTILINE)}
    assert on_page == listed


@each_of("name", OF_THE_PACKAGE)
def test_the_package_offers_what_names_models_and_judges(name: str) -> None:
    found = getattr(whileai, name)
    assert found.__doc__
    assert not callable(found) or doctest.DocTestParser().get_examples(inspect.getdoc(found) or "")
    assert name in dir(whileai)


def test_constants_are_those_of_the_table() -> None:
    assert {name: getattr(wai.defaults, name) for name in CONSTANTS} == CONSTANTS
    assert wai.PROBES == (
        "filler", "keyword_stuffing", "success_claim", "prompt_echo", "sycophancy", "empty_format", "refusal",
    )  # fmt: skip
    assert wai.STAGES == ("sft", "rm", "rl", "eval", "mid")
    assert wai.SEEDED_BEHAVIORS == ("hedging", "sycophancy", "apology", "boilerplate", "ignore_fault", "leak")
    assert (wai.SCHEMA_VERSION, wai.DEFAULT_BAND, wai.HACK_THRESHOLD) == ("1", (0.2, 0.8), 0.3)


def test_unknown_names_are_attribute_errors() -> None:
    for module in (wai, whileai):
        with pytest.raises(AttributeError, match="no attribute 'nope'"):
            module.nope  # noqa: B018


FIRST_USES = {
    "import whileai; print(whileai.Judge.__name__)": "Judge",
    "import whileai; print(whileai.simulations.__name__)": "whileai.simulations",
    "import whileai; print(whileai.models.__name__)": "whileai.simulations.models",
    "import whileai; print(whileai.judge_comparison.compare_judges.__name__)": "compare_judges",
    "import whileai; print(hasattr(whileai, 'nope'), 'simulate' in dir(whileai))": "False True",
    "from whileai import pass_at; print(pass_at.__name__)": "pass_at",
    "from whileai.judge_comparison import compare_judges; print(compare_judges.__name__)": "compare_judges",
    "from whileai.models import Hosted as h; import whileai.simulations as w; print(w.models.Hosted is h)": ("True"),
}


EACH_USE_FIRST = """
import json, sys
for use in json.loads(sys.argv[1]):
    for name in [name for name in sys.modules if name.partition(".")[0] == "whileai"]:
        del sys.modules[name]
    exec(use, {})
"""


def test_a_name_of_the_package_is_there_at_its_first_use() -> None:
    command = [sys.executable, "-c", EACH_USE_FIRST, json.dumps(list(FIRST_USES))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout.splitlines(), done.stderr) == (list(FIRST_USES.values()), "")


def test_import_loads_no_heavy_library() -> None:
    code = f"import sys, whileai.simulations; print([m for m in {HEAVY!r} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
