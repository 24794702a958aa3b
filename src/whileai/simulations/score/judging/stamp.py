"""The row that a verdict makes of the row that was judged."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from whileai.simulations.rows.values import as_text
from whileai.simulations.score.judging.names import judge_name_of, scorer_kind_of

Row = dict[str, Any]
Verdict = dict[str, Any]
_OF_A_VERDICT = ("judge_meta", "failure_class")  # what an earlier verdict said, which would speak for the new one


@dataclass(frozen=True, slots=True)
class Stamp:
    """What every row of one scoring run records of it."""

    run_id: str
    source: str
    judge_name: str
    model: str | None = None
    version: str | None = None
    scorer_kind: str | None = None

    @classmethod
    def of(
        cls,
        judge: Any,
        judge_name: str | None = None,
        run_id: str | None = None,
        source: str = "grade",
        model: str | None = None,
        version: str | None = None,
    ) -> Stamp:
        """The stamp of a run of a judge, under its own name and a new id unless they are given."""
        name, kind = judge_name_of(judge, judge_name), scorer_kind_of(judge)
        return cls(run_id or f"score_{uuid.uuid4().hex[:12]}", source, name, model, version, kind)

    def scored(self, row: Row, verdict: Verdict, place: int) -> Row:
        """A copy of the row with its verdict, the run it was scored in and the trajectory it comes from."""
        scored = {
            **row,
            "reward": verdict["reward"],
            "judge_status": verdict["judge_status"],
            "judge_name": self.judge_name,
            "lineage": self._lineage(row, place),
        }
        for name in _OF_A_VERDICT:
            if name in row:
                del scored[name]
        if verdict["reason"]:
            scored["reason"] = verdict["reason"]
        meta = verdict["judge_meta"]
        if meta:
            _lift(meta, scored)
        if self.scorer_kind is not None:
            meta = {"scorer_kind": self.scorer_kind, **meta}
        if meta:
            scored["judge_meta"] = meta
        return scored

    def _lineage(self, row: Row, place: int) -> dict[str, Any]:
        earlier = row.get("lineage")
        lineage = dict(earlier) if isinstance(earlier, dict) else {}
        if prior := lineage.get("scoring_run_id"):
            lineage["prior_scoring_run_id"] = prior
        lineage["scoring_run_id"] = self.run_id
        lineage["source"] = self.source
        lineage["judge"] = self.judge_name
        lineage["parent"] = as_text(row.get("scenario_id")) or as_text(row.get("id")) or f"row_{place}"
        if self.model is not None:
            lineage["model"] = self.model
        if self.version is not None:
            lineage["judge_version"] = self.version
        return lineage


def _lift(meta: dict[Any, Any], scored: Row) -> None:
    """Bring the failure class and the markers that a judge gave up to the row."""
    if failure := meta.get("failure_class"):
        scored["failure_class"] = as_text(failure)
    markers = meta.get("markers")
    if isinstance(markers, dict) and markers:
        own = scored.get("markers")
        scored["markers"] = {**(own if isinstance(own, dict) else {}), **{as_text(k): v for k, v in markers.items()}}
