"""Training rows that overlap an evaluation set, found and dropped."""

from whileai.simulations.score.decontaminate.decontaminator import DecontaminationReport, Decontaminator
from whileai.simulations.score.decontaminate.report import decontaminate

__all__ = ["DecontaminationReport", "Decontaminator", "decontaminate"]
