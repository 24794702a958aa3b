"""What a trust report found wanting, told from its own keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.defaults import CI_LEVEL, MAX_GOLD_ASK
from whileai.simulations.kernels.proportions import trials_for_bound
from whileai.simulations.score.agreement import LEAK_THRESHOLD

LEAK, AGREEMENT, KAPPA, LENGTH = "leak", "agreement", "kappa", "length"
CONSISTENCY, FILLER, PROBES = "consistency", "filler", "probes"
FROM_AGREEMENT = frozenset({LEAK, AGREEMENT, KAPPA})
Report = Mapping[str, Any]


def flags(report: Report) -> list[str]:
    """What was measured and found wanting, in the order of the warnings."""
    agreement, floors, again = report["agreement"], report["floors"], report.get("perturbation") or {}
    judged = {
        LEAK: leaks(agreement["confusion"]),
        AGREEMENT: under_floor(report) and labels_needed(report) is None,
        KAPPA: _under_kappa(report, floors["min_kappa"]),
        LENGTH: report["length_sensitivity"]["flagged"] and not report["gold_degenerate"],
        CONSISTENCY: again.get("flagged_consistency"),
        FILLER: again.get("flagged_length"),
        PROBES: report.get("exploitable_by"),
    }
    return [name for name, found in judged.items() if found]


def leaks(confusion: Mapping[str, int]) -> bool:
    """Whether the judge passes so many gold failures that it is warned about."""
    failures = confusion["fp"] + confusion["tn"]
    return bool(confusion["fp"]) and confusion["fp"] >= LEAK_THRESHOLD * failures


def under_floor(report: Report) -> bool:
    """Whether the lower bound of agreement does not reach its floor."""
    ends = report["agreement"]["ci95"]
    return ends is not None and ends[0] < report["floors"]["min_agreement"]


def labels_needed(report: Report) -> int | None:
    """How many labels would lift the lower bound to the floor at this agreement; None when no number worth asking for.

    A sample that is merely short says nothing against the judge.
    """
    confusion, floor = report["agreement"]["confusion"], report["floors"]["min_agreement"]
    n = sum(confusion.values())
    share = (confusion["tp"] + confusion["tn"]) / n if n else 0.0
    return trials_for_bound(share, floor, CI_LEVEL, MAX_GOLD_ASK) if share > floor else None


def silent(report: Report) -> bool:
    """Whether the judge gave no verdict to count when it was asked, in judging again or in a probe."""
    again = report.get("perturbation") or {}
    probes = (report.get("probes") or {}).get("probes", {})
    unheard = again.get("n") and again["consistency_flip_rate"] is None and again["filler_flip_rate"] is None
    return bool(unheard) or any(not entry["n"] and entry.get("errors") for entry in probes.values())


def _under_kappa(report: Report, floor: float) -> bool:
    kappa = report["agreement"]["kappa"]
    return kappa is not None and not report["gold_degenerate"] and kappa < floor
