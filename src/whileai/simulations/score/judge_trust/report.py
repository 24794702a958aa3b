"""`judge_trust`: can the judge be trusted, against labels and under attack?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from whileai.simulations.arguments import between, whole
from whileai.simulations.defaults import (
    FLIP_FLAG,
    JUDGE_CHECK_SAMPLE,
    LENGTH_GAP_FLAG,
    MAX_SKIPPED_SHARE,
    MIN_AGREEMENT,
    MIN_KAPPA,
)
from whileai.simulations.reports import Report
from whileai.simulations.rows.table import Row, RowTable
from whileai.simulations.rows.task import task_key
from whileai.simulations.rows.text import reply
from whileai.simulations.rows.values import as_text, finite, is_bool
from whileai.simulations.score.agreement import judge_agreement
from whileai.simulations.score.judge_trust.cautions import cautions
from whileai.simulations.score.judge_trust.flags import flags, silent, under_floor
from whileai.simulations.score.judge_trust.halves import held_out_halves, with_interval
from whileai.simulations.score.judge_trust.length import length_sensitivity
from whileai.simulations.score.judge_trust.perturbation import perturbation
from whileai.simulations.score.judge_trust.probes import CONCURRENCY, graded_rows, judge_probes
from whileai.simulations.score.judge_trust.scorers import Foreign, foreign_scorers
from whileai.simulations.score.judge_trust.text import format_judge_trust
from whileai.simulations.score.judge_trust.tricks import chosen
from whileai.simulations.score.judging.names import judge_name_of
from whileai.simulations.score.labels.label import GOLD, exact_labels
from whileai.simulations.signature import public

_SKIPPED_EXAMPLES = 5  # distinct fractional rewards shown; convention
_REVIEW_CHARS = 200  # characters of a text in the review queue; convention
_PLACES = 4
_NO_JUDGE = "no probe was run, there is no judge to try them on: pass judge="
Judge = Callable[[dict[str, Any]], Any]


class JudgeTrustReport(Report):
    """What `judge_trust` returns: a dict of its keys that prints itself."""

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(values, show=format_judge_trust)

    def __repr__(self) -> str:
        return f"JudgeTrustReport(ok={self.get('ok')}, n_labeled={self.get('n_labeled')})"


@public
def judge_trust(
    rows: Iterable[Any],
    judge: Judge | None = None,
    gold: str = GOLD,
    sample: int = JUDGE_CHECK_SAMPLE,
    seed: int = 0,
    concurrency: int = CONCURRENCY,
    probes: str | Sequence[str] | None = None,
    rubric: str | None = None,
    min_agreement: float = MIN_AGREEMENT,
    min_kappa: float = MIN_KAPPA,
    allow_model_gold: bool = False,
    length_gap_flag: float = LENGTH_GAP_FLAG,
    flip_flag: float = FLIP_FLAG,
    max_skipped_share: float = MAX_SKIPPED_SHARE,
    *,
    judge_name: str | None = None,
    timeout: float | None = None,
) -> JudgeTrustReport:
    """Measure a judge against trusted labels and, when it is given, under re-judging and attack.

    `rows` carry the judge's 0/1 `reward`, some of them also a 0/1 label in the column `gold`; they are not changed.
    With `judge` up to `sample` of them are judged twice more (as they are, and with neutral filler), with `probes`
    (`"all"` or names of `judge_probes`, which `rubric` feeds) once more a probe; a warning says that none was run for
    want of a judge. `judge_name` is the name the rows carry for this judge, when it was given one; `timeout` is in
    seconds a call.

    Keys: `ok`, measured against a person's or a program's labels and clean; `agreement`, a `judge_agreement` report
    with `ci95` (Wilson) and `kappa_ci95`; `held_out_halves`, the same on two halves of the tasks; `n_labeled` rows
    compared; `gold_kind`; `gold_degenerate`, one class only; `skipped`, labeled rows without a 0/1 reward;
    `length_sensitivity`, the judge's pass rate on short and long replies of one gold label with a `p_value`;
    `perturbation` (flip rates; None without a judge); `probes`, `exploitable_by`; `disagreements`, the rows to read;
    `floors`, `n_rows`, and `warnings`, each with its fix. Shares are 0 to 1, None without rows.

    `ok` needs the lower end of `ci95` at `min_agreement` (Zheng et al. 2023, arXiv:2306.05685), kappa at `min_kappa`
    (Landis and Koch 1977) and nothing flagged: a leak of gold failures, another scorer's rewards on the rows, more than
    `max_skipped_share` of labeled rows skipped for a fractional reward, a length gap of `length_gap_flag` beyond
    noise, a flip rate of `flip_flag`, a probe that pays as often beyond chance, a judge that gives no verdict.
    ValueError for bad arguments.

    >>> rows = [{"task_id": i, "reward": i % 2, "gold_reward": i % 2, "gold_kind": "human"} for i in range(20)]
    >>> report = judge_trust(rows)
    >>> report["ok"], report["agreement"]["agreement"], [round(end, 2) for end in report["agreement"]["ci95"]]
    (True, 1.0, [0.84, 1.0])
    """
    if not isinstance(gold, str):
        raise ValueError(f"gold must name a column of the rows, got {type(gold).__name__}: attach_labels fills one")
    floors = {
        "min_agreement": between("min_agreement", min_agreement, 0, 1),
        "min_kappa": between("min_kappa", min_kappa, -1, 1),
        "max_skipped_share": between("max_skipped_share", max_skipped_share, 0, 1),
    }
    flip_flag = between("flip_flag", flip_flag, 0, math.inf)
    length_gap_flag = between("length_gap_flag", length_gap_flag, 0, math.inf)
    sample, asked = whole("sample", sample, 1), None if probes is None else chosen(probes)
    table = RowTable(rows)
    values = {"ok": False, "n_rows": len(table), **_measured(table, gold, floors, length_gap_flag, allow_model_gold)}
    values.update(perturbation=None, probes=None)
    graded = graded_rows(table.rows) if judge is not None or judge_name else []
    foreign = foreign_scorers([row for row, _ in graded], judge_name_of(judge, judge_name))
    if judge is not None:
        values["perturbation"] = perturbation(
            graded, judge, sample=sample, seed=seed, concurrency=concurrency, timeout=timeout, flip_flag=flip_flag
        )
        if asked:
            values["probes"] = judge_probes(
                table.rows, judge, asked, rubric, sample, seed, concurrency, flip_flag, timeout=timeout
            )
    values["exploitable_by"] = values["probes"]["exploitable_by"] if values["probes"] else []
    values["warnings"] = [*cautions(values, foreign), *([_NO_JUDGE] if asked and judge is None else ())]
    values["ok"] = _ok(values, foreign)
    return JudgeTrustReport(values)


def _measured(
    table: RowTable, gold: str, floors: Mapping[str, float], length_gap_flag: float, allow_model_gold: bool
) -> dict[str, Any]:
    """What the labels say: agreement, halves, length, and the rows the judge and the labels disagree on."""
    test, truth = exact_labels(table.column("reward")), exact_labels(table.column(gold))
    both = ~(np.isnan(test) | np.isnan(truth))
    places = np.flatnonzero(both).tolist()
    labeled: list[Row] = [table.rows[place] for place in places]
    agreement = judge_agreement(table.rows, gold, allow_model_gold=allow_model_gold)
    confusion = agreement["confusion"]
    return {
        "n_labeled": len(labeled),
        "gold_kind": agreement["gold_kind"],
        "gold_degenerate": bool(labeled)
        and 0 in (confusion["tp"] + confusion["fn"], confusion["fp"] + confusion["tn"]),
        "floors": dict(floors),
        "skipped": _skipped(table, ~np.isnan(truth), both, floors["max_skipped_share"]),
        "agreement": with_interval(agreement),
        "held_out_halves": held_out_halves(labeled, gold),
        "length_sensitivity": length_sensitivity(labeled, test[both], truth[both], length_gap_flag),
        "disagreements": [
            _to_review(table.rows[place], int(truth[place]), int(test[place]))
            for place in places
            if truth[place] != test[place]
        ],
    }


def disputed(rows: Iterable[Any], gold: str) -> list[Row]:
    """The rows that `disagreements` is of, in its order.

    >>> rows = [{"task_id": i, "reward": 1, "gold_reward": i} for i in range(2)]
    >>> [row["task_id"] for row in disputed(rows, "gold_reward")]
    [0]
    """
    table = RowTable(rows)
    test, truth = exact_labels(table.column("reward")), exact_labels(table.column(gold))
    apart = ~(np.isnan(test) | np.isnan(truth)) & (test != truth)
    return [table.rows[place] for place in np.flatnonzero(apart).tolist()]


def _skipped(table: RowTable, labeled: Any, both: Any, floor: float) -> dict[str, Any]:
    """Labeled rows that are in no agreement, for want of a 0/1 reward."""
    n_gold, n_used = int(labeled.sum()), int(both.sum())
    left_out = (table.rows[place].get("reward") for place in np.flatnonzero(labeled & ~both).tolist())
    fractions = [value for reward in left_out if (value := _number(reward)) is not None]
    share = len(fractions) / n_gold if n_gold else 0.0
    return {
        "n_gold": n_gold,
        "n_used": n_used,
        "fractional": len(fractions),
        "unscored": n_gold - n_used - len(fractions),
        "share": round(share, _PLACES),
        "floor": floor,
        "over_floor": bool(fractions) and share > floor,
        "examples": sorted({round(value, _PLACES) for value in fractions})[:_SKIPPED_EXAMPLES],
    }


def _number(value: Any) -> float | None:
    return None if isinstance(value, str) or is_bool(value) else finite(value)


def _to_review(row: Row, truth: int, verdict: int) -> dict[str, Any]:
    return {
        "task": task_key(row),
        "gold": truth,
        "judge": verdict,
        "reason": as_text(row.get("reason"))[:_REVIEW_CHARS],
        "final_text": (reply(row) or "")[:_REVIEW_CHARS],
    }


def _ok(report: Mapping[str, Any], foreign: Foreign | None) -> bool:
    wanting = foreign or flags(report) or under_floor(report) or report["skipped"]["over_floor"] or silent(report)
    return bool(report["agreement"]["ok"]) and not wanting
