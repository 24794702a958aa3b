"""Can the judge be trusted? The reward is only as good as the judge."""

from whileai.simulations.score.judge_trust.probes import judge_probes
from whileai.simulations.score.judge_trust.report import JudgeTrustReport, judge_trust
from whileai.simulations.score.judge_trust.text import format_judge_trust
from whileai.simulations.score.judge_trust.tricks import PROBES

__all__ = ["PROBES", "JudgeTrustReport", "format_judge_trust", "judge_probes", "judge_trust"]
