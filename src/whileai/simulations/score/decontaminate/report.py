"""`decontaminate`: training rows against an evaluation set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from whileai.simulations.arguments import between
from whileai.simulations.defaults import DECONTAM_NGRAM, DECONTAM_OVERLAP, SEMANTIC_SIMILARITY
from whileai.simulations.errors import warn
from whileai.simulations.rows.rowlist import RowList
from whileai.simulations.rows.table import row_items
from whileai.simulations.rows.values import is_mapping
from whileai.simulations.score.decontaminate.decontaminator import DecontaminationReport, Decontaminator
from whileai.simulations.signature import public

Row = Any  # a mapping; the same object comes back


@public
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
    is no clearance) and `notes` (one that opens with `!` doubts the counts); its attribute `matches` names the
    evaluation row of each dropped row.

    >>> train = [{"prompt": "Where is order 4473?"}, {"prompt": "Cancel order 9911."}]
    >>> clean, report = decontaminate(train, against=[[{"prompt": "Cancel order 9911."}]])
    >>> len(clean), report["n_contaminated"], report.matches[0]["eval_row"]
    (1, 1, 0)
    """
    similarity = between("similarity", similarity, 0, 1)
    found = Decontaminator(against, n=n, fields=fields, overlap=overlap)
    held: list[tuple[int, Row]] = [(index, row) for index, row in enumerate(row_items(rows)) if is_mapping(row)]
    left = [(index, row) for index, row in held if found.keeps(index, row)]
    measured = found.by_meaning(left, embedder, similarity) if embedder is not None else None
    report = found.report(None if embedder is None else similarity, measured)
    if "semantic" in report["rules_skipped"]:
        warn(f"decontaminate: {report['rules_skipped']['semantic']}")
    return RowList.like(rows, (row for index, row in left if index not in found.dropped)), report
