"""A run that was played: its rows, who played, and what to know of it."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from typing import Any

from whileai.simulations.run.profile import AgentProfile


class Played(ABC):
    """What grading reads of a run and writes on it; see `SimulationData`."""

    trajectories: list[dict[str, Any]]
    profile: AgentProfile
    judge_model: str | None
    warnings: list[str]

    @abstractmethod
    def save(self, path: str | os.PathLike[str], meta: bool = False) -> str:
        """Write the rows; returns the path."""

    def warn(self, *lines: str) -> None:
        """Add to `warnings` what is not there yet."""
        self.warnings += [line for line in dict.fromkeys(lines) if line not in self.warnings]
