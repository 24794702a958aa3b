"""`ScoredData`: rows with their verdicts, and views of them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

from whileai.simulations.defaults import (
    DEFAULT_SELECT_TARGET,
    DIFFICULTY_BAND,
    LEAK_MIN_QUOTE_CHARS,
)
from whileai.simulations.reports import Report, Shown
from whileai.simulations.rows.rowlist import RowList
from whileai.simulations.rows.values import is_bool, is_mapping
from whileai.simulations.score.judging.comparison import Comparable
from whileai.simulations.score.judging.pairs import build_preference_pairs
from whileai.simulations.score.judging.selection import Selection, select
from whileai.simulations.signature import public

if TYPE_CHECKING:
    from whileai.simulations.score.passat import PassAt
    from whileai.simulations.score.privileged import LeakReport

Row = dict[str, Any]
_MODES = ("rl", "sft")


class ScoredData(Shown, Comparable):
    """Scored rows: iterable, with a length and indices, and a view for each kind of verdict.

    `rows` is a `RowList`; `warnings` says what is hollow about the run: read it before any number. `eval_coverage` is
    that of `evaluate`, `resumed` how many verdicts are from the checkpoint. Every reward is in one view: `passes` (1),
    `failures` (0), `partials`, `unjudged`.

    >>> scored = ScoredData([{"reward": 1}, {"reward": 0.5}], run_id="r1", source="grade", judge_name="j")
    >>> len(scored), scored.partials()
    (2, [{'reward': 0.5}])
    """

    def __init__(
        self, rows: Iterable[Row], *, run_id: str, source: str, judge_name: str, model: str | None = None
    ) -> None:
        self.rows = RowList.like(rows, rows)
        self.run_id = run_id
        self.source = source
        self.judge_name = judge_name
        self.model = model
        self.warnings: list[str] = []
        self.eval_coverage: dict[str, Any] | None = None
        self.resumed = 0
        self._profile: Any = None

    @property
    def profile(self) -> Any:
        """The agent the rows are of; setting one with `policy` and `tools` puts both on `rows`."""
        return self._profile

    @profile.setter
    def profile(self, profile: Any) -> None:
        self._profile = profile
        policy, tools = getattr(profile, "policy", None), getattr(profile, "tools", None)
        if isinstance(policy, str):
            self.rows.system_prompt = policy
        if isinstance(tools, list | tuple):
            self.rows.tools = list(tools)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    @overload
    def __getitem__(self, place: SupportsIndex, /) -> Row: ...
    @overload
    def __getitem__(self, place: slice[Any, Any, Any], /) -> RowList: ...
    def __getitem__(self, place: SupportsIndex | slice[Any, Any, Any], /) -> Row | RowList:
        return self.rows[place]

    def __repr__(self) -> str:
        return f"ScoredData({len(self)} rows, judge_name={self.judge_name!r}, run_id={self.run_id!r})"

    def _estimated(self) -> dict[str, Any]:
        return self.pass_at.to_dict()

    def _view(self, belongs: Callable[[Row], bool]) -> RowList:
        return RowList.like(self.rows, filter(belongs, self.rows))

    def passes(self) -> RowList:
        """The rows with reward 1."""
        return self.select_by_reward(1)

    def failures(self) -> RowList:
        """The rows with reward 0; a row without a verdict is none of them."""
        return self.select_by_reward(0)

    def failed_traces(self) -> RowList:
        """The failures, as `load_traces` and the next round take them."""
        return self.failures()

    @property
    def traces(self) -> RowList:
        """The failures."""
        return self.failures()

    def partials(self) -> RowList:
        """The rows with a reward strictly between 0 and 1."""
        return self.select_by_reward_range(0, 1, inclusive=False)

    def unjudged(self) -> RowList:
        """The rows the judge gave no verdict on; never failures."""
        return self._view(lambda row: row.get("judge_status") != "ok")

    @public
    def select_by_reward(self, reward: float) -> RowList:
        """The rows with exactly this reward."""
        return self._view(lambda row: _is_number(row.get("reward")) and row["reward"] == reward)

    @public
    def select_by_reward_range(self, lo: float, hi: float, inclusive: bool = True) -> RowList:
        """The rows whose reward is a number from `lo` to `hi`, without the ends when not `inclusive`."""

        def within(row: Row) -> bool:
            reward: Any = row.get("reward")
            return _is_number(reward) and (lo <= reward <= hi if inclusive else lo < reward < hi)

        return self._view(within)

    @property
    def pass_at(self) -> PassAt:
        """`pass_at` of the rows."""
        from whileai.simulations.score.passat import pass_at

        return pass_at(self.rows)

    @public
    def agreement(self, gold: str | Sequence[Row] = "gold_reward", reward: str = "reward") -> Report:
        """How the rewards agree with labels you trust: `judge_agreement` of the rows."""
        from whileai.simulations.score.agreement import judge_agreement

        return judge_agreement(self.rows, gold, reward)

    def _compared(self) -> RowList:
        return self.rows

    @public
    def select(
        self,
        mode: str = "rl",
        target: int = DEFAULT_SELECT_TARGET,
        band: tuple[float, float] | None = None,
        endorsed: Sequence[str] = (),
        truncated: str = "drop",
    ) -> Selection:
        """The rows worth training on, with `report` and `mode`: `optimize` of the rows.

        `mode` is `rl` or `sft`, else a ValueError; for pairs there is `select_for_preference`.
        """
        chosen = mode.strip().lower() if isinstance(mode, str) else mode
        if chosen not in _MODES:
            raise ValueError(f"mode must be one of {', '.join(_MODES)}, got {mode!r}; pairs: select_for_preference()")
        return select(self.rows, mode=chosen, target=target, band=band, endorsed=endorsed, truncated=truncated)

    @public
    def select_for_sft(self, target: int = DEFAULT_SELECT_TARGET) -> tuple[list[Row], Report]:
        """Diverse demonstrations among the passes, and a report."""
        from whileai.simulations.score.optimize import select_for_sft

        return select_for_sft(self.rows, target=target)

    @public
    def select_for_rl(
        self,
        target: int = DEFAULT_SELECT_TARGET,
        lo: float = DIFFICULTY_BAND[0],
        hi: float = DIFFICULTY_BAND[1],
        has_tools: bool = True,
    ) -> tuple[list[Row], Report]:
        """Whole groups with passes and failures, and a report."""
        from whileai.simulations.score.optimize import select_for_rl

        return select_for_rl(self.rows, target=target, lo=lo, hi=hi, has_tools=has_tools)

    @public
    def select_for_preference(
        self, max_pairs_per_prompt: int = 1, min_margin: float = 1.0, length_match: bool = True
    ) -> tuple[list[Row], Report]:
        """Chosen and rejected rows of one prompt, and a report: `build_preference_pairs` of the rows."""
        return build_preference_pairs(self.rows, max_pairs_per_prompt, min_margin, length_match)

    @public
    def report(self, tools: Any = None, system_prompt: str | None = None) -> Report:
        """`dataset_report` of the rows, by default with their own tools and system prompt, and the verdicts counted.

        Further keys: `reward_distribution` ({reward as text: rows}, ascending), `unjudged` (rows), `scoring_run_id`,
        `judge`.
        """
        from whileai.simulations.score.preflight import dataset_report

        schemas = [tool for tool in self.rows.tools if is_mapping(tool)]  # a bare name says too little
        found = dataset_report(
            self.rows, tools=tools or schemas or None, system_prompt=system_prompt or self.rows.system_prompt
        )
        counts = Counter(row["reward"] for row in self.rows if _is_number(row.get("reward")))
        found.update(
            reward_distribution={str(reward): counts[reward] for reward in sorted(counts)},
            unjudged=len(self.unjudged()),
            scoring_run_id=self.run_id,
            judge=self.judge_name,
        )
        return found

    @public
    def rank(self, path: str | os.PathLike[str] | None = None) -> RowList:
        """Score the rows as conversations, in place (`rank_rows`), and return them best first; `path` takes them."""
        from whileai.simulations.score.quality import rank_rows

        ranked = RowList.like(self.rows, sorted(rank_rows(self.rows), key=lambda row: -row["quality"]))
        if path is not None:
            _save(ranked, path)
        return ranked

    @public
    def leak_report(self, min_len: int = LEAK_MIN_QUOTE_CHARS) -> LeakReport:
        """Which rows quote their own privileged text: `leak_report` of the rows."""
        from whileai.simulations.score.privileged import leak_report

        return leak_report(self.rows, min_len=min_len)

    @public
    def export(self, output: str | os.PathLike[str] | None = None, **keywords: Any) -> Report:
        """Write all rows as a training file: `export_training` with its keywords; `select` first for fewer."""
        from whileai.simulations.exports import export_training

        report: Report = export_training(self.rows, output, **keywords)
        return report

    @public
    def save(self, path: str | os.PathLike[str]) -> str:
        """Write the rows, one JSON object a line, whole or not at all (`write_rows`); returns the path.

        Of rows that hold what only a teacher may know (`privileged`) that is left out, as in every file.
        """
        _save(self.rows, path)
        return os.fspath(path)

    @public
    def push(self, name: str, **keywords: Any) -> Report:
        """Publish the rows under a name: `push_rows` with its keywords (`gate`, `mode`, `holdout`, `publish`, ...)."""
        from whileai.simulations.registry import push_rows

        entry: Report = push_rows(self.rows, name, **keywords)
        return entry


def _save(rows: RowList, path: str | os.PathLike[str]) -> None:
    from whileai.simulations.exports.row import fit_for_files
    from whileai.simulations.rows.write import write_rows

    write_rows(fit_for_files(rows), path)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not is_bool(value) and value == value
