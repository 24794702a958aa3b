"""What the warnings of a comparison rest on, and how they name things."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from whileai.simulations.reports import printable
from whileai.simulations.score.delta.arguments import Asked
from whileai.simulations.score.delta.labels import Labels
from whileai.simulations.score.delta.measured import Measured
from whileai.simulations.score.stats.summary import PASS
from whileai.simulations.width import cut

_NAME_COLUMNS = 60
SIDES = ("before", "after")
Lines = Iterator[str]


@dataclass(frozen=True)
class Facts:
    """What the warnings rest on beside the report: what was measured and asked, and the headline's machine word."""

    found: Measured
    asked: Asked
    word: str
    labels: Mapping[str, Labels]

    @property
    def is_pass(self) -> bool:
        """Whether the headline metric is pass@1."""
        return self.found.head.key == PASS


def shown(name: Any) -> str:
    """A foreign name, escaped and cut."""
    return cut(printable(name), _NAME_COLUMNS)


def listed(names: list[str]) -> str:
    """Names one after another."""
    return ", ".join(map(shown, names))


def both(report: Mapping[str, Any], key: str) -> str:
    """A setting of both sides, which differ in it."""
    before, after = (shown(report["config"][side][key]) for side in SIDES)
    return f"was {before} before and {after} after"
