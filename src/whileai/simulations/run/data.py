"""`SimulationData`: the rollouts of a run, and what is done with them next."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from whileai.simulations import defaults
from whileai.simulations.reports import Report, Shown, counted, interval_text, number_text, printable, wrapped
from whileai.simulations.rows.grade import grade as grade_of
from whileai.simulations.rows.grade import label
from whileai.simulations.rows.rowlist import RowList
from whileai.simulations.rows.write import write_rows
from whileai.simulations.run.grading import Gradable
from whileai.simulations.run.profile import AgentProfile
from whileai.simulations.run.report import run_report
from whileai.simulations.run.saved import write_meta
from whileai.simulations.signature import public

if TYPE_CHECKING:
    from whileai.simulations.score.judging.selection import Selection
    from whileai.simulations.score.passat import PassAt
    from whileai.simulations.score.privileged import LeakReport

Row = dict[str, Any]
_SHOWN_WARNINGS = 5


class SimulationData(Shown, Gradable):
    """The rollouts of one run of `simulate`: iterable, with a length, and with everything that comes next.

    `trajectories` are the rows the run holds, with what only the teacher may know (`privileged`); they can be written
    on. `rows` are copies for everybody else. `profile` is the agent, `mode`, `budget` (rows asked for) and
    `stopped_because` say how the run went, `warnings` what is hollow about it: read them before any number. `coverage`
    holds the counts that `report()` prints, `system_prompts` the prompts by the `system_prompt_sha` of the rows,
    `search` what the run and the last selection tried. `degraded` is true when a model failed and the run went on
    without it. `writer_model`, `user_model` and `judge_model` name models, None where there was none.

    >>> data = SimulationData([{"task_id": "a", "prompt": "Hi", "reward": 1}], profile=AgentProfile())
    >>> len(data), [row["reward"] for row in data]
    (1, [1])
    """

    def __init__(
        self,
        trajectories: list[Row],
        *,
        profile: AgentProfile,
        mode: str = "explore",
        budget: int | None = None,
        stopped_because: str = "",
        warnings: Iterable[str] = (),
        coverage: Mapping[str, Any] | None = None,
        system_prompts: Mapping[str, str] | None = None,
        writer_model: str | None = None,
        user_model: str | None = None,
        judge_model: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        declared_tools: Sequence[Any] = (),
        search: Mapping[str, Any] | None = None,
        degraded: bool = False,
    ) -> None:
        self.trajectories = trajectories
        self.profile = profile
        self.mode = mode
        self.budget = budget
        self.stopped_because = stopped_because
        self.warnings = list(warnings)
        self.coverage = dict(coverage or {})
        self.system_prompts = dict(system_prompts or {})
        self.writer_model = writer_model
        self.user_model = user_model
        self.judge_model = judge_model
        self.metadata = dict(metadata or {})
        self.declared_tools = list(declared_tools)
        self.search = dict(search or {})
        self.degraded = degraded

    def __len__(self) -> int:
        return len(self.trajectories)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.trajectories)

    def __repr__(self) -> str:
        graded = sum(_is_graded(row) for row in self.trajectories)
        return f"SimulationData({counted(len(self), 'row')}, mode={self.mode!r}, {graded:,} graded)"

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _estimated(self) -> dict[str, Any]:
        return self.pass_at.to_dict()

    def _lines(self) -> Iterator[str]:
        name = f"mode {self.mode}, agent {printable(self.profile.name, 60)}"
        yield f"{counted(len(self), 'row')}, {name}" + (", degraded" if self.degraded else "")
        if self.coverage:
            yield str(self.report())
        graded = sum(_is_graded(row) for row in self.trajectories)
        if graded:
            rates = self.pass_at
            yield (
                f"graded {graded:,} of {len(self):,}: pass@1 {number_text(rates.pass_at_1)}, 95% "
                f"{interval_text(rates.ci95)}, {counted(rates.n_groups, 'task')}"
            )
        elif self.trajectories:
            yield "not graded: data.grade(...) comes next"
        for warning in self.warnings[:_SHOWN_WARNINGS]:
            yield from wrapped(f"! {printable(warning)}")
        if (more := len(self.warnings) - _SHOWN_WARNINGS) > 0:
            yield f"! and {more} more in .warnings"

    # What it holds.

    @property
    def rows(self) -> RowList:
        """Copies of the rows for training and for others, without any privileged text; also callable.

        They are made anew at each access: keep `rows = data.rows` to write on them or to go through them by index.
        """
        from whileai.simulations.exports.row import exported_row

        return RowList.like(self, map(exported_row, self.trajectories))

    @property
    def pass_at(self) -> PassAt:
        """`pass_at` of the rows."""
        from whileai.simulations.score.passat import pass_at

        return pass_at(self.trajectories)

    def report(self) -> Report:
        """What the run covered, delivered and lost: a copy of `coverage` that prints itself.

        Counts of rows, prompts, situations, behaviours, cells of the grid and shapes of episodes; `pairwise`, how many
        of the planned pairs of values some row has; the mix `requested` and `delivered`; rollouts that were lost, by
        reason; calls by tool, the tools that hardly ever worked; and the arguments as the run resolved them.
        """
        return run_report(self.coverage)

    @public
    def leak_report(self, min_len: int = defaults.LEAK_MIN_QUOTE_CHARS) -> LeakReport:
        """Which rows quote their own privileged text: `leak_report` of the trajectories."""
        from whileai.simulations.score.privileged import leak_report

        return leak_report(self.trajectories, min_len=min_len)

    @public
    def sft_rows(self, failures_only: bool = True) -> RowList:
        """The graded rows as a teacher is given them to demonstrate anew: the failures, or all of them; copies."""
        wanted = (lambda row: label(row) == 0) if failures_only else _is_graded
        from whileai.simulations.exports.row import exported_row

        return RowList.like(self, map(exported_row, filter(wanted, self.trajectories)))

    @public
    def rank(self, path: str | os.PathLike[str] | None = None) -> RowList:
        """Score the rows as conversations, in place (`rank_rows`), and return copies, best first; `path` takes them."""
        from whileai.simulations.exports.row import exported_row
        from whileai.simulations.score.quality import rank_rows

        ranked = sorted(rank_rows(self.trajectories), key=lambda row: -row["quality"])
        rows = RowList.like(self, map(exported_row, ranked))
        if path is not None:
            write_rows(rows, path)
        return rows

    # What comes after it.

    @public
    def select(
        self,
        *,
        mode: str | None = None,
        target: int = defaults.DEFAULT_SELECT_TARGET,
        band: tuple[float, float] | None = None,
        endorsed: Sequence[str] = (),
        truncated: str = "drop",
    ) -> Selection:
        """The rows worth training on, with what each gate dropped: `optimize` of the rows; `"sft"` without a mode.

        The report is under `search["selection"]` too. `RuntimeError` when no row has a 0/1 label: grade first.
        """
        from whileai.simulations.score.judging.selection import select

        if all(label(row) is None for row in self.trajectories):
            raise RuntimeError(
                f"none of {counted(len(self), 'row')} has a 0/1 reward, so there is nothing to select by: grade them "
                "first, data.grade(grader) or, for verdicts on copies, data.grade(judge=...).select()"
            )
        picked = select(self, mode=mode or "sft", target=target, band=band, endorsed=endorsed, truncated=truncated)
        self.search["selection"] = dict(picked.report)
        return picked

    @public
    def training_set(
        self,
        output: str | os.PathLike[str] | None = None,
        *,
        target: int = defaults.DEFAULT_SELECT_TARGET,
        validate: bool = True,
    ) -> dict[str, Any]:
        """Select demonstrations and write them as a training file: the report of the export, and `selection`."""
        picked = self.select(target=target)
        return {**picked.export(output, validate=validate), "selection": dict(picked.report)}

    @public
    def export(self, output: str | os.PathLike[str] | None = None, **keywords: Any) -> dict[str, Any]:
        """Write all rows as a training file: `export_training` with its keywords; `select` first for fewer."""
        from whileai.simulations.exports import export_training

        report: dict[str, Any] = export_training(self, output, **keywords)
        return report

    @public
    def push(
        self,
        name: str,
        *,
        api_key: Any = None,
        parent: str | None = None,
        agent: str | None = None,
        publish: bool = False,
        description: str | None = None,
        gate: bool = True,
        purpose: str = "train",
        holdout: float | None = None,
        endorsed: Sequence[str] = (),
        strict_hacks: bool = False,
        **keywords: Any,
    ) -> dict[str, Any]:
        """Publish the rows under a name, gates first: `push_rows` with the mode of the run.

        Verdicts of `grade(judge=...)` are on the scored copies: push those. `publish=True` without `agent` is a
        `ValueError`.
        """
        from whileai.simulations.registry import push_rows

        if publish and not agent:
            raise ValueError("publish=True shows the rows to everybody as an agent's: name it, agent=...")
        entry: dict[str, Any] = push_rows(
            RowList.like(self, self.trajectories),
            name,
            api_key=api_key,
            parent=parent,
            gate=gate,
            mode=self.mode,
            purpose=purpose,
            agent=agent,
            description=description,
            endorsed=endorsed,
            strict_hacks=strict_hacks,
            holdout=holdout,
            publish=publish,
            **keywords,
        )
        return entry

    @public
    def save(self, path: str | os.PathLike[str], meta: bool = False) -> str:
        """Write the exported rows, whole or not at all (`write_rows`); returns the path.

        `meta=True` adds `<stem>.meta.json` beside it: the profile, the system prompts, the report and the warnings.
        """
        write_rows(self.rows, path)
        if meta:
            write_meta(self, path)
        return os.fspath(path)


def _is_graded(row: Row) -> bool:
    return grade_of(row) == grade_of(row)  # NaN when it is not
