"""`decontaminate`: the rules in their order, one per row, and what they found."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from whileai.simulations.arguments import between, whole
from whileai.simulations.defaults import DECONTAM_NGRAM, DECONTAM_OVERLAP, SEMANTIC_SIMILARITY
from whileai.simulations.reports import Report
from whileai.simulations.rows.rowlist import RowList
from whileai.simulations.rows.task import task_id
from whileai.simulations.rows.text import ask_text, reply
from whileai.simulations.rows.values import as_text, is_mapping
from whileai.simulations.rows.words import normalised, words
from whileai.simulations.score.decontaminate.evaluation import EvalRow, EvalText, Evaluation, evaluation
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

    A match is `index` (of the row), `rule`, `source` (path, or `source N` of those given) and `eval_row` (position in
    that source, from 0), by ascending index.
    """

    def __init__(self, values: dict[str, Any], matches: list[dict[str, Any]]) -> None:
        super().__init__(values, show=format_decontamination)
        self.matches = matches


def decontaminate(
    rows: Iterable[Row],
    against: Sequence[Any] | Any,
    n: int = DECONTAM_NGRAM,
    fields: Sequence[str] = ("prompt",),
    overlap: float = DECONTAM_OVERLAP,
    embedder: Callable[[list[str]], Sequence[Sequence[float]]] | None = None,
    similarity: float = SEMANTIC_SIMILARITY,
) -> tuple[RowList, DecontaminationReport]:
    """The training rows that do not overlap an evaluation set, and a report of those that do.

    A held-out task that also sits in the training data measures memory, not the change (Lambert 2025, chapter
    Evaluation). Rules, in this order, a row counted under the first that applies: `same_task` (its `scenario_id` or
    `task_id` is an evaluation row's), `exact` (one of its `fields` is an evaluation text, case, width and white space
    aside), `near` (one evaluation text covers at least `overlap` of its words with shared word `n`-grams: Llama 2;
    n as in Tulu 3, arXiv:2411.15124; `overlap=0` is any shared n-gram) and, with an `embedder`, `semantic` (cosine to
    an evaluation prompt of at least `similarity`: a question to check, not a verdict).

    `against` is one or more sources: row lists or paths. Their prompts, answers and references are compared. The rows
    come back as the same objects in order, in a list that carries the input's system prompt and tools.

    The report: `n`, `n_kept`, `n_contaminated`, `contamination_rate`, `n_same_task`, `n_exact`, `n_near`,
    `n_semantic`, `n_eval_rows`, `n_eval_texts`, `ngram`, `overlap`, `similarity` (None without an embedder), `fields`,
    `by_field` (hits by field), `examples` (the first 20), `rules_skipped` (rule: why it could not run; a zero under it
    is no clearance) and `notes`; its attribute `matches` names the evaluation row of each dropped row.

    >>> train = [{"prompt": "Where is order 4473?"}, {"prompt": "Cancel order 9911."}]
    >>> clean, report = decontaminate(train, against=[[{"prompt": "Cancel order 9911."}]])
    >>> len(clean), report["n_contaminated"], report.matches[0]["eval_row"]
    (1, 1, 0)
    """
    n = whole("n", n, 1)
    overlap = min(1.0, max(0.0, between("overlap", overlap, -float("inf"), float("inf"))))
    if embedder is not None:
        similarity = between("similarity", similarity, 0, 1)
    fields = (fields,) if isinstance(fields, str) else tuple(fields)
    held: list[tuple[int, Row]] = [(index, row) for index, row in enumerate(rows) if is_mapping(row)]
    found = _Found(evaluation(against), fields)
    left = found.by_text(held, Overlaps([text.words for text in found.eval.texts.values()], n), overlap)
    measured = found.by_meaning(left, embedder, similarity) if embedder is not None else None
    clean = RowList.like(rows, (row for index, row in held if index not in found.dropped))
    with_id = sum(bool(task_id(row)) for _, row in held)
    skipped = skipped_rules(found.eval, len(held), with_id, embedder is not None)
    if "semantic" in skipped:
        warnings.warn(f"decontaminate: {skipped['semantic']}", UserWarning, stacklevel=2)
    counts = Counter(entry["rule"] for entry in found.dropped.values())
    values: dict[str, Any] = {
        "n": len(held),
        "n_kept": len(clean),
        "n_contaminated": len(found.dropped),
        "contamination_rate": len(found.dropped) / len(held) if held else 0.0,
        "n_same_task": counts["same_task"],
        "n_exact": counts["exact"],
        "n_near": counts["near"],
        "n_semantic": counts["semantic"],
        "n_eval_rows": found.eval.n_rows,
        "n_eval_texts": len(found.eval.texts),
        "ngram": n,
        "overlap": overlap,
        "similarity": similarity if embedder is not None else None,
        "fields": list(fields),
        "by_field": dict(Counter(entry["example"]["field"] for entry in found.dropped.values())),
        "examples": [found.dropped[index]["example"] for index in sorted(found.dropped)[:_EXAMPLES]],
        "rules_skipped": skipped,
    }
    values["notes"] = notes_on(values, measured)
    return clean, DecontaminationReport(values, found.matches())


class _Found:
    """Rows found so far: index to the rule, the example and the evaluation row."""

    def __init__(self, eval_side: Evaluation, fields: tuple[str, ...]) -> None:
        self.eval = eval_side
        self.fields = fields
        self.dropped: dict[int, dict[str, Any]] = {}

    def _drop(self, index: int, rule: str, place: EvalRow, example: dict[str, Any]) -> None:
        self.dropped[index] = {"rule": rule, "place": place, "example": {"index": index, **example}}

    def matches(self) -> list[dict[str, Any]]:
        """What each dropped row matched."""
        return [
            {
                "index": index,
                "rule": entry["rule"],
                "source": entry["place"].source,
                "eval_row": entry["place"].position,
            }
            for index, entry in sorted(self.dropped.items())
        ]

    def by_text(self, held: Iterable[tuple[int, Row]], grams: Overlaps, overlap: float) -> list[tuple[int, Row]]:
        """Drop by shared id, equal text and shared n-grams; the rows that are left."""
        texts = list(self.eval.texts.values())
        left = []
        for index, row in held:
            own = task_id(row)
            if own and own in self.eval.ids:
                example = {"field": _TASK, "match": "same_task", "coverage": 1.0, "task": own}
                self._drop(index, "same_task", self.eval.ids[own], example)
            elif not any(self._field_drops(index, row, name, texts, grams, overlap) for name in self.fields):
                left.append((index, row))
        return left

    def _field_drops(
        self, index: int, row: Row, name: str, texts: list[EvalText], grams: Overlaps, overlap: float
    ) -> bool:
        text = _field_text(row, name)
        if (same := self.eval.texts.get(normalised(text))) is not None:
            self._drop(index, "exact", same.row, {"field": name, "match": "exact", "coverage": 1.0})
            return True
        said = words(text)
        best = grams.best(said)
        if best is None or best.covered / len(said) < overlap:
            return False
        example = {
            "field": name,
            "match": " ".join(best.gram)[:_SHOWN_CHARS],
            "coverage": round(best.covered / len(said), 3),
        }
        self._drop(index, "near", texts[best.text].row, example)
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


def _field_text(row: Row, name: str) -> str:
    if name == "prompt":
        return ask_text(row)
    if name == "final_text":
        return reply(row) or ""
    return as_text(row.get(name))
