"""What is measured before anything is said: both sides, every metric, floors, seeds, and what may bias them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from whileai.simulations.defaults import CEILING_MIN_TASKS_WITH_ROOM
from whileai.simulations.rows.table import RowTable, Tasks
from whileai.simulations.score.delta.arguments import ARMS, Asked, Thresholds
from whileai.simulations.score.delta.combine import adjust
from whileai.simulations.score.delta.comparable import Gap, answered_gap, selection_gap
from whileai.simulations.score.delta.groups import Grouping, grouping_of
from whileai.simulations.score.delta.metrics import Entry, Metric, metrics_of
from whileai.simulations.score.delta.noise import Noise, noise_of
from whileai.simulations.score.delta.seeds import Seeds, SumsOf, seeds_of
from whileai.simulations.score.delta.sides import Side, balance, number_by_name, read_rows
from whileai.simulations.score.stats.compare import Pair
from whileai.simulations.score.stats.summary import PASS, metric_sums

CEILING_ROOM_SHARE = 0.5  # share of shared tasks with room below which few of them count as a ceiling; convention


@dataclass(frozen=True)
class Measured:
    """Both sides measured. `head` is the headline metric: the target where it is measured, else pass@1."""

    sides: tuple[Side, Side]
    metrics: Mapping[str, Metric]
    entries: dict[str, Entry]
    head: Metric
    noise: Noise
    seeds: Seeds | None
    configs: dict[str, dict[str, Any]]
    selection: Gap | None
    answered: Gap | None
    row_sets: Mapping[str, int]
    trimmed: dict[str, Any] | None
    passes: Pair
    grouping: Grouping | None

    @property
    def entry(self) -> Entry:
        """The headline metric's entry."""
        return self.entries[self.head.key]


def measure(before: Any, after: Any, asked: Asked) -> Measured:
    """Read both sides once, and the training seeds; compare every metric."""
    limits = asked.thresholds
    index = Tasks()
    tables = read_rows("before", before, index), read_rows("after", after, index)
    sets = {arm: _read_sets(arm, asked, index) for arm in ARMS}
    number_by_name([*tables, *(table for held in sets.values() for table in held or ())], index)
    trimmed = None
    if asked.balanced:
        *cut, trimmed = balance(*tables, limits.seed)
        tables = cut[0], cut[1]
    sides = Side("before", tables[0]), Side("after", tables[1])
    seeds: dict[str, list[SumsOf] | None] = {
        arm: None if held is None else [partial(metric_sums, table) for table in held] for arm, held in sets.items()
    }
    return measured_of(sides, seeds, asked, grouping_of(asked.by, *sides), trimmed)


def measured_of(
    sides: tuple[Side, Side],
    sets: Mapping[str, list[SumsOf] | None],
    asked: Asked,
    grouping: Grouping | None,
    trimmed: dict[str, Any] | None = None,
) -> Measured:
    """Compare every metric of two sides and of the training seeds' row sets, whose task codes share one index."""
    limits = asked.thresholds
    metrics = metrics_of(*sides, asked.markers, asked.directions)
    n_sets = {arm: len(held or ()) for arm, held in sets.items()}
    noise = noise_of(sides, list(metrics), limits.level, asked.floors, asked.run_std_runs, n_sets)
    entries = _entries(metrics, noise, limits)
    head = metrics[asked.target if asked.target in metrics else PASS]
    entry = entries[head.key]
    configs = {side.name: side.config() for side in sides}
    return Measured(
        sides,
        metrics,
        entries,
        head,
        noise,
        None if asked.row_sets is None else seeds_of(sets, head, entry["ci95"], limits.level),
        configs,
        selection_gap(configs, entry),
        answered_gap(*sides, entry, limits),
        n_sets,
        trimmed,
        metrics[PASS].pair(),
        grouping,
    )


def _read_sets(arm: str, asked: Asked, index: Tasks) -> list[RowTable] | None:
    held = None if asked.row_sets is None else asked.row_sets[arm]
    return (
        None if held is None else [read_rows(f"train_runs, {arm} seed {i}", rows, index) for i, rows in enumerate(held)]
    )


def _entries(metrics: Mapping[str, Metric], noise: Noise, limits: Thresholds) -> dict[str, Entry]:
    entries = {key: metric.compared(limits) for key, metric in metrics.items()}
    for key, entry in entries.items():
        entry.update(noise.judged(key, entry["delta"]))
    adjust(metrics, entries, limits)
    return entries


def solved_before(passes: Pair) -> tuple[int, int]:
    """`(shared tasks that pass every time before, shared tasks)`."""
    return int((passes.a.means()[passes.at_a] >= 1).sum()), passes.n_shared


def few_with_room(passes: Pair) -> bool:
    """Whether only few shared tasks are not already passed every time."""
    solved, shared = solved_before(passes)
    return shared - solved < min(CEILING_MIN_TASKS_WITH_ROOM, CEILING_ROOM_SHARE * shared)
