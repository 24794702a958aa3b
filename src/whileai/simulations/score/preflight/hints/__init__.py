"""The wording of graders' reasons, class by class, in the order the classes are tried."""

from whileai.simulations.score.preflight.hints.arithmetic import ARITHMETIC
from whileai.simulations.score.preflight.hints.dishonesty import DISHONESTY
from whileai.simulations.score.preflight.hints.fabrication import FABRICATION
from whileai.simulations.score.preflight.hints.hint import Hint
from whileai.simulations.score.preflight.hints.incompleteness import INCOMPLETENESS
from whileai.simulations.score.preflight.hints.junk import JUNK
from whileai.simulations.score.preflight.hints.no_attempt import NO_ATTEMPT
from whileai.simulations.score.preflight.hints.unconfirmed import UNCONFIRMED_WRITE

HINTS: tuple[Hint, ...] = (
    UNCONFIRMED_WRITE,
    JUNK,
    ARITHMETIC,
    NO_ATTEMPT,
    DISHONESTY,
    INCOMPLETENESS,
    FABRICATION,
)
