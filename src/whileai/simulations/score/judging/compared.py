"""How several judges did on the same rows: the score of one, and the table of all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from whileai.simulations.reports import Shown, counted, fitted, interval_text, number_text, printable, wrapped
from whileai.simulations.rows.rowlist import RowList

_NAME_COLUMNS = 28


@dataclass(frozen=True)
class JudgeScore(Shown):
    """How one judge did: against the gold, and what it took.

    `agreement` and `ci95` (Wilson 1927) are over the `n` rows with a 0/1 on both sides; `leak` is the share of gold
    failures it passed, `miss` that of gold passes it failed; `unsure` and `unjudged` count rows; `seconds` is wall
    time. `ok`: trusted gold, and both floors cleared. `rows` are the graded copies. `spec` is None for a callable.

    >>> from whileai.simulations.score.judging import compare_judges
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

    >>> from whileai.simulations.score.judging import compare_judges
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


def _line(score: JudgeScore) -> str:
    rates = (score.kappa, score.leak, score.miss)
    return (
        f"{fitted(score.name, _NAME_COLUMNS)} {score.n:4d}  {number_text(score.agreement):>5}"
        f"  {interval_text(score.ci95):>14}  {'  '.join(f'{number_text(rate, 2):>5}' for rate in rates)}"
        f"  {score.unjudged:8d}  {score.seconds_per_row:6.2f}  {'yes' if score.ok else 'no'}"
    )
