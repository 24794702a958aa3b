"""Is the verifier failing answers that are right?"""

from whileai.simulations.score.audit.report import audit_grades
from whileai.simulations.score.audit.text import format_audit

__all__ = ["audit_grades", "format_audit"]
