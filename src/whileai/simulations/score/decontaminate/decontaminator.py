"""The rules of `decontaminate` in their order, one per row, and what they found."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from whileai.simulations.arguments import between, whole
from whileai.simulations.defaults import DECONTAM_NGRAM, DECONTAM_OVERLAP
from whileai.simulations.reports import Report
from whileai.simulations.rows.task import task_id
from whileai.simulations.rows.text import ask_text, reply
from whileai.simulations.rows.values import as_text
from whileai.simulations.rows.words import normalised, words
from whileai.simulations.score.decontaminate.doubts import FieldsSeen, NumberedIds, no_rows
from whileai.simulations.score.decontaminate.evaluation import EvalRow, evaluation
from whileai.simulations.score.decontaminate.notes import notes_on, skipped_rules
from whileai.simulations.score.decontaminate.overlap import Overlaps
from whileai.simulations.score.decontaminate.semantic import Calibration, calibration, embedding, nearest
from whileai.simulations.score.decontaminate.text import format_decontamination

Row = Any  # a mapping; the same object comes back
_EXAMPLES = 20
_SHOWN_CHARS = 120
_TASK = "task"  # the field under which a shared id is counted


class DecontaminationReport(Report):
    """The report; `matches` says of each dropped row which evaluation row it matched.

    A match is `index` (of the row, from 0; printed rows count from 1), `rule`, `source` (path, or `source N` of those
    given) and `eval_row` (position in that source, from 0), by ascending index.
    """

    def __init__(self, values: dict[str, Any], matches: list[dict[str, Any]]) -> None:
        super().__init__(values, show=format_decontamination)
        self.matches = matches


class Findings(NamedTuple):
    """What a `Decontaminator` found in some rows, by the number of the row, and what it counted."""

    dropped: dict[int, dict[str, Any]]
    n: int
    n_with_id: int
    numbered: tuple[int, int, bool]
    fields: FieldsSeen


class Decontaminator:
    """The text rules against one evaluation side, a row at a time; `dropped` holds what was found by row index.

    >>> found = Decontaminator([{"prompt": "Cancel order 9911."}])
    >>> found.keeps(0, {"prompt": "Where is order 4473?"}), found.keeps(1, {"prompt": "cancel order 9911."})
    (True, False)
    """

    def __init__(
        self,
        against: Any,
        *,
        n: int = DECONTAM_NGRAM,
        fields: Sequence[str] = ("prompt",),
        overlap: float = DECONTAM_OVERLAP,
    ) -> None:
        self.ngram = whole("n", n, 1)
        self.overlap = min(1.0, max(0.0, between("overlap", overlap, -float("inf"), float("inf"))))
        self.fields = _field_names(fields)
        self.eval = evaluation(against)
        self.dropped: dict[int, dict[str, Any]] = {}
        self._texts = list(self.eval.texts.values())
        self._grams = Overlaps([text.words for text in self._texts], self.ngram)
        self._n = self._n_with_id = 0
        self._numbered = NumberedIds(self.eval)
        self._fields = FieldsSeen(self.fields)

    def keeps(self, index: int, row: Row) -> bool:
        """Whether no text rule applies to a row; one that is dropped is counted under the first that does."""
        own = task_id(row)
        self._n += 1
        self._n_with_id += bool(own)
        if own and own in self.eval.ids:
            example = {"field": _TASK, "match": "same_task", "coverage": 1.0, "task": own}
            self._drop(index, "same_task", self.eval.ids[own], example)
            self._numbered.add(own, row)
            return False
        return not any(self._field_drops(index, row, name) for name in self.fields)

    @property
    def n(self) -> int:
        """The rows compared so far."""
        return self._n

    def fresh(self) -> Decontaminator:
        """The same rules against the same side, for other rows."""
        found = copy.copy(self)
        found.dropped, found._n, found._n_with_id = {}, 0, 0
        found._numbered, found._fields = NumberedIds(self.eval), FieldsSeen(self.fields)
        return found

    def findings(self) -> Findings:
        """What was found so far, without the evaluation side."""
        return Findings(self.dropped, self._n, self._n_with_id, self._numbered.counts(), self._fields)

    def add(self, other: Findings) -> None:
        """Add what the same rules found in rows that come after, numbered from 0."""
        for index, entry in other.dropped.items():
            at = self._n + index
            self.dropped[at] = {**entry, "example": {**entry["example"], "index": at}}
        self._n += other.n
        self._n_with_id += other.n_with_id
        self._numbered.add_counts(*other.numbered)
        self._fields.merge(other.fields)

    def report(self, similarity: float | None = None, measured: Calibration | None = None) -> DecontaminationReport:
        """What was found so far; `similarity` is None when no row was compared by meaning."""
        dropped = [self.dropped[index] for index in sorted(self.dropped)]
        counts = Counter(entry["rule"] for entry in dropped)
        values: dict[str, Any] = {
            "n": self._n,
            "n_kept": self._n - len(dropped),
            "n_contaminated": len(dropped),
            "contamination_rate": len(dropped) / self._n if self._n else 0.0,
            **{f"n_{rule}": counts[rule] for rule in ("same_task", "exact", "near", "semantic")},
            "n_eval_rows": self.eval.n_rows,
            "n_eval_texts": len(self.eval.texts),
            "ngram": self.ngram,
            "overlap": self.overlap,
            "similarity": similarity,
            "fields": list(self.fields),
            "by_field": dict(Counter(entry["example"]["field"] for entry in dropped)),
            "examples": [entry["example"] for entry in dropped[:_EXAMPLES]],
            "rules_skipped": skipped_rules(self.eval, self._n, self._n_with_id, similarity is not None),
        }
        warned = [*no_rows(self.eval), *self.blank_fields(), *self._numbered.notes()]
        values["notes"] = [*(f"! {sentence}" for sentence in warned), *notes_on(values, measured)]
        return DecontaminationReport(values, self._matches())

    def blank_fields(self) -> list[str]:
        """A sentence for each of the `fields` that held no text in any row compared."""
        return self._fields.notes()

    def _drop(self, index: int, rule: str, place: EvalRow, example: dict[str, Any]) -> None:
        self.dropped[index] = {"rule": rule, "place": place, "example": {"index": index, **example}}

    def _matches(self) -> list[dict[str, Any]]:
        return [
            {
                "index": index,
                "rule": entry["rule"],
                "source": entry["place"].source,
                "eval_row": entry["place"].position,
            }
            for index, entry in sorted(self.dropped.items())
        ]

    def _field_drops(self, index: int, row: Row, name: str) -> bool:
        text = _field_text(row, name)
        self._fields.add(name, text, row)
        if (same := self.eval.texts.get(normalised(text))) is not None:
            self._drop(index, "exact", same.row, {"field": name, "match": "exact", "coverage": 1.0})
            return True
        said = words(text)
        best = self._grams.best(said)
        if best is None or best.covered / len(said) < self.overlap:
            return False
        example = {
            "field": name,
            "match": " ".join(best.gram)[:_SHOWN_CHARS],
            "coverage": round(best.covered / len(said), 3),
        }
        self._drop(index, "near", self._texts[best.text].row, example)
        return True

    def by_meaning(self, left: list[tuple[int, Row]], embedder: Any, similarity: float) -> Calibration | None:
        """Drop by cosine to an evaluation prompt, the first field that reaches it; how alike distinct tasks read.

        No row that is left shares its id with an evaluation row, so that every prompt is of another task or of none.
        """
        prompts = list(self.eval.prompts.values())
        asked = [
            (index, name, text)
            for index, row in left
            for name in self.fields
            if (text := _field_text(row, name)).strip()
        ]
        if not prompts or not (asked or callable(embedder)):
            return None
        embed = embedding(embedder)
        vectors = embed([prompt for prompt, _, _ in prompts])
        if asked:
            for (index, name, _), best in zip(
                asked, nearest(embed([text for *_, text in asked]), vectors), strict=True
            ):
                if index not in self.dropped and best.cosine >= similarity:
                    prompt, _, place = prompts[best.prompt]
                    example = {
                        "field": name,
                        "match": "semantic",
                        "similarity": round(best.cosine, 4),
                        "eval_prompt": prompt[:_SHOWN_CHARS],
                    }
                    self._drop(index, "semantic", place, example)
        return calibration(vectors, [own for _, own, _ in prompts])


def _field_names(fields: Any) -> tuple[str, ...]:
    names = (fields,) if isinstance(fields, str) else tuple(fields) if isinstance(fields, Iterable) else None
    if names is None or not all(isinstance(name, str) for name in names):
        raise TypeError(f"fields must be a list of row fields, got {fields!r:.80}")
    return names


def _field_text(row: Row, name: str) -> str:
    if name == "prompt":
        return ask_text(row)
    if name == "final_text":
        return reply(row) or ""
    return as_text(row.get(name))
