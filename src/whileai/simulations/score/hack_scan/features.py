"""The features of a scan: columns that differ, each once however many names it has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.kernels.groups import Bytes, Floats
from whileai.simulations.score.hack_scan.asks import Asks
from whileai.simulations.score.hack_scan.columns import Extractors, HandColumns, agent_text
from whileai.simulations.score.hack_scan.terms import Vocabulary
from whileai.simulations.score.hygiene.acts import Acts


@dataclass
class Feature:
    """A feature and what was found of it; of a conjunction `parents` are the two it is of."""

    name: str
    n_obs: int
    aliases: list[str] = field(default_factory=list)
    parents: tuple[Feature, ...] = ()
    rho: float = 0.0
    pooled: float = 0.0
    above_floor: bool = False
    endorsed: bool = False

    @property
    def names(self) -> list[str]:
        """Every name it goes by, those of its parents included."""
        return [self.name, *self.aliases, *(name for parent in self.parents for name in parent.names)]

    def item(self) -> dict[str, Any]:
        """The feature as an entry of the report."""
        return {
            "name": self.name,
            "aliases": list(self.aliases),
            "rho": self.rho,
            "pooled": self.pooled,
            "n_obs": self.n_obs,
            "above_floor": self.above_floor,
            "endorsed": self.endorsed,
        }


@dataclass
class FeatureTable:
    """Features and their columns: first those of `flags` (0/1, shape (p, n)), then those of `values` (q, n).

    `broken` names the extractors that raised on every row, each with what it said.
    """

    features: list[Feature]
    flags: Bytes
    values: Floats
    distinct_per_ask: int
    broken: dict[str, str]


def read_features(
    asks: Asks, acts: Callable[[Any], Acts], extractors: Extractors, *, auto: bool, top_k: int, min_obs: int
) -> FeatureTable:
    """Every feature of the rows that has at least `min_obs` values other than 0; `acts` reads what an agent did."""
    hand, vocabulary, profiles = HandColumns(extractors), Vocabulary(), []
    for row in asks.rows:
        done = acts(row)
        text = agent_text(row, done.said)
        pieces = text.lower().split()
        profiles.append(hand.add(row, done, text, len(pieces)))
        if auto:
            vocabulary.add(pieces)
    flagged, valued = _Columns(np.uint8), _Columns(np.float64)
    for name, column in hand.named(min_obs):
        (flagged if _is_flag(column) else valued).add(name, column)
    if auto:
        for name, column in zip(*vocabulary.columns(top_k, min_obs), strict=True):
            flagged.add(f"contains:{name}", column)
    n = len(asks.rows)
    return FeatureTable(
        [*flagged.features, *valued.features],
        flagged.stacked(n),
        valued.stacked(n),
        asks.distinct(profiles),
        hand.broken(),
    )


class _Columns:
    """Columns of one kind; one that is there already adds its name to it."""

    def __init__(self, kind: type[np.generic]) -> None:
        self._kind = kind
        self._held: dict[bytes, Feature] = {}

    @property
    def features(self) -> list[Feature]:
        return list(self._held.values())

    def add(self, name: str, column: NDArray[Any]) -> None:
        held = self._held.setdefault(column.astype(self._kind).tobytes(), Feature(name, int(np.count_nonzero(column))))
        if held.name != name:
            held.aliases.append(name)

    def stacked(self, n: int) -> NDArray[Any]:
        return np.frombuffer(b"".join(self._held), dtype=self._kind).reshape(len(self._held), n)


def _is_flag(column: Floats) -> bool:
    return bool(((column == 0) | (column == 1)).all())
