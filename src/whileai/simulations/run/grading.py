"""`Gradable`: the grading of a run, as its methods."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from whileai.simulations import defaults
from whileai.simulations.arguments import whole
from whileai.simulations.reports import Report
from whileai.simulations.rows.rowlist import RowList
from whileai.simulations.run import grade as ways
from whileai.simulations.run.played import Played
from whileai.simulations.score.judging.comparison import Comparable

Row = dict[str, Any]
_LLM_CONCURRENCY = 16  # calls of a model in flight; convention


class Gradable(Played, Comparable):
    """A run that can be graded; see `SimulationData`."""

    def grade(
        self,
        grader: Callable[[Row], Any] | None = None,
        *,
        judge: Any = None,
        llm: Any = None,
        spec: Any = None,
        llm_spec: Any = None,
        api_key: Any = None,
        path: str | os.PathLike[str] | None = None,
        concurrency: int = defaults.DEFAULT_CONCURRENCY,
        llm_concurrency: int = _LLM_CONCURRENCY,
        version: str | None = None,
        use_privileged: bool = False,
        scale: tuple[float, float] | None = None,
        rubric: Any = None,
        trust: str = "warn",
        payload_chars: int = defaults.JUDGE_PAYLOAD_CHARS,
        max_tokens: int = defaults.JUDGE_MAX_TOKENS,
    ) -> Any:
        """Grade the rows, in one of three ways.

        * `grade(grader)`, a callable from a row to a reward (the contract of `run_judge`): scores the rows in place and
          returns the run. With `llm` (true, or a model) a model's verdict is put beside it, as `llm_grade` does.
        * `grade(judge=...)`, a callable, a `Judge`, or the spec of a model: returns `ScoredData` of scored copies, at
          most 32 calls at a time; the run stays ungraded.
        * neither: a model judges in place, by `rubric`, else by the agent's own, else by the standing instruction.
          `spec` (or `llm`) names the model, else the configured one is asked. Returns a report: `graded`, `unjudged`,
          `n0`, `n1`, `backend`, `judge_name`, `judge_version`, `warnings`, `rubric`.

        `trust` reads `judge_trust` where rows have labels of a person: `"warn"` puts what it says against the judge, or
        that it is unmeasured, into `warnings`; `"require"` raises a `RuntimeError` and grades nothing in place; `"off"`
        does not look. `scale=(low, high)` reads ratings, `version` names what would change the judge's labels, `path`
        takes the graded rows as JSON lines. `use_privileged`, `payload_chars` and `max_tokens` are the model judge's.

        >>> import whileai.simulations as wai
        >>> data = wai.SimulationData([{"prompt": "Hi", "final_text": "Hello."}], profile=wai.AgentProfile())
        >>> data.grade(lambda row: bool(row["final_text"])) is data, data.trajectories[0]["reward"]
        (True, 1)
        """
        ways.checked_trust(trust)
        if path is not None:
            _check_target(path)
        if grader is not None and judge is not None:
            raise ValueError("grade takes a grader (in place) or judge= (on copies), not both")
        sizes: dict[str, Any] = {
            "api_key": api_key,
            "use_privileged": use_privileged,
            "payload_chars": payload_chars,
            "max_tokens": max_tokens,
        }
        shared: dict[str, Any] = {"version": version, "scale": scale, "trust": trust}
        if judge is not None:
            if callable(judge):
                _refuse_rubric(rubric)
            else:
                judge = ways.model_judge(self, judge, rubric, **sizes)
            scored = ways.grade_copies(self, judge, concurrency=concurrency, **shared)
            if path is not None:
                scored.save(path)
            return scored
        if grader is not None:
            if not callable(grader):
                raise TypeError(
                    f"grader must be a callable from a row to a reward, got {type(grader).__name__}; "
                    "a model is named by judge= or spec="
                )
            if llm is None or llm is False:
                _refuse_rubric(rubric)
            ways.grade_in_place(self, grader, concurrency=concurrency, **shared)
            if llm is not None and llm is not False:
                self.llm_grade(rubric, spec=_model(llm, llm_spec, spec), concurrency=llm_concurrency, **sizes)
            return self._saved(path, self)
        if llm is False:
            raise ValueError("nothing to grade with: give a grader, judge=, or leave llm= out")
        rubric = self.profile.rubric if rubric is None else rubric
        model = ways.model_judge(self, _model(llm, spec, llm_spec), rubric, **sizes)
        calls = min(whole("concurrency", concurrency), whole("llm_concurrency", llm_concurrency))
        return self._saved(path, ways.grade_by_model(self, model, concurrency=calls, rubric=rubric, **shared))

    def grade_llm(self, rubric: Any = None, *, spec: Any = None, **keywords: Any) -> Report:
        """Grade the rows in place with a model judge: `grade` without a grader, with the same keywords."""
        report: Report = self.grade(rubric=rubric, spec=spec, **keywords)
        return report

    def llm_grade(
        self,
        rubric: Any = None,
        *,
        spec: Any = None,
        api_key: Any = None,
        concurrency: int = _LLM_CONCURRENCY,
        version: str | None = None,
        use_privileged: bool = False,
        payload_chars: int = defaults.JUDGE_PAYLOAD_CHARS,
        max_tokens: int = defaults.JUDGE_MAX_TOKENS,
    ) -> Report:
        """Put a model's verdict beside each row's own, as `llm_reward` and `llm_reason`; `reward` stays as it is.

        The report is that of `grade` with a model. `judge_agreement(rows, reward="llm_reward")` compares it.
        """
        rubric = self.profile.rubric if rubric is None else rubric
        judge = ways.model_judge(
            self,
            spec,
            rubric,
            api_key=api_key,
            use_privileged=use_privileged,
            payload_chars=payload_chars,
            max_tokens=max_tokens,
        )
        return ways.second_opinion(self, judge, concurrency=concurrency, version=version, rubric=rubric)

    def _compared(self) -> RowList:
        return RowList.like(self, self.trajectories)

    def _saved(self, path: str | os.PathLike[str] | None, result: Any) -> Any:
        if path is not None:
            self.save(path)
        return result


def _refuse_rubric(rubric: Any) -> None:
    if rubric is not None:
        raise ValueError("rubric= is what a model judges by; a callable has its own: leave one of the two out")


def _check_target(path: str | os.PathLike[str]) -> None:
    """Refuse what cannot be written before anything is paid for."""
    from whileai.simulations.rows.write import check_name

    check_name(path)
    if not Path(path).parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(Path(path).parent))


def _model(*named: Any) -> Any:
    """The first model that is named; a bare true names none."""
    return next((model for model in named if model is not None and not isinstance(model, bool)), None)
