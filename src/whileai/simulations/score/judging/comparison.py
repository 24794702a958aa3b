"""`compare_judges`: several judges on the same rows, ranked by how they agree with labels you trust."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from whileai.simulations.arguments import between, seconds, whole
from whileai.simulations.defaults import CI_LEVEL, MIN_AGREEMENT, MIN_KAPPA
from whileai.simulations.kernels.intervals import wilson
from whileai.simulations.rows.rowlist import RowList
from whileai.simulations.score.judging.bar import judging_bar
from whileai.simulations.score.judging.compared import JudgeComparison, JudgeScore
from whileai.simulations.score.judging.judge import plain_judge
from whileai.simulations.score.judging.results import CONCURRENCY, Results, rows_of
from whileai.simulations.score.judging.stamp import Stamp
from whileai.simulations.score.judging.unjudged import unjudged_text
from whileai.simulations.signature import public

_PLACES = 4


@public
def compare_judges(
    rows: Any,
    judges: Mapping[str, Any] | Sequence[Any],
    *,
    gold: str | Sequence[Any] = "gold_reward",
    allow_model_gold: bool = False,
    concurrency: int = CONCURRENCY,
    policy: str = "",
    tools: Iterable[Any] | None = None,
    floors: tuple[float, float] = (MIN_AGREEMENT, MIN_KAPPA),
    timeout: float | None = None,
) -> JudgeComparison:
    """Grade copies of the rows with each judge and rank the judges by how they agree with gold labels.

    `judges` maps names to judges, or lists them (named by spec, `name`, `__name__`, else their class; a second one of
    a name gets `#2`). A judge is a callable, or a model spec or object, which is asked for `{"reason", "score"}` of
    every row under `policy` and `tools`. `gold` is as in `judge_agreement`. A judge is `ok` when the gold is trusted,
    the lower end of its agreement's interval is at least `floors[0]` and its kappa at least `floors[1]`. `timeout` is
    in seconds a call. A row without a verdict is in no rate; `warnings` say why the first has none. No rows or no
    judges is a ValueError.

    >>> rows = [{"final_text": t, "gold_reward": g, "gold_kind": "human"} for t, g in [("Done.", 1), ("", 0)] * 20]
    >>> found = compare_judges(rows, {"reply": lambda row: bool(row["final_text"]), "always": lambda row: 1})
    >>> found.best.name, found["always"].leak
    ('reply', 1.0)
    """
    given, named = rows_of(rows), _named(judges)
    floors = (between("floors", floors[0], 0, 1), between("floors", floors[1], -1, 1))
    if not named:
        raise ValueError("compare_judges needs at least one judge: a callable, or a model spec such as openai:MODEL")
    if not given:
        raise ValueError("compare_judges needs rows: there are none to grade")
    concurrency = whole("concurrency", concurrency)
    if timeout is not None:
        timeout = seconds("timeout", timeout)
    ready = [(name, *_judge(judge, policy, tools)) for name, judge in named]
    graded = [_graded(given, name, spec, judge, concurrency, timeout) for name, spec, judge in ready]
    found = [_score(one, given, gold, allow_model_gold, floors) for one in graded]
    scores = sorted((score for score, _ in found), key=_rank)
    kinds = {kind for _, kind in found if kind is not None}
    return JudgeComparison(
        scores,
        n_rows=len(given),
        gold_kind="mixed" if len(kinds) > 1 else next(iter(kinds), None),
        floors=floors,
        warnings=_warnings(scores),
    )


class Comparable(ABC):
    """Rows with a system prompt and tools of their own, under which judges are compared on them."""

    @abstractmethod
    def _compared(self) -> RowList:
        """The rows."""

    @public
    def compare_judges(
        self,
        judges: Mapping[str, Any] | Sequence[Any],
        gold: str = "gold_reward",
        allow_model_gold: bool = False,
        concurrency: int = CONCURRENCY,
        floors: tuple[float, float] = (MIN_AGREEMENT, MIN_KAPPA),
        timeout: float | None = None,
    ) -> JudgeComparison:
        """Grade copies of the rows with several judges and rank them against the gold: `compare_judges`."""
        rows = self._compared()
        return compare_judges(
            rows,
            judges,
            gold=gold,
            allow_model_gold=allow_model_gold,
            concurrency=concurrency,
            policy=rows.system_prompt,
            tools=rows.tools or None,
            floors=floors,
            timeout=timeout,
        )


@dataclass(frozen=True)
class _Graded:
    """The rows one judge graded, and the seconds it took."""

    name: str
    spec: str | None
    rows: RowList
    seconds: float


def _named(judges: Any) -> list[tuple[str, Any]]:
    if isinstance(judges, Mapping):
        return [(str(name), judge) for name, judge in judges.items()]
    named: dict[str, Any] = {}
    for judge in [judges] if isinstance(judges, str) or callable(judges) else judges:
        name = own = _own_name(judge)
        number = 1
        while name in named:
            number += 1
            name = f"{own}#{number}"
        named[name] = judge
    return list(named.items())


def _own_name(judge: Any) -> str:
    names = (judge if isinstance(judge, str) else None, *(getattr(judge, key, None) for key in ("name", "__name__")))
    spec = None if callable(judge) else getattr(judge, "spec", None)
    return next((n.strip() for n in (spec, *names) if isinstance(n, str) and n.strip()), type(judge).__name__)


def _judge(judge: Any, policy: str, tools: Iterable[Any] | None) -> tuple[str | None, Callable[..., Any]]:
    """The spec of a judge, None for a plain callable, and what is called."""
    if callable(judge):
        spec = getattr(judge, "spec", None)
        return (spec if isinstance(spec, str) else None), judge
    asked = plain_judge(judge, policy=policy, tools=tools)
    return asked.spec, asked


def _graded(
    rows: list[Any], name: str, spec: str | None, judge: Callable[..., Any], concurrency: int, timeout: float | None
) -> _Graded:
    start = time.perf_counter()
    with judging_bar(len(rows), None) as show:
        results = Results(rows, show)
        results.judge(judge, None, concurrency, timeout)
    graded = RowList.like(rows, results.scored(Stamp.of(judge, name)))
    return _Graded(name, spec, graded, time.perf_counter() - start)


def _score(
    graded: _Graded,
    rows: list[Any],
    gold: str | Sequence[Any],
    allow_model_gold: bool,
    floors: tuple[float, float],
) -> tuple[JudgeScore, str | None]:
    """A judge's score, and whose labels the gold was."""
    from whileai.simulations.score.agreement import judge_agreement

    found = judge_agreement(graded.rows, gold, "reward", allow_model_gold)
    counts, n, kappa = found["confusion"], found["n"], found["kappa"]
    low, high = wilson(counts["tp"] + counts["tn"], n, CI_LEVEL) if n else (0.0, 1.0)
    metas = [meta for row in graded.rows if isinstance(meta := row.get("judge_meta"), dict)]
    score = JudgeScore(
        name=graded.name,
        spec=graded.spec,
        n=n,
        agreement=found["agreement"],
        ci95=(round(low, _PLACES), round(high, _PLACES)) if n else None,
        kappa=kappa,
        leak=found["pass_when_gold_fail"],
        miss=found["fail_when_gold_pass"],
        unsure=sum(bool(meta.get("unsure")) for meta in metas),
        unjudged=sum(row["reward"] is None for row in graded.rows),
        seconds=round(graded.seconds, _PLACES),
        seconds_per_row=round(graded.seconds / len(graded.rows), 6),
        ok=bool(found["ok"] and low >= floors[0] and kappa is not None and kappa >= floors[1]),
        warnings=_own_warnings(graded, rows, gold, found["warnings"]),
        rows=graded.rows,
    )
    return score, found["gold_kind"]


def _own_warnings(graded: _Graded, rows: list[Any], gold: str | Sequence[Any], agreement: list[str]) -> list[str]:
    """Why a judge gave no verdict, then what its agreement warns of, which is to grade the rows when it gave none."""
    from whileai.simulations.score.labels.label import exact_label

    lost = unjudged_text(rows, graded.rows)
    if lost is None:
        return list(agreement)
    labelled = isinstance(gold, str) and any(exact_label(row.get(gold)) is not None for row in rows)
    silent = labelled and all(row["reward"] is None for row in graded.rows)
    return [lost] if silent else [lost, *agreement]


def _rank(score: JudgeScore) -> tuple[float, float]:
    """Highest kappa, then highest agreement first; unknown last."""
    return tuple(float("inf") if value is None else -value for value in (score.kappa, score.agreement))  # type: ignore[return-value]


def _warnings(scores: Sequence[JudgeScore]) -> list[str]:
    """What holds for all of the judges; it is taken off each one's own list."""
    shared = [line for line in scores[0].warnings if all(line in score.warnings for score in scores)]
    if len(scores) > 1:
        for score in scores:
            score.warnings[:] = [line for line in score.warnings if line not in shared]
    else:
        shared = []
    if not any(score.ok for score in scores):
        shared.append(
            "no judge clears the floors: add gold labels, or improve a judge, before any of them grades a run"
        )
    return shared
