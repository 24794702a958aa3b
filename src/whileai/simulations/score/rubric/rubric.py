"""`Rubric`: criteria with a version, and the reward that one verdict a criterion gives."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from whileai.simulations.rows.values import as_text, is_mapping
from whileai.simulations.score.rubric.answers import answers_of
from whileai.simulations.score.rubric.criterion import HARD, PITFALL, PRINCIPLE, Criterion


@dataclass(frozen=True)
class Rubric:
    """The criteria of one task. `source` says who wrote them (`hand`, `model`), `domain` and `notes` are free text.

    No criteria, and two criteria with one slug, are a `ValueError`. `version` changes with any edit of the criteria.

    >>> rubric = Rubric((Criterion("Issues the refund", kind="hard"), Criterion("Names the amount", weight=2)))
    >>> print(rubric.checklist())
    1. [Hard rule, weight 1] Issues the refund
    2. [Principle, weight 2] Names the amount
    >>> rubric.score({"1": True, "Names the amount": False})["reward"]
    0.0
    """

    criteria: tuple[Criterion, ...]
    source: str = "hand"
    domain: str = ""
    notes: str = ""

    def __post_init__(self) -> None:
        given = [self.criteria] if isinstance(self.criteria, Criterion) else self.criteria
        if not isinstance(given, list | tuple) or not given:
            raise ValueError(f"a rubric needs at least one criterion, its criteria are {given!r:.80}: give a list")
        criteria = tuple(c if isinstance(c, Criterion) else Criterion.from_dict(c) for c in given)
        taken: dict[str, str] = {}
        for criterion in criteria:
            if (slug := criterion.slug) in taken:
                raise ValueError(
                    f"criteria {taken[slug]!r} and {criterion.title!r} share the slug {slug!r}: change one title"
                )
            taken[slug] = criterion.title
        object.__setattr__(self, "criteria", criteria)

    def __len__(self) -> int:
        return len(self.criteria)

    @cached_property
    def version(self) -> str:
        """The first 12 hex digits of the SHA-256 of the criteria as JSON."""
        text = json.dumps([criterion.to_dict() for criterion in self.criteria], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def checklist(self) -> str:
        """The rubric as the judge reads it: a numbered line a criterion, with its kind and weight."""
        return "\n".join(f"{place}. {criterion.line}" for place, criterion in enumerate(self.criteria, 1))

    def score(self, results: Mapping[str, Any]) -> dict[str, Any]:
        """The reward from one verdict a criterion, and how it came about.

        `results` maps an item number, title or slug (or a paraphrase that fits one criterion only) to whether the
        reply meets a hard rule or principle, or exhibits a pitfall; other keys are ignored. A text says what it opens
        with (yes, true, met, pass, 1; no, not, false, never, unmet, fail, wrong, 0), another one nothing. A missed
        hard rule is a reward of 0; else it is the met principle weight less the exhibited pitfall weight, over the
        principle weight, within [0, 1]; without principles 1 less the share of pitfall weight. What has no verdict
        counts as not met and not exhibited.

        Keys: `reward` (4 decimals), then titles: `met` (hard rules and principles), `missed` (principles),
        `hard_failed`, `pitfalls_hit`, `unanswered`.

        >>> rubric = Rubric((Criterion("Names the order"), Criterion("Gives the date"), Criterion("Blames the user",
        ...     kind="pitfall", weight=0.5)))
        >>> rubric.score({"names_the_order": "yes", "2": False, "3": True})["reward"]
        0.25
        """
        answers = answers_of(results, self.criteria)
        yes = {criterion.title for criterion, answer in zip(self.criteria, answers, strict=True) if answer}
        return {
            "reward": self._reward(yes),
            "met": [c.title for c in self.criteria if c.kind != PITFALL and c.title in yes],
            "missed": [c.title for c in self.criteria if c.kind == PRINCIPLE and c.title not in yes],
            "hard_failed": [c.title for c in self.criteria if c.kind == HARD and c.title not in yes],
            "pitfalls_hit": [c.title for c in self.criteria if c.kind == PITFALL and c.title in yes],
            "unanswered": [c.title for c, answer in zip(self.criteria, answers, strict=True) if answer is None],
        }

    def _reward(self, yes: set[str]) -> float:
        if any(c.kind == HARD and c.title not in yes for c in self.criteria):
            return 0.0
        principles, met = self._weight(PRINCIPLE), self._weight(PRINCIPLE, yes)
        pitfalls, hit = self._weight(PITFALL), self._weight(PITFALL, yes)
        if principles:
            return round(min(1.0, max(0.0, (met - hit) / principles)), 4)
        return round(1 - hit / pitfalls, 4) if pitfalls else 1.0

    def _weight(self, kind: str, of: set[str] | None = None) -> float:
        return sum(c.weight for c in self.criteria if c.kind == kind and (of is None or c.title in of))

    def to_dict(self) -> dict[str, Any]:
        """The form rows carry: `criteria` (dicts), `source`, `domain`, `notes`, `version`."""
        return {
            "criteria": [criterion.to_dict() for criterion in self.criteria],
            "source": self.source,
            "domain": self.domain,
            "notes": self.notes,
            "version": self.version,
        }

    @classmethod
    def from_dict(cls, form: Any) -> Rubric:
        """The rubric a dict (`to_dict` form), a bare list of criteria or a plain text holds, as it is when it is one.

        A plain text is one hard criterion. A `ValueError` when there is no criterion, or one without a title.

        >>> Rubric.from_dict([{"title": "Names the order"}, {"title": "Invents a date", "weight": -1}]).criteria[1].kind
        'pitfall'
        """
        if isinstance(form, cls):
            return form
        if isinstance(form, str):
            return cls((Criterion(" ".join(form.split()), kind=HARD),))
        if is_mapping(form):
            texts = {name: as_text(form.get(name)) for name in ("source", "domain", "notes")}
            return cls(form.get("criteria"), **(texts | {"source": texts["source"] or "hand"}))  # type: ignore[arg-type]
        return cls(form)
