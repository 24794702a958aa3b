"""What a holdout is to show: a gain, and how surely."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from whileai.simulations.arguments import between
from whileai.simulations.defaults import ALPHA, CEILING_PASS_RATE, POWER
from whileai.simulations.kernels.power import small_sample_tasks, tasks_for
from whileai.simulations.kernels.reached import Draw, tasks_reaching


@dataclass(frozen=True)
class Goal:
    """What is to be shown: the gain, how surely, and the pass rate from which rows leave no room."""

    effect: float
    power: float = POWER
    alpha: float = ALPHA
    ceiling: float = CEILING_PASS_RATE

    def __post_init__(self) -> None:
        for name in ("effect", "power", "alpha"):
            check_share(name, getattr(self, name))
        between("ceiling_pass_rate", self.ceiling, 0, 1)

    def tasks(self, sd: float) -> int:
        """The normal formula at one sd."""
        return tasks_for(sd, self.effect, self.alpha, self.power)

    def tasks_small(self, sd: float, draw: Draw) -> int:
        """The count at which the paired test has the power, for differences so drawn."""
        start = small_sample_tasks(sd, self.effect, self.alpha, self.power)
        return tasks_reaching(start, draw, self.alpha, self.power)


def check_model(base: float, k: int) -> None:
    """A `ValueError` for a base or a number of rollouts that no model has."""
    if not (is_number(base) and 0 <= base <= 1):
        raise ValueError(f"base must be a pass rate within [0, 1], got {base!r}")
    if not (is_number(k) and k >= 1):
        raise ValueError(f"k must be at least 1 rollout a task, got {k!r}")


def check_share(name: str, value: float) -> None:
    """A `ValueError` for what is not strictly between 0 and 1."""
    if not (is_number(value) and 0 < value < 1):
        raise ValueError(f"{name} must lie strictly between 0 and 1, got {value!r}")


def is_number(value: Any) -> bool:
    """Whether a value is a finite number and no boolean."""
    return isinstance(value, int | float | np.number) and not isinstance(value, bool) and math.isfinite(value)
