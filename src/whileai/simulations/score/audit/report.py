"""`audit_grades`: how many of a verifier's failures are right answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from whileai.simulations.arguments import between, whole
from whileai.simulations.defaults import FN_WARN, JUDGE_CHECK_SAMPLE
from whileai.simulations.reports import Report
from whileai.simulations.rows.grade import score_of
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.values import as_text
from whileai.simulations.score.audit.sides import Rate, Row, Side, overturned_kinds, passed
from whileai.simulations.score.audit.text import block, summary_of, warnings_of
from whileai.simulations.score.judge_trust.draw import drawn
from whileai.simulations.score.judging.loop import run_judge
from whileai.simulations.score.labels.identity import written
from whileai.simulations.signature import public

AUDIT_EXAMPLES = 5  # overturned rows shown; convention
CONCURRENCY = 4  # judge calls in flight; convention
TIMEOUT_S = 120  # seconds a call; convention
QUESTION = (
    "The reference answer is the answer key for this task. Is the reply's final answer correct, meaning it gives the "
    "same result as the reference? Differences in formatting, rounding, ordering (unless the task asks for an order), "
    "column or field naming, or an equivalent way of expressing the same result do not make it wrong. A missing, "
    "different, or partial result does."
)
_HIDDEN = frozenset({"reward", "reason", "judge_status", "judge_meta", "judge_name", "failure_class"})


@public
def audit_grades(
    rows: Iterable[Any],
    *,
    judge: Callable[[Row], Any],
    sample: int = JUDGE_CHECK_SAMPLE,
    passes: int = 0,
    question: str = QUESTION,
    seed: int = 0,
    concurrency: int = CONCURRENCY,
    timeout: float | None = TIMEOUT_S,
    judge_name: str | None = None,
    fn_warn: float = FN_WARN,
) -> Report:
    """Estimate how many of a verifier's failures are right answers, by putting a sample of them to a judge.

    `rows` were graded 0/1 by the verifier and are not changed. `sample` failures (and `passes` passes, for the other
    side) are drawn with `seed`. The judge gets copies without the verdict, with `question` as `privileged.rubric` where
    a row has no rubric, and the verifier's verdict under `audit`; a judge reward of 0.5 or more is a pass. `timeout`
    is in seconds a call.

    Keys: `fn_rate`, the share of checked failures the judge passes, with `fn_ci95` (Wilson) and
    `estimated_wrong_fails`, that share of all `n_failed`; `false_negatives` of `n_checked` (`n_sampled` drawn);
    `fp_rate`, `fp_ci95`, `false_positives`, `n_passes_checked`, `n_passes_sampled` for the passes; `judge_errors`;
    `reasons`, the verifier's kinds of failure with how many were checked (`n`) and overturned (`fn`); `examples` of
    overturned rows; `n_rows` graded, `n_passed`; `verifier`, `judge`, `question`; `warnings`, `summary`. Rates are
    None when nothing was checked. Over `fn_warn` the verifier should be mended before training. ValueError for a bad
    argument.

    >>> rows = [{"reward": 0, "final_text": text, "reason": "exact: got other text"} for text in ("42", "42.0", "7")]
    >>> report = audit_grades(rows, judge=lambda row: float(row["final_text"]) == 42)
    >>> report["false_negatives"], report["n_checked"], report["reasons"]
    (2, 3, {'exact': {'n': 3, 'fn': 2}})
    """
    sample, passes = whole("sample", sample, 1), whole("passes", passes, 0)
    fn_warn = between("fn_warn", fn_warn, 0, 1)
    if not isinstance(question, str) or not question.strip():
        raise ValueError(f"question must be text that the judge answers, got {question!r}")
    graded = [(row, reward) for row in RowTable(rows).rows if (reward := score_of(row.get("reward"))) in (0.0, 1.0)]
    verifier = next((name for row, _ in graded if (name := written(row.get("judge_name")))), None)
    ok = [(row, reward) for row, reward in graded if written(row.get("judge_status")) in ("", "ok")]
    sides = [[row for row, reward in ok if reward == wanted] for wanted in (0, 1)]
    sampled = [
        [side[place] for place in drawn(len(side), size, seed)]
        for side, size in zip(sides, (sample, passes), strict=True)
    ]
    shown = [_shown(row, question, verifier) for part in sampled for row in part]
    judged: list[Row] = []
    if shown:
        scored = run_judge(
            shown, judge, judge_name, source="audit", concurrency=concurrency, timeout=timeout, quiet=True
        )
        judged, judge_name = list(scored.rows), scored.judge_name
    names = {"verifier": verifier, "judge": judge_name, "question": question}
    n_fails = len(sampled[0])
    fails, others = (
        Side(len(side), drawn_rows, part)
        for side, drawn_rows, part in zip(sides, sampled, (judged[:n_fails], judged[n_fails:]), strict=True)
    )
    return _report(fails, others, len(graded), names, fn_warn)


def _shown(row: Mapping[str, Any], question: str, verifier: str | None) -> Row:
    """What the judge is handed: the rollout and its reference, the verdict only as the verifier's."""
    held = row.get("privileged")
    privileged = dict(held) if isinstance(held, Mapping) else {}
    if not privileged.get("rubric"):
        privileged["rubric"] = question
    return {
        **{key: value for key, value in row.items() if key not in _HIDDEN},
        "privileged": privileged,
        "audit": {
            "question": question,
            "verifier": verifier,
            "verifier_reason": as_text(row.get("reason")),
            "verifier_reward": row.get("reward"),
        },
    }


def _report(fails: Side, others: Side, n_rows: int, names: dict[str, Any], fn_warn: float) -> Report:
    overturned = [pair for pair in fails.checked if passed(pair[1])]
    fn = Rate(len(overturned), len(fails.checked))
    fp = Rate(sum(not passed(judged) for _, judged in others.checked), len(others.checked))
    kinds = overturned_kinds(fails, names["verifier"])
    wrong = round(fn.hits / fn.n * fails.n) if fn.n else None
    summary = summary_of(fails, others, fn, wrong)
    values = {
        "n_rows": n_rows,
        "n_failed": fails.n,
        "n_passed": others.n,
        "n_sampled": len(fails.sampled),
        "n_checked": fn.n,
        "false_negatives": fn.hits,
        "fn_rate": fn.share,
        "fn_ci95": fn.ci95,
        "estimated_wrong_fails": wrong,
        "n_passes_sampled": len(others.sampled),
        "n_passes_checked": fp.n,
        "false_positives": fp.hits,
        "fp_rate": fp.share,
        "fp_ci95": fp.ci95,
        "judge_errors": fails.errors + others.errors,
        "reasons": kinds,
        "examples": [_example(*pair) for pair in overturned[:AUDIT_EXAMPLES]],
        **names,
        "warnings": list(warnings_of(fails, others, fn, fp, fn_warn, kinds, summary)),
        "summary": summary,
    }
    return Report(values, show=block)


def _example(row: Mapping[str, Any], judged: Row) -> Row:
    return {
        "scenario_id": row.get("scenario_id"),
        "rollout_index": row.get("rollout_index"),
        "verifier_reason": as_text(row.get("reason")),
        "judge_reason": as_text(judged.get("reason")),
    }
