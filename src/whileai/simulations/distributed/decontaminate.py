"""`decontaminate`: the evaluation side goes to every worker once; rows stay where they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from whileai.simulations.defaults import DECONTAM_NGRAM, DECONTAM_OVERLAP, SEMANTIC_SIMILARITY
from whileai.simulations.distributed.cluster import Broadcast
from whileai.simulations.distributed.reduction import reduced
from whileai.simulations.distributed.source import source_of
from whileai.simulations.score.decontaminate.decontaminator import DecontaminationReport, Decontaminator, Findings


def decontaminate(
    rows: Any,
    against: Sequence[Any] | Any,
    n: int = DECONTAM_NGRAM,
    fields: Sequence[str] = ("prompt",),
    overlap: float = DECONTAM_OVERLAP,
    embedder: Callable[[list[str]], Sequence[Sequence[float]]] | None = None,
    similarity: float = SEMANTIC_SIMILARITY,
) -> tuple[Any, DecontaminationReport]:
    """A dataset of the rows that `whileai.simulations.decontaminate` keeps, in order, and the same report.

    `against` is read here and given to every worker: it must fit one. Two passes; what was found is shuffled, an
    entry a dropped row. An `embedder` is refused: it is a model with a state of its own, which a function that is
    copied to workers would load anew for every part.
    """
    if embedder is not None:
        raise ValueError(
            "embedder= is not distributed: it would be loaded anew for every part of the rows. Run the text rules "
            "here, and whileai.simulations.decontaminate with the embedder on what is left, or on a sample of it"
        )
    source = source_of(rows)
    found = Decontaminator(against, n=n, fields=fields, overlap=overlap)
    rules = Broadcast(found)
    whole = reduced(source.parts(), FindJob(rules)).whole
    if whole is not None:
        for findings in whole.held:
            found.add(findings)

    def change(held: list[Any], at: int) -> list[Any]:
        fresh = rules.value.fresh()
        return [row for i, row in enumerate(held) if fresh.keeps(i, row)]

    return source.changed(change), found.report()


class _AllFindings:
    """The findings of parts in order."""

    def __init__(self, findings: Findings) -> None:
        self.held = [findings]

    def merge(self, other: _AllFindings) -> None:
        """Add those of later parts."""
        self.held += other.held


@dataclass(frozen=True)
class FindJob:
    """What the rules find in a part."""

    rules: Broadcast

    def __call__(self, rows: list[Any], at: int, n: int) -> tuple[list[Any], _AllFindings]:
        """Gather one part."""
        found = self.rules.value.fresh()
        for place, row in enumerate(rows):
            found.keeps(place, row)
        return [None] * n, _AllFindings(found.findings())
