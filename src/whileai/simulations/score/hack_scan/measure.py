"""The correlations of every feature with the reward, and the floor that chance stays below."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from whileai.simulations.kernels.groups import Floats, Groups
from whileai.simulations.kernels.permutation import Columns, Pairs, chance_floor, shuffled_strongest
from whileai.simulations.score.hack_scan.asks import Asks
from whileai.simulations.score.hack_scan.features import Feature, FeatureTable

_TIE = 1e-5  # by less no conjunction is said to beat its parents


class Search(NamedTuple):
    """How features are looked for and what chance is allowed."""

    min_obs: int
    n_seeds: int
    n_perm: int
    seed: int
    alpha: float


def measure(table: FeatureTable, asks: Asks, search: Search) -> tuple[list[Feature], float | None]:
    """Every feature with its correlations, conjunctions included, and the floor; None when no ask's rewards differ."""
    everything = Groups(np.array([asks.groups.n]))
    pooled = Columns(table.flags, table.values, everything, _unit(everything.centred(asks.rewards)))
    _note(table.features, "pooled", pooled.correlations(pooled.reward[None])[:, 0])
    if not asks.live:
        return table.features, None
    reward = _unit(asks.groups.centred(asks.rewards)[: asks.live])
    columns = Columns(table.flags, table.values, asks.groups, reward, min_obs=search.min_obs)
    rho = columns.correlations(reward[None])[:, 0]
    _note(table.features, "rho", rho)
    found = list(table.features)
    if search.n_seeds > 1:
        seeds = columns.seeds(rho[: len(table.flags)], search.n_seeds)
        pairs, pooled_pairs = columns.pairs(seeds, reward), pooled.pairs(seeds, pooled.reward)
        beats = np.abs(pairs.rho) > np.maximum(np.abs(rho[pairs.first]), np.abs(rho[pairs.second])) + _TIE
        found += _conjunctions(table, pairs, pooled_pairs, np.flatnonzero(columns.narrower(pairs) & beats).tolist())
    maxima = shuffled_strongest(columns, max(1, search.n_perm), search.n_seeds, search.seed)
    tau = round(chance_floor(maxima, search.alpha), 4)
    for feature in found:
        feature.above_floor = abs(feature.rho) > tau
    return found, tau


def _unit(centred: Floats) -> Floats:
    length = float(np.sqrt(centred @ centred))
    return centred / length if length else centred


def _note(features: list[Feature], name: str, found: Floats) -> None:
    for feature, value in zip(features, found.tolist(), strict=True):
        setattr(feature, name, correlation(value))


def correlation(value: float) -> float:
    """A correlation as it is given: 4 decimals, within -1 and 1, no negative zero.

    >>> correlation(-1.0000000002), correlation(-0.00001)
    (-1.0, 0.0)
    """
    return round(max(-1.0, min(1.0, value)), 4) + 0.0


def _conjunctions(table: FeatureTable, pairs: Pairs, pooled: Pairs, kept: list[int]) -> list[Feature]:
    """A feature for each column of the `kept` pairs that no feature has yet."""
    known = {column.tobytes() for column in table.flags}
    made: dict[bytes, Feature] = {}
    for at in kept:
        first, second = int(pairs.first[at]), int(pairs.second[at])
        column = (table.flags[first] & table.flags[second]).tobytes()
        if column in known:
            continue
        parents = table.features[first], table.features[second]
        name = f"{parents[0].name} AND {parents[1].name}"
        if column in made:
            made[column].aliases.append(name)
        else:
            made[column] = Feature(name, int(pairs.n_obs[at]), parents=parents)
            _note([made[column]], "rho", pairs.rho[at : at + 1])
            _note([made[column]], "pooled", pooled.rho[at : at + 1])
    return list(made.values())
