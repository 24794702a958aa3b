"""How to call each public function with rows: an entry a function, with the promises that do not apply and why."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from typing import Any

import whileai
import whileai.simulations as wai
from common.given import POLICY, RUBRIC, TOOLS, row, rows
from scripted import Scripted


@dataclasses.dataclass(frozen=True)
class Case:
    """One public function and the least it needs to be called.

    `first` makes its positional arguments of some rows, `given` are its keywords. `takes` is "rows" (any iterable of
    them), "row" (the function is called on each), or "other" (rows play no part). `in_place` says that the page has it
    stamp the rows, `refuses` which items that are no rows it refuses. `order` says why the result may differ with the
    order of the rows, `live` why it is no plain value: a function, a reader, a world.
    """

    name: str
    first: Callable[[Any], tuple[Any, ...]] = lambda rows: (rows,)
    given: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    takes: str = "rows"
    in_place: bool = False
    refuses: bool = False
    order: str = ""
    live: str = ""

    @property
    def function(self) -> Callable[..., Any]:
        return getattr(whileai, self.name)

    def call(self, rows: Any, **more: Any) -> Any:
        """What the function gives for the rows; of one that takes a row, what it gives for each."""
        if self.takes == "row":
            return [self.function(*self.first(row), **{**self.given, **more}) for row in rows]
        return self.function(*self.first(rows), **{**self.given, **more})


def judge(row: Any) -> dict[str, Any]:
    """A judge that looks for a word."""
    return {"reward": int("refunded" in str(row.get("final_text"))), "reason": "looked for the word"}


def criteria(prompt: str) -> str:
    """A writer of rubrics."""
    return json.dumps([{**RUBRIC[0], "title": f"rule {n}"} for n in range(4)])


def transport(body: Mapping[str, Any]) -> dict[str, Any]:
    """A reference model in which every token is one word."""
    return {}


def pairs(rows: Any) -> Any:
    """Preference pairs of the rows."""
    return wai.build_preference_pairs(rows)[0]


LISTED = "rows are returned or listed, or the first of several alike is taken, in the order given"
SHUFFLED = "rewards are shuffled in the order given"
CALLED = "it is a function to call"
TWICE = "it is a tool to keep using, not a result"
OFFLINE = {"tools": TOOLS, "simulator": False, "budget": 4}
SPEC = {"id": "support", "traits": ["polite"]}


CASES = [
    Case("annotator_agreement", order=LISTED),
    Case("argument_grounding", takes="row", refuses=True),
    Case("attach_labels", lambda rows: (rows, _labels(rows)), in_place=True, order=LISTED),
    Case("attach_rubric", given={"rubric": RUBRIC}, in_place=True, order=LISTED),
    Case("audit_grades", given={"judge": judge, "sample": 5}, order=LISTED),
    Case("behavior_signature", takes="row", refuses=True),
    Case("behavioral_markers"),
    Case("build_dimensions", lambda rows: (TOOLS, POLICY), takes="other"),
    Case("build_preference_pairs", order=LISTED),
    Case("calibrate", in_place=True),
    Case("calibration_of", takes="row"),
    Case("classify_failure", takes="row"),
    Case("compare_judges", lambda rows: (rows, {"one": judge, "two": judge}), order=LISTED),
    Case("compare_runs", lambda rows: (rows, _other())),
    Case("conduct_grade", takes="row", refuses=True),
    Case("conversation", takes="row", refuses=True),
    Case("corrected_pass_rate"),
    Case("coverage_gap", given={"tools": TOOLS, "system_prompt": POLICY}, order=LISTED),
    Case("curriculum"),
    Case("dataset_report", given={"tools": TOOLS, "system_prompt": POLICY}),
    Case("decontaminate", lambda rows: (rows, [{"prompt": row(1)["prompt"]}]), order=LISTED),
    Case("dedupe_groups", order=LISTED),
    Case("delta_report", lambda rows: (rows, _other())),
    Case("detectable_effect", lambda rows: (100,), takes="other"),
    Case("eval_variance", lambda rows: (rows, _other(), _other())),
    Case("evaluate", given={"judge": judge, "run_id": "run", "progress": False}, order=LISTED),
    Case("expected_outcome", lambda row: (_of(row, "scenario_dimensions"),), takes="row"),
    Case("export_dataset", refuses=True),
    Case("export_preference", lambda rows: (pairs(rows),), order=LISTED),
    Case("export_training", refuses=True),
    Case("filter_rl_rows", order=LISTED),
    Case("format_audit", lambda rows: (wai.audit_grades(rows, judge=judge),), order=LISTED),
    Case("format_coverage_gap", lambda rows: (wai.coverage_gap(rows, tools=TOOLS),)),
    Case("format_curriculum", lambda rows: (wai.curriculum(rows),)),
    Case("format_delta_report", lambda rows: (wai.delta_report(rows, _other()),)),
    Case("format_hack_scan", lambda rows: (wai.hack_scan(rows),), order=SHUFFLED),
    Case("format_hack_scan_diff", lambda rows: (wai.hack_scan_diff(rows, _other()),), order=SHUFFLED),
    Case("format_judge_trust", lambda rows: (wai.judge_trust(rows, judge),), order=LISTED),
    Case("format_leak_report", lambda rows: (wai.leak_report(rows),), order=LISTED),
    Case("format_markers", lambda rows: (wai.behavioral_markers(rows),)),
    Case("format_stages", lambda rows: (wai.stage_report(rows),)),
    Case("from_row", takes="row", refuses=True),
    Case("grounding_report", order=LISTED),
    Case("group_signal"),
    Case("hack_scan", order=SHUFFLED),
    Case("hack_scan_diff", lambda rows: (rows, _other()), order=SHUFFLED),
    Case("holdout_size", lambda rows: (0.1,), takes="other"),
    Case("judge_agreement"),
    Case("judge_pairs", lambda rows: (pairs(rows), lambda pair: "A"), in_place=True, order=LISTED),
    Case("judge_probes", lambda rows: (rows, judge), order=LISTED),
    Case("judge_trust", lambda rows: (rows, judge), order=LISTED),
    Case("leak_report", order=LISTED),
    Case("length_report", order=LISTED),
    Case("load_rows", order=LISTED, live="it reads as it is iterated"),
    Case("load_spec", lambda rows: (SPEC,), takes="other"),
    Case("load_traces", order=LISTED),
    Case("logprob_report"),
    Case("mark_grounding", order=LISTED),
    Case("mark_rows", order=LISTED),
    Case("marker_names"),
    Case("marker_summary"),
    Case("mean_kl"),
    Case("metric_summary"),
    Case("mine_traces", order=LISTED),
    Case("near_duplicate_prompts", order=LISTED),
    Case("next_round", order=LISTED),
    Case("noise_band", lambda rows: (0.02,), takes="other"),
    Case("normalize_judge_result", lambda row: (_of(row, "reward"),), takes="row"),
    Case("optimize", in_place=True, order=LISTED),
    Case("outcome_check", takes="row", refuses=True),
    Case("pairwise_judge", lambda rows: (Scripted("A"),), takes="other", live=CALLED),
    Case("pass_at"),
    Case("policy_sections", lambda rows: (POLICY,), takes="other"),
    Case("preflight", lambda rows: (TOOLS, POLICY), takes="other"),
    Case("privileged_context", lambda row: (_of(row, "scenario_dimensions"), _of(row, "faults")), takes="row"),
    Case("publish_gate", given={"strict": False}, in_place=True, order=LISTED),
    Case("rank_rows", in_place=True, refuses=True, order=LISTED),
    Case("recommend", lambda rows: (TOOLS, POLICY), takes="other"),
    Case("reference_logprobs", given={"ref": "vllm:m@http://localhost:1/v1", "transport": transport}, in_place=True),
    Case("refusal_report", order=LISTED),
    Case("retire_solved", order=LISTED),
    Case("reward_correlations"),
    Case("row_markers", takes="row"),
    Case("rubric_judge", lambda rows: (RUBRIC, Scripted("A")), takes="other", live=CALLED),
    Case("rubric_of", takes="row"),
    Case("run_judge", given={"judge": judge, "run_id": "run", "quiet": True}, order=LISTED),
    Case("scenario_regions", lambda rows: (TOOLS, POLICY), takes="other"),
    Case("score_row", takes="row", refuses=True),
    Case("seeded_agent", lambda rows: (TOOLS,), takes="other", live=CALLED),
    Case("select", given={"mode": "rl"}, in_place=True, order=LISTED),
    Case("select_for_rl", in_place=True, order=LISTED),
    Case("select_for_sft", order=LISTED),
    Case(
        "simulate", lambda rows: (wai.seeded_agent(TOOLS),), {"tools": TOOLS, "simulator": False, "budget": 4}, "other"
    ),
    Case("spec_version", lambda rows: (SPEC,), takes="other"),
    Case("stage_of", takes="row"),
    Case("stage_report"),
    Case("staleness_report"),
    Case("stamp_spec", given={"spec": SPEC}, order=LISTED),
    Case("stamp_stage", given={"stage": "rl"}, order=LISTED),
    Case("style_markers", in_place=True, order=LISTED),
    Case("style_report"),
    Case("task_checklist", takes="row", refuses=True),
    Case("task_key", takes="row", refuses=True),
    Case("to_row", lambda row: wai.from_row(row), takes="row", refuses=True),
    Case("trace_flag_report", order=LISTED),
    Case("trace_flags", takes="row", refuses=True),
    Case("trace_markers", in_place=True, order=LISTED),
    Case("training_rows", refuses=True, order=LISTED),
    Case("trim_out_of_band", order=LISTED),
    Case("trim_unanimous_groups", order=LISTED),
    Case("ungrounded_arguments", takes="row", refuses=True),
    Case("validate", takes="row"),
    Case("world", lambda rows: (TOOLS,), takes="other", live=TWICE),
    Case("write_rubrics", given={"writer": criteria, "overwrite": True}, in_place=True, order=LISTED),
]
BY_NAME = {case.name: case for case in CASES}

# Functions that write files, change settings or decorate: their own tests hold them.
ELSEWHERE = {
    "configure": "tests/models", "context": "tests/models", "export": "it is export_training",
    "push_rows": "tests/registry", "tool": "tests/run", "write_rows": "tests/rows",
}  # fmt: skip


def _refused() -> Exception:
    try:
        wai.publish_gate([row(0, n, reward=1) for n in range(4)])
    except wai.PublishGateError as error:
        return error
    raise AssertionError("the gate let it pass")


# One of each public class.
MADE: dict[str, Callable[[], Any]] = {
    "AgentProfile": lambda: wai.AgentProfile(TOOLS, POLICY),
    "BadRecord": lambda: wai.BadRecord("a.jsonl", 3, "no JSON"),
    "Calibration": lambda: wai.Calibration("s1", wai.schema.PolicyRef("small"), 4, 0.5),
    "Criterion": lambda: wai.Criterion(**RUBRIC[0]),
    "Dataset": lambda: wai.Dataset("d", splits={"train": ("s1",)}),
    "DeltaReport": lambda: wai.delta_report(rows(), _other()),
    "EvalVarianceReport": lambda: wai.eval_variance(rows(), _other(), _other()),
    "HackScanReport": lambda: wai.hack_scan(rows()),
    "HoldoutSizeReport": lambda: wai.holdout_size(0.1),
    "Judge": lambda: wai.Judge(RUBRIC, model="vllm:small@http://localhost:1/v1"),
    "JudgeComparison": lambda: wai.compare_judges(rows(), {"one": judge}),
    "JudgeScore": lambda: wai.compare_judges(rows(), {"one": judge}).best,
    "Judgment": lambda: wai.from_row(row())[2][0],
    "LeakReport": lambda: wai.leak_report(rows()),
    "Marker": lambda: wai.from_row(row())[3][0],
    "PassAt": lambda: wai.pass_at(rows()),
    "PublishGateError": _refused,
    "ReadError": lambda: wai.ReadError("no reward key", source="a.jsonl", record=17),
    "Rollout": lambda: wai.from_row(row())[1],
    "RowList": lambda: wai.RowList(rows(), system_prompt=POLICY, tools=TOOLS),
    "Rubric": lambda: wai.rubric_of(row()),
    "ScoredData": lambda: wai.run_judge(rows(), judge, run_id="run", quiet=True),
    "Selection": lambda: whileai.select(rows(), mode="rl"),
    "SimulationData": lambda: BY_NAME["simulate"].call([]),
    "Spec": lambda: wai.load_spec(SPEC),
    "StyleReport": lambda: wai.style_report(rows()),
    "Task": lambda: wai.from_row(row())[0],
    "Trait": lambda: wai.load_spec(SPEC).traits[0],
    "World": lambda: wai.World(TOOLS),
}
NOT_MADE = {"RowReader": "load_rows makes it, and it reads as it is iterated"}


def _of(row: Any, key: str) -> Any:
    return row.get(key) if isinstance(row, dict) else None


def _labels(rows: Any) -> list[dict[str, Any]]:
    """A label of the first row that can be named."""
    ids = [row["rollout_id"] for row in rows[:1] if "rollout_id" in row] if isinstance(rows, list) else ["s0-0"]
    return [{"rollout_id": name, "label": 1, "ts": "2026-01-01"} for name in ids]


def _other() -> list[dict[str, Any]]:
    """The other side of a comparison."""
    return rows(5, 3)
