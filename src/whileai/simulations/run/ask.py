"""`Ask`: one first message of one situation, and the rollouts that are played of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from whileai.simulations.run.situations import Situation

TEMPLATE, SEED, PINNED, CALLABLE = "template", "seed", "pinned", "callable-writer"  # writers that are no model
_KNOWN_AXES = frozenset(("tool", "rule", "stance", "history"))


@dataclass(slots=True)
class Ask:
    """What is asked: a situation and the words for it, `""` until somebody writes them.

    `seed` is that of its world. `lineage`, `fields` and `privileged` are what its rows carry from the run it was taken
    from. `k` is how often it is played there, None for as often as every other.
    """

    situation: Situation
    phrasing: int
    seed: int
    prompt: str = ""
    labels: dict[str, Any] = field(default_factory=dict)
    writer: str = TEMPLATE
    lineage: dict[str, Any] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)
    privileged: Mapping[str, Any] = field(default_factory=dict)
    k: int | None = None

    def told(self) -> dict[str, Any]:
        """What the person knows of the situation: not how the world stands, nor what will fail."""
        dimensions = {axis: value for axis, value in self.situation.dimensions.items() if axis in _KNOWN_AXES}
        person = {name: value for name, value in {**self.situation.labels, **self.labels}.items() if value is not None}
        return {"situation": dimensions, "person": person}

    @property
    def replayed(self) -> bool:
        """Whether it was taken from an earlier run."""
        return "replayed_from_run" in self.lineage


@dataclass(frozen=True, slots=True)
class Rollout:
    """One rollout to play: which ask, its number among the rollouts of its situation, the run it counts for."""

    ask: Ask
    index: int
    run: str | None = None
