"""Training rows that overlap an evaluation set, found and dropped."""

from whileai.simulations.score.decontaminate.report import DecontaminationReport, Decontaminator, decontaminate

__all__ = ["DecontaminationReport", "Decontaminator", "decontaminate"]
