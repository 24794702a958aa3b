"""`run_judge`: one judge over many rows, in which a verdict that fails costs its own row and no more."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any

from whileai.simulations.arguments import seconds, whole
from whileai.simulations.reports import printable
from whileai.simulations.rows.rowlist import RowList
from whileai.simulations.score.judging.bar import judging_bar
from whileai.simulations.score.judging.checkpoint import Checkpoint
from whileai.simulations.score.judging.names import has_name
from whileai.simulations.score.judging.results import CONCURRENCY, Judge, Results, rows_of
from whileai.simulations.score.judging.scored import ScoredData
from whileai.simulations.score.judging.stamp import Row, Stamp
from whileai.simulations.score.judging.verdict import checked_scale
from whileai.simulations.score.judging.warnings import LOGGER, run_warnings
from whileai.simulations.signature import public


@public
def run_judge(
    rows: Any,
    judge: Judge,
    judge_name: str | None = None,
    source: str = "grade",
    model: str | None = None,
    run_id: str | None = None,
    concurrency: int = CONCURRENCY,
    timeout: float | None = None,
    version: str | None = None,
    scale: tuple[float, float] | None = None,
    tools: Iterable[Any] | None = None,
    *,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
    quiet: bool = False,
) -> ScoredData:
    """Score rows with any judge: a plain or async callable from a row to a number, boolean or dict.

    Each scored row is a copy with `reward` (0 to 1, None without a verdict), `judge_status` (`ok`, `missing_reward`,
    `invalid_result`, `error`, `timeout`), `judge_name`, `reason`, `judge_meta`, the judge's `markers` and
    `failure_class`, and `lineage`; order is kept and the rows given are left as they are, whatever the judge writes
    on its own copy. A judge that raises, hangs or answers nonsense costs its row, never as a 0. KeyboardInterrupt ends
    the run; what a judge raises otherwise, SystemExit included, does not.

    `rows` are dicts or an object with `trajectories` (and `declared_tools`). At most `concurrency` calls are under way;
    with 1 and no `timeout` they are made in the calling thread. `timeout` is in seconds a call. `scale=(low, high)`
    reads ratings on a scale. `tools`, the declared ones, are for the `warnings` of the result. `version` names what
    would change the judge's labels.

    `checkpoint` names a file that takes each verdict as it comes; a call with the same rows, judge name, version (that
    given, and the judge's own) and scale judges only rows without a good verdict there, and logs how many it took. A
    judge without a name (a lambda, a partial) needs `judge_name` or `version` for it. `progress` shows a bar: by
    default on a terminal. With `quiet` nothing is logged.

    TypeError when `rows` are no rows, ValueError for a malformed `scale`, `timeout` or `checkpoint` file, and for a
    `checkpoint` of a judge without a name.

    >>> scored = run_judge([{"final_text": "Refunded."}, {"final_text": ""}], lambda row: bool(row["final_text"]))
    >>> [row["reward"] for row in scored], scored.judge_name
    ([1, 0], 'lambda_judge')
    """
    found = rows_of(rows)
    scale, concurrency = checked_scale(scale), whole("concurrency", concurrency)
    if timeout is not None:
        timeout = seconds("timeout", timeout)
    if checkpoint is not None and not (judge_name or version or has_name(judge) or getattr(judge, "version", None)):
        raise ValueError(
            "a checkpoint would take the verdicts of another judge for this one's, which has no name (a lambda, a "
            "partial, an object without `name`): pass version= or judge_name=, or make it a named function"
        )
    stamp = Stamp.of(judge, judge_name, run_id, source, model, version)
    with ExitStack() as open_now:
        results = Results(found, open_now.enter_context(judging_bar(len(found), progress)))
        if checkpoint is not None:
            kept = open_now.enter_context(Checkpoint(checkpoint))
            results.keep_in(kept, [stamp.judge_name, version, getattr(judge, "version", None), scale])
            if results.resumed and not quiet:
                LOGGER.warning(
                    "%d of %s verdicts are from the checkpoint %s, by the judge %s; for new ones name another file, or "
                    "another version=",
                    results.resumed,
                    len(found),
                    printable(checkpoint),
                    printable(stamp.judge_name),
                )
        results.judge(judge, scale, concurrency, timeout)
    scored = _scored(rows, results.scored(stamp), stamp, tools, quiet)
    scored.resumed = results.resumed
    return scored


def _scored(rows: Any, scored: list[Row], stamp: Stamp, tools: Iterable[Any] | None, quiet: bool) -> ScoredData:
    data = ScoredData(
        RowList.like(rows, scored),
        run_id=stamp.run_id,
        source=stamp.source,
        judge_name=stamp.judge_name,
        model=stamp.model,
    )
    profile = getattr(rows, "profile", None)
    if profile is not None:
        data.profile = profile
    declared = getattr(rows, "declared_tools", None) if tools is None else tools
    data.warnings = run_warnings(data.rows, declared, quiet)
    return data
