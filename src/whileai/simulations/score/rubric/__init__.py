"""Rubrics: prompt-specific criteria, a judge that scores them item by item, and a writer that drafts them."""

from whileai.simulations.score.rubric.attach import attach_rubric, rubric_of
from whileai.simulations.score.rubric.criterion import Criterion
from whileai.simulations.score.rubric.judge import rubric_judge
from whileai.simulations.score.rubric.rubric import Rubric
from whileai.simulations.score.rubric.write import write_rubrics

__all__ = ["Criterion", "Rubric", "attach_rubric", "rubric_judge", "rubric_of", "write_rubrics"]
