"""The rounds of a run: what is played next, by how many threads, and when it ends."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from whileai.simulations.rows.grade import grade as grade_of
from whileai.simulations.run.ask import TEMPLATE, Ask, Rollout
from whileai.simulations.run.current import STRAYS
from whileai.simulations.run.episode import Played, Row, Stage, lost_by
from whileai.simulations.run.kept import Kept
from whileai.simulations.run.knobs import Knobs
from whileai.simulations.run.repeats import Cell, Repeats, undecided
from whileai.simulations.run.writer import Writer
from whileai.simulations.score.judging.crew import Crew, error_text, judge_here
from whileai.simulations.score.judging.hand import Hand
from whileai.simulations.score.judging.loop import run_judge

UNTIL_EVERY = 32  # rollouts between two questions to `until`; convention
WAVES = (
    4  # rollouts a thread between two times that asks are written, where that takes long or a clock runs; convention
)
BUDGET, TIME, TASKS, UNTIL = "budget", "time_budget", "situations", "until"

Grader = Callable[[Row], Any]
OnProgress = Callable[[int, int], None]


@dataclass(slots=True)
class Outcome:
    """What a run gave: its rows in the order of the plan, and what they do not tell."""

    rows: list[Row] = field(default_factory=list)
    requested: int = 0
    injected: Counter[str] = field(default_factory=Counter)
    lost_by: Counter[str] = field(default_factory=Counter)
    stopped_because: str = BUDGET
    warnings: list[str] = field(default_factory=list)
    degraded: bool = False
    resumed: int = 0
    regraded: int = 0  # grades taken from the checkpoint
    unseen: int = 0  # rollouts whose calls went past the world that had a fault for them
    strays: int = 0  # calls from threads that belong to no rollout


class Engine:
    """Plays the rollouts of one run, round by round; a round is over when each of its rollouts is.

    What a round holds follows from the rewards of the rounds before it and from nothing else, so the same rewards give
    the same rows at any concurrency. Without a clock, that is: after its end no rollout begins.
    """

    def __init__(
        self,
        stage: Stage,
        asks: Sequence[Ask],
        writer: Writer,
        knobs: Knobs,
        *,
        run_id: str,
        kept: Kept,
        grader: Grader | None = None,
        until: Callable[[list[Row]], Any] | None = None,
        show: Callable[[int], None],
        on_progress: OnProgress | None = None,
        total: int,
    ) -> None:
        self._stage, self._asks, self._writer, self._knobs = stage, asks, writer, knobs
        self._run_id, self._kept = run_id, kept
        self._grader, self._until = grader, until
        self._show, self._on_progress, self._total = show, on_progress, total
        self._deadline = None if knobs.time_budget is None else time.monotonic() + knobs.time_budget
        self._k = max([knobs.repeats, *(ask.k or 1 for ask in asks)])
        self._wordings = 1 + max((ask.phrasing for ask in asks), default=0)
        self._played: dict[tuple[int, Cell], Played] = {}
        self._out = Outcome()
        self._so_far: list[Row] = []
        self._reported = -1

    def run(self) -> Outcome:
        """Play everything that the plan, the budget and the clock allow."""
        stopped, strays = BUDGET, STRAYS.n
        for number in range(self._knobs.runs or 1):
            stopped = self._one_run(number)
            if stopped in (TIME, UNTIL):
                break
        self._tick()
        out = self._out
        for place in sorted(self._played):
            played = self._played[place]
            out.rows.append(played.row)
            out.injected.update(played.injected)
            out.unseen += played.unseen
            if reason := lost_by(played.row):
                out.lost_by[reason] += 1
        out.stopped_because, out.strays = stopped, STRAYS.n - strays
        return out

    def _one_run(self, number: int) -> str:
        left = self._knobs.budget
        for cells in _pieces(self._rounds(number), self._piece()):
            if self._is_late():
                return TIME
            self._out.requested += len(cells)
            left = None if left is None else left - len(cells)
            self._write({ask for ask, _ in cells})
            self._play(number, cells)
            self._grade([(number, cell) for cell in cells])
            if self._is_late() and len(self._played) < self._out.requested:
                return TIME
            if self._until is not None:
                self._so_far += [self._played[number, cell].row for cell in cells if (number, cell) in self._played]
                if self._is_enough():
                    return UNTIL
        return TASKS if left is None or left > 0 else BUDGET

    def _is_enough(self) -> bool:
        """What `until` says; one that raises ends the run as one that says so, and no row is lost for it."""
        assert self._until is not None
        try:
            return bool(self._until(self._so_far))
        except Exception as error:
            self._out.warnings.append(f"until= raised, which ended the run: {error_text(error)}")
            return True

    def _rounds(self, number: int) -> Iterable[list[Cell]]:
        repeats = Repeats(self._knobs.repeat_policy if self._grader else "fixed", self._knobs.repeats)
        if any(ask.k is not None for ask in self._asks) and not self._knobs.repeats_given:
            return [self._as_they_were()]

        def signal(ask: int) -> float:
            rows = (self._played.get((number, (ask, n))) for n in range(repeats.k))
            grades = [grade_of(played.row) for played in rows if played is not None]
            return undecided([reward for reward in grades if reward == reward])

        return repeats.rounds(len(self._asks), self._knobs.budget, signal)

    def _as_they_were(self) -> list[Cell]:
        """Each ask as often as in the run it was taken from: first all once, so that a budget cuts them evenly."""
        most = max(ask.k or 1 for ask in self._asks)
        return [(place, n) for n in range(most) for place, ask in enumerate(self._asks) if n < (ask.k or 1)][
            : self._knobs.budget
        ]

    def _piece(self) -> int | None:
        """How many rollouts are written and played at a time, None for a whole round."""
        if self._until is not None:
            return UNTIL_EVERY
        at_once = self._deadline is None and self._writer.name == TEMPLATE
        return None if at_once else WAVES * self._knobs.concurrency

    def _write(self, places: set[int]) -> None:
        """Have the asks written that are played for the first time; a checkpoint keeps the words of a model."""
        blank = [self._asks[place] for place in sorted(places) if not self._asks[place].prompt]
        blank = [ask for ask in blank if not self._kept.words(ask)]
        if not blank:
            return
        trouble = self._writer.write(blank, self._knobs.concurrency)
        self._out.warnings += trouble
        self._out.degraded = self._out.degraded or bool(trouble)
        if self._writer.name != TEMPLATE:
            for ask in blank:
                self._kept.keep_words(ask)

    def _play(self, number: int, cells: Sequence[Cell]) -> None:
        waiting = []
        for cell in cells:
            if (known := self._kept.rollout(self._rollout(number, cell))) is None:
                waiting.append(cell)
                continue
            self._played[number, cell] = known
            self._out.resumed += 1
        work = _Work(self, number, waiting)
        settle: Any = work.settle
        knobs = self._knobs
        if knobs.timeout is None and (knobs.concurrency == 1 or len(waiting) == 1):
            judge_here(work, range(len(waiting)), settle, self._tick)
        else:
            Crew(work, settle, knobs.timeout).run(range(len(waiting)), knobs.concurrency, self._tick)

    def _rollout(self, number: int, cell: Cell) -> Rollout:
        """The rollout of a cell; its number is the only one of its kind among those of its situation, in all runs."""
        ask, n = self._asks[cell[0]], cell[1]
        index = (number * self._wordings + ask.phrasing) * self._k + n
        return Rollout(ask, index, None if self._knobs.runs is None else f"run_{number + 1}")

    def play(self, number: int, cell: Cell, hand: Hand) -> Played | None:
        """One rollout; None when the clock has run out."""
        return None if self._is_late() else self._stage.play(self._rollout(number, cell), hand)

    def late(self, number: int, cell: Cell, seconds: float) -> Played:
        """The rollout of an agent that took too long."""
        return self._stage.late(self._rollout(number, cell), seconds)

    def settle(self, number: int, cell: Cell, played: Played | None) -> None:
        """Keep a rollout."""
        if played is None:
            return
        self._played[number, cell] = self._kept.keep(self._rollout(number, cell), played)

    def _grade(self, places: Sequence[tuple[int, Cell]]) -> None:
        """Grade the rows of a round in place; a checkpoint brings the verdicts of the same grader on the same row."""
        if self._grader is None:
            return
        open_now = []
        for place in places:
            if place not in self._played:
                continue
            if (known := self._kept.verdict(self._rollout(*place), self._played[place])) is None:
                open_now.append(place)
                continue
            self._played[place] = known
            self._out.regraded += 1
        scored = run_judge(
            [self._played[place].row for place in open_now],
            self._grader,
            source="grade",
            model=getattr(self._grader, "spec", None),
            run_id=f"score_{self._run_id.removeprefix('sim-')}",
            concurrency=self._knobs.concurrency,
            version=getattr(self._grader, "version", None),
            progress=False,
            quiet=True,
        )
        for place, row in zip(open_now, scored.rows, strict=True):
            self._played[place] = self._kept.keep_verdict(self._rollout(*place), self._played[place], row)

    def _is_late(self) -> bool:
        return self._deadline is not None and time.monotonic() >= self._deadline

    def _tick(self, _left: int = 0) -> None:
        done = len(self._played)
        self._show(done)
        if self._on_progress is not None and done != self._reported:
            self._reported = done
            try:
                self._on_progress(done, self._total)
            except Exception as error:  # it watches: what it raises costs no rollout
                self._on_progress = None
                self._out.warnings.append(f"on_progress= raised and was not called again: {error_text(error)}")


def _pieces(rounds: Iterable[list[Cell]], most: int | None) -> Iterator[list[Cell]]:
    """The rounds in pieces of at most so many rollouts; a round is drawn when those before it are over."""
    for cells in rounds:
        size = most or len(cells)
        for start in range(0, len(cells), size):
            yield cells[start : start + size]


class _Work:
    """The rollouts of one round, as a crew takes them: by their places."""

    def __init__(self, engine: Engine, number: int, cells: Sequence[Cell]) -> None:
        self._engine, self._number, self._cells = engine, number, cells

    def verdict(self, place: int, hand: Hand) -> Played | None:
        return self._engine.play(self._number, self._cells[place], hand)

    def late(self, place: int, seconds: float) -> Played:
        return self._engine.late(self._number, self._cells[place], seconds)

    def settle(self, place: int, played: Played | None) -> None:
        self._engine.settle(self._number, self._cells[place], played)
