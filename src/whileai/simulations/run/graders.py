"""Who grades while a run goes on: a callable, the rules of conduct, or a model by a rubric."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from whileai.simulations.score.dimensions.tools import read_tools
from whileai.simulations.score.dimensions.tools import tool_names as names_of
from whileai.simulations.score.grading import conduct_grade
from whileai.simulations.score.judging.judge import Judge

Row = dict[str, Any]
Grader = Callable[[Row], Any]
CONDUCT = "conduct"


def grader_of(grade: Any, grader: Any, *, rubric: Any, tools: Sequence[Any], system_prompt: str) -> Grader | None:
    """The grader that `grade=`, `grader=` and `rubric=` name; None for none.

    `grade=True` is a model judge where there is a rubric, else the rules of conduct, as `grade="conduct"` is. A rubric
    alone grades nothing: it is the agent's, for `data.grade()`. Anything else is a `ValueError`.
    """
    if grader is not None and not callable(grader):
        raise ValueError(f"grader must be a callable from a row to a reward, got {type(grader).__name__}")
    if grader is not None and grade not in (None, False) and grader is not grade:
        raise ValueError("grade= and grader= are two graders: give one of them")
    if callable(grade):
        grader = grade
    elif grade not in (None, False, True, CONDUCT):
        raise ValueError(f'grade must be True, False, "conduct" or a callable from a row to a reward, got {grade!r}')
    if grader is not None:
        found: Grader = grader
        return found
    if not grade:
        return None
    if grade is True and rubric is not None:
        return Judge(rubric, policy=system_prompt, tools=list(tools) or None)
    return _by_conduct(names_of(read_tools(tools)))


def _by_conduct(declared: Sequence[str]) -> Grader:
    def conduct(row: Row) -> dict[str, Any]:
        return conduct_grade(row, declared)

    return conduct
