"""`evaluate`: held-out rollouts under the contract that grades training ones."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from whileai.simulations.rows.text import ask_text, prompt_text
from whileai.simulations.score.judging.asks import folded
from whileai.simulations.score.judging.loop import run_judge
from whileai.simulations.score.judging.results import CONCURRENCY, Judge
from whileai.simulations.score.judging.scored import ScoredData
from whileai.simulations.signature import public

_SHOWN_MISSING = 20  # asks of an evaluation set named as not covered; convention


@public
def evaluate(
    rows: Any = None,
    judge: Judge | None = None,
    grader: Judge | None = None,
    model: str | None = None,
    eval_set: Sequence[Any] | None = None,
    judge_name: str | None = None,
    run_id: str | None = None,
    concurrency: int = CONCURRENCY,
    timeout: float | None = None,
    scale: tuple[float, float] | None = None,
    tools: Iterable[Any] | None = None,
    *,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
) -> ScoredData:
    """`run_judge` with the source `eval`, and which asks of a frozen `eval_set` the rollouts cover.

    `judge` and `grader` are the same: one of them, else a ValueError. `eval_set` holds asks as text or rows; then
    `eval_coverage` of the result has `eval_set` (distinct asks), `covered` and `missing` (sorted, at most 20), asks
    compared without regard to case and spacing. The other arguments are those of `run_judge`.

    >>> rows = [{"prompt": "Where is order 5?", "final_text": "On its way."}]
    >>> evaluate(rows, len, eval_set=["where is  order 5?", "Cancel order 6."], scale=(0, 10)).eval_coverage
    {'eval_set': 2, 'covered': 1, 'missing': ['cancel order 6.']}
    """
    if judge is not None and grader is not None:
        raise ValueError("judge and grader are the same argument: give one of them")
    chosen = judge if judge is not None else grader
    if chosen is None:
        raise ValueError("evaluate needs a judge: a callable from a row to a reward (judge= or grader=)")
    wanted = None if eval_set is None else _asks(eval_set)
    scored = run_judge(
        rows,
        chosen,
        judge_name=judge_name,
        source="eval",
        model=model,
        run_id=run_id,
        concurrency=concurrency,
        timeout=timeout,
        scale=scale,
        tools=tools,
        checkpoint=checkpoint,
        progress=progress,
    )
    if wanted is not None:
        missing = wanted - {folded(ask_text(row)) for row in scored.rows}
        scored.eval_coverage = {
            "eval_set": len(wanted),
            "covered": len(wanted) - len(missing),
            "missing": sorted(missing)[:_SHOWN_MISSING],
        }
    return scored


def _asks(entries: Sequence[Any]) -> set[str]:
    if isinstance(entries, str | bytes | Mapping) or not isinstance(entries, Iterable):
        raise TypeError(f"eval_set must be a list of asks or rows, got {type(entries).__name__}")
    asks = {folded(ask_text(entry) if isinstance(entry, Mapping) else prompt_text(entry)) for entry in entries}
    return asks - {""}
