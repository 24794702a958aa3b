"""Agreement on two halves of the tasks: a rubric fitted to its examples agrees on one of them only."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from whileai.simulations.kernels.proportions import two_proportion_p
from whileai.simulations.rows.table import Row, RowTable
from whileai.simulations.score.agreement import Agreement, judge_agreement

HALVES_GAP_FLAG = 0.15  # difference of the halves' agreement, as a share; convention
HALVES_MIN_ROWS = 10  # rows a half; convention


def with_interval(report: Agreement) -> dict[str, Any]:
    """An agreement report as a plain dict, with its intervals under `ci95` (Wilson) and `kappa_ci95`."""
    ends = {"ci95": report.ci95, "kappa_ci95": report.kappa_ci95}
    return {**report, **{key: None if pair is None else tuple(pair) for key, pair in ends.items()}}


def held_out_halves(labelled: list[Row], gold: str) -> dict[str, dict[str, Any]]:
    """Agreement on each half of the tasks, whoever labelled them.

    A task is in `a` when the first 8 hex digits of its key's SHA-256 are even.
    """
    table = RowTable(labelled)
    codes = table.tasks.tolist()
    half_of = [_half(name) for name in table.index.names]
    halves: dict[str, list[Row]] = {"a": [], "b": []}
    for row, code in zip(labelled, codes, strict=True):
        halves[half_of[code]].append(row)
    return {name: with_interval(judge_agreement(half, gold, allow_model_gold=True)) for name, half in halves.items()}


def _half(task: str) -> str:
    return "ab"[int(hashlib.sha256(task.encode("utf-8", "surrogatepass")).hexdigest()[:8], 16) % 2]


def halves_gap(halves: Mapping[str, Mapping[str, Any]]) -> float | None:
    """Difference of the halves' agreement, a less b; None unless both have the rows to say.

    >>> halves_gap({"a": {"n": 30, "agreement": 0.9}, "b": {"n": 9, "agreement": 0.5}}) is None
    True
    """
    a, b = halves["a"], halves["b"]
    if min(a["n"], b["n"]) < HALVES_MIN_ROWS:
        return None
    gap: float = a["agreement"] - b["agreement"]
    return round(gap, 4)


def halves_p(halves: Mapping[str, Mapping[str, Any]]) -> float:
    """Two-sided p that the judge agrees as often in both halves."""
    a, b = (halves[half]["confusion"] for half in ("a", "b"))
    return two_proportion_p(a["tp"] + a["tn"], sum(a.values()), b["tp"] + b["tn"], sum(b.values()))
