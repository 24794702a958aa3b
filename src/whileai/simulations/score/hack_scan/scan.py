"""What will the policy learn from this reward?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from whileai.simulations.arguments import between, whole
from whileai.simulations.defaults import ALPHA
from whileai.simulations.rows.table import RowTable
from whileai.simulations.score.hack_scan.asks import Asks
from whileai.simulations.score.hack_scan.columns import Extractors
from whileai.simulations.score.hack_scan.features import Feature, read_features
from whileai.simulations.score.hack_scan.measure import Search, measure
from whileai.simulations.score.hack_scan.text import HackScanReport
from whileai.simulations.score.hack_scan.verdict import broken_lines, endorse, rank, read, regime_of, warnings_of
from whileai.simulations.score.hygiene.acts import Acts, acts_of
from whileai.simulations.signature import public

DEFAULT_TOP_K = 200  # terms; convention
DEFAULT_N_PERM = 100  # shuffles behind the floor; convention
DEFAULT_MIN_OBS = 20  # fewest graded rows on which a feature is not 0; convention
DEFAULT_SEEDS = 12  # strongest 0/1 features that are paired, 66 pairs; convention
REPORT_TOP = 20  # listed features; convention


class Asked(NamedTuple):
    """The arguments of a scan, checked; `listed` is how many features the report lists."""

    endorsed: list[str]
    extractors: Extractors = MappingProxyType({})
    auto: bool = True
    top_k: int = DEFAULT_TOP_K
    search: Search = Search(DEFAULT_MIN_OBS, DEFAULT_SEEDS, DEFAULT_N_PERM, 0, ALPHA)
    reward: str = "reward"
    listed: int | None = REPORT_TOP


@public
def hack_scan(
    rows: Iterable[Any],
    endorsed: Sequence[str] = (),
    features: Extractors | None = None,
    auto: bool = True,
    top_k: int = DEFAULT_TOP_K,
    n_perm: int = DEFAULT_N_PERM,
    min_obs: int = DEFAULT_MIN_OBS,
    seeds: int = DEFAULT_SEEDS,
    reward: str = "reward",
    seed: int = 0,
    top_features: int | None = REPORT_TOP,
    alpha: float = ALPHA,
) -> HackScanReport:
    """Rank the features that separate reward within each ask, against chance: what would a grouped update learn?

    A grouped update (GRPO, Shao et al. 2024, arXiv:2402.03300) sees a rollout against the others of its ask, so the
    correlations that lead are within asks; `pooled`, over all rows, stands beside and mixes in how hard asks are.

    `reward` names the field of the score, 0/1 or partial credit. Features are reply length, tools, turns, truncation,
    trace flags, numeric markers and others (docs/scan.md has them all); `features` adds columns of one's own
    (`{name: function of a row}`); `auto` adds the `top_k` most common words and word pairs of the agent's text and
    the conjunctions of the `seeds` strongest 0/1 features. A feature needs `min_obs` rows where it is not 0.

    `tau` is the floor: the strongest |correlation| that `n_perm` shuffles of the reward within asks reach, at the
    `1 - alpha` quantile (`kernels.permutation.chance_floor`); conjunctions are chosen again for every shuffle, so
    that on rewards that are coin flips anything is above it in at most `alpha` of scans.

    Returns `regime` (train, reward_hack, pool_exhausted, no_signal, degenerate or unknown), the counts `n_rows`,
    `n_graded`, `n_groups`, `n_groups_multi`, `rollouts_per_group` (median), `effective_rollouts` (rows in asks whose
    rewards differ); `support`: shares of asks that all pass, all fail or are mixed, and `capacity`, the variance
    within asks over its most; `tau`, `n_perm`, `n_features`, `n_above_floor`; `features`, the `top_features` first of
    the ranking (`None`: all), each with `name`, `aliases`, `rho`, `pooled`, `n_obs`, `above_floor`, `endorsed`;
    `top_feature`, `rho_max`; `endorsed` (parts of feature names the reward is meant to follow), `endorsed_matched`,
    `endorsed_on_top`, `integrity` (share of the signal above the floor that is endorsed), `inverted` (endorsed, and
    paid against); `continuous_reward`; `degenerate`, `collinear` and `distinct_per_ask`: asks of too few distinct
    rollouts, where several features are one with the reward and none is named; `warnings`. Rows are not changed.
    Shuffles run over the rows as given: other orders give a floor that differs in the second decimal or so.

    >>> said = [("Rest assured, it ships.", 1), ("It ships.", 0)]
    >>> rows = [{"prompt": f"Order {i}?", "final_text": t, "reward": r} for i in range(20) for t, r in said * 4]
    >>> scan = hack_scan(rows, endorsed=["tool:lookup_order"])
    >>> scan["regime"], scan["features"][0]["name"], scan["features"][0]["rho"]
    ('unknown', 'contains:,', 1.0)
    """
    asked = Asked(
        endorsed=patterns_of(endorsed),
        extractors=_extractors(features),
        auto=auto,
        top_k=whole("top_k", top_k, 0),
        search=Search(
            min_obs=max(1, whole("min_obs", min_obs, 0)),
            n_seeds=whole("seeds", seeds, 0) if auto else 0,
            n_perm=whole("n_perm", n_perm, 0),
            seed=whole("seed", seed),
            alpha=between("alpha", alpha, 0, 1),
        ),
        reward=reward,
        listed=None if top_features is None else whole("top_features", top_features, 0),
    )
    return scan_of(RowTable(rows), asked)


def scan_of(table: RowTable, asked: Asked, acts: Callable[[Any], Acts] = acts_of) -> HackScanReport:
    """The report on a table; `acts` reads what the agent of a row did."""
    asks = Asks(table, asked.reward)
    found: list[Feature] = []
    tau, distinct = None, 0
    broken: dict[str, str] = {}
    search = asked.search
    if asks.rows:
        columns = read_features(
            asks, acts, asked.extractors, auto=asked.auto, top_k=asked.top_k, min_obs=search.min_obs
        )
        distinct, broken = columns.distinct_per_ask, columns.broken
        found, tau = measure(columns, asks, search)
    endorse(found, asked.endorsed)
    ranked = rank(found, within=tau is not None)
    values: dict[str, Any] = {
        "regime": "",
        "n_rows": len(table),
        **asks.counts(),
        "support": asks.support(),
        "tau": tau,
        "n_perm": search.n_perm,
        "features": [feature.item() for feature in ranked[: asked.listed]],
        "endorsed": asked.endorsed,
        "continuous_reward": not bool(np.isin(asks.rewards, (0.0, 1.0)).all()),
        "distinct_per_ask": distinct,
    }
    values |= read(values, ranked)
    values["regime"] = regime_of(values)
    values["warnings"] = [
        *asks.warnings(),
        *warnings_of(values, ranked, asked.reward, search.alpha),
        *broken_lines(broken, len(asks.rows)),
    ]
    return HackScanReport({key: values[key] for key in _KEYS})


_KEYS = (
    "regime", "n_rows", "n_graded", "n_groups", "n_groups_multi", "rollouts_per_group", "effective_rollouts", "support",
    "tau", "n_perm", "n_features", "n_above_floor", "features", "top_feature", "rho_max", "endorsed",
    "endorsed_matched", "endorsed_on_top", "integrity", "inverted", "continuous_reward", "degenerate", "collinear",
    "distinct_per_ask", "warnings",
)  # fmt: skip


def patterns_of(endorsed: Any) -> list[str]:
    """The patterns as a list: a bare string is one, empty ones are dropped."""
    if endorsed is not None and not isinstance(endorsed, Iterable):
        raise TypeError(f"endorsed must be a list of parts of feature names, got {endorsed!r:.80}")
    given = [endorsed] if isinstance(endorsed, str) else list(endorsed or ())
    for pattern in given:
        if not isinstance(pattern, str):
            raise TypeError(f"endorsed must hold parts of feature names, got {pattern!r:.80}")
    return [pattern for pattern in given if pattern]


def _extractors(features: Any) -> Extractors:
    if features is None:
        return {}
    if not isinstance(features, Mapping) or not all(
        isinstance(name, str) and callable(extract) for name, extract in features.items()
    ):
        raise TypeError(f"features must map names to functions of a row, got {features!r:.80}")
    return features
