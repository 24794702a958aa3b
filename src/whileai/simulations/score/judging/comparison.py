"""`compare_judges`: several judges on the same rows, ranked by how they agree with labels you trust."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from whileai.simulations.arguments import between
from whileai.simulations.defaults import CI_LEVEL, MIN_AGREEMENT, MIN_KAPPA
from whileai.simulations.kernels.intervals import wilson
from whileai.simulations.reports import Shown, counted, fitted, interval_text, number_text, printable, wrapped
from whileai.simulations.rows.rowlist import RowList
from whileai.simulations.score.judging.judge import plain_judge
from whileai.simulations.score.judging.loop import CONCURRENCY, rows_of, run_judge
from whileai.simulations.score.judging.unjudged import unjudged_text

_PLACES = 4
_NAME_COLUMNS = 28


@dataclass(frozen=True)
class JudgeScore(Shown):
    """How one judge did: against the gold, and what it took.

    `agreement` and `ci95` (Wilson 1927) are over the `n` rows with a 0/1 on both sides; `leak` is the share of gold
    failures it passed, `miss` that of gold passes it failed; `unsure` and `unjudged` count rows; `seconds` is wall
    time. `ok`: trusted gold, and both floors cleared. `rows` are the graded copies. `spec` is None for a callable.

    >>> rows = [{"reward": None, "gold_reward": i % 2, "gold_kind": "human"} for i in range(40)]
    >>> score = compare_judges(rows, {"gold": lambda row: row["gold_reward"]}).best
    >>> score.n, score.agreement, round(score.lower_bound, 2), score.ok
    (40, 1.0, 0.91, True)
    """

    name: str
    spec: str | None
    n: int
    agreement: float | None
    ci95: tuple[float, float] | None
    kappa: float | None
    leak: float | None
    miss: float | None
    unsure: int
    unjudged: int
    seconds: float
    seconds_per_row: float
    ok: bool
    warnings: list[str]
    rows: RowList = field(repr=False)

    @property
    def lower_bound(self) -> float | None:
        """The lower end of the agreement's interval."""
        return None if self.ci95 is None else self.ci95[0]

    def to_dict(self) -> dict[str, Any]:
        """All of it but the rows, as plain values."""
        values = {name: value for name, value in vars(self).items() if name != "rows"}
        return {**values, "ci95": None if self.ci95 is None else list(self.ci95), "warnings": list(self.warnings)}

    def _estimated(self) -> dict[str, Any]:
        return self.to_dict()


class JudgeComparison(Shown):
    """The scores of several judges, best first: by kappa, then agreement. Iterable; `[name]` gives one; prints a table.

    `gold_kind` says whose labels they were measured against, `floors` what agreement and kappa had to clear.

    >>> rows = [{"gold_reward": i % 2, "gold_kind": "human"} for i in range(40)]
    >>> found = compare_judges(rows, {"ones": lambda row: 1, "gold": lambda row: row["gold_reward"]})
    >>> found.names, found.best.name, found["ones"].agreement, found.gold_kind
    (['gold', 'ones'], 'gold', 0.5, 'human')
    """

    def __init__(
        self,
        scores: Sequence[JudgeScore],
        *,
        n_rows: int,
        gold_kind: str | None,
        floors: tuple[float, float],
        warnings: Sequence[str],
    ) -> None:
        self.scores = list(scores)
        self.n_rows = n_rows
        self.gold_kind = gold_kind
        self.floors = floors
        self.warnings = list(warnings)

    @property
    def best(self) -> JudgeScore:
        """The first judge that is ok, else the first."""
        return next((score for score in self.scores if score.ok), self.scores[0])

    @property
    def names(self) -> list[str]:
        """The judges' names, best first."""
        return [score.name for score in self.scores]

    def __len__(self) -> int:
        return len(self.scores)

    def __iter__(self) -> Iterator[JudgeScore]:
        return iter(self.scores)

    def __getitem__(self, name: str) -> JudgeScore:
        found = next((score for score in self.scores if score.name == name), None)
        if found is None:
            raise KeyError(f"no judge {name!r}; there are {', '.join(map(repr, self.names))}")
        return found

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain values, `best` by name."""
        return {
            "n_rows": self.n_rows,
            "gold_kind": self.gold_kind,
            "floors": {"agreement": self.floors[0], "kappa": self.floors[1]},
            "best": self.best.name,
            "judges": [score.to_dict() for score in self.scores],
            "warnings": list(self.warnings),
        }

    def _estimated(self) -> dict[str, Any]:
        return self.to_dict()

    def __str__(self) -> str:
        head = f"{'judge':{_NAME_COLUMNS}}    n  agree            95%  kappa   leak   miss  unjudged   s/row  ok"
        size = f"{counted(len(self), 'judge')}, {counted(self.n_rows, 'row')}"
        title = f"{size}, gold labels: {printable(self.gold_kind or 'none')}"
        notes = [line for note in [*self.warnings, *self._own()] for line in wrapped(f"! {printable(note)}")]
        return "\n".join([title, head, *map(_line, self.scores), *notes])

    def _own(self) -> Iterator[str]:
        """What is warned of some of the judges, each warning once with their names."""
        warned: dict[str, list[str]] = {}
        for score in self.scores:
            for warning in score.warnings:
                warned.setdefault(warning, []).append(score.name)
        return (f"{', '.join(names)}: {warning}" for warning, names in warned.items())


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
    ready = [(name, *_judge(judge, policy, tools)) for name, judge in named]
    graded = [_graded(given, name, spec, judge, concurrency, tools, timeout) for name, spec, judge in ready]
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
    rows: list[Any],
    name: str,
    spec: str | None,
    judge: Callable[..., Any],
    concurrency: int,
    tools: Any,
    timeout: float | None,
) -> _Graded:
    start = time.perf_counter()
    scored = run_judge(rows, judge, judge_name=name, concurrency=concurrency, timeout=timeout, tools=tools, quiet=True)
    return _Graded(name, spec, scored.rows, time.perf_counter() - start)


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


def _line(score: JudgeScore) -> str:
    rates = (score.kappa, score.leak, score.miss)
    return (
        f"{fitted(score.name, _NAME_COLUMNS)} {score.n:4d}  {number_text(score.agreement):>5}"
        f"  {interval_text(score.ci95):>14}  {'  '.join(f'{number_text(rate, 2):>5}' for rate in rates)}"
        f"  {score.unjudged:8d}  {score.seconds_per_row:6.2f}  {'yes' if score.ok else 'no'}"
    )
