"""Whether the two sides can be compared at all: the causes that stand against it, and what is only worth a warning."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scipy.special import ndtr

from whileai.simulations.score.delta.arguments import Thresholds
from whileai.simulations.score.delta.metrics import Entry
from whileai.simulations.score.delta.sides import Side
from whileai.simulations.score.stats.compare import UNPAIRED_MAJORITY_SHARE

# writers that are no model: nothing there could have moved with the weights
_OFFLINE_WRITERS = frozenset({"seed", "template", "callable-writer", "pinned"})
Config = Mapping[str, Any]


@dataclass(frozen=True)
class Gap:
    """A quantity that may explain the delta away: its size, the bar it is held against, and what it amounts to."""

    size: float
    bar: float | None
    is_cause: bool
    is_over_bar: bool
    p_value: float | None = None


def causes(passes: Entry, configs: Mapping[str, Config], selection: Gap | None, answered: Gap | None) -> list[str]:
    """The causes, in their fixed order."""
    found = {
        "situations": _other_situations(passes),
        "prompt_hash": _differ(configs, "prompt_hash"),
        "graded_share": selection is not None and selection.is_cause,
        "answered": answered is not None and answered.is_cause,
        "user_model": _differ(configs, "user_model"),
        "writer_model": _differ(configs, "writer_model"),
    }
    return [cause for cause, holds in found.items() if holds]


def _other_situations(passes: Entry) -> bool:
    share = passes["paired_share"]
    return share is not None and share < UNPAIRED_MAJORITY_SHARE and passes["n_only_a"] + passes["n_only_b"] > 0


def _differ(configs: Mapping[str, Config], key: str) -> bool:
    stated = [configs[side][key] for side in ("before", "after")]
    if None in stated:
        return False
    if key == "writer_model":
        stated = ["" if writer in _OFFLINE_WRITERS else writer for writer in stated]
    return bool(stated[0] != stated[1])


def differing(configs: Mapping[str, Config], keys: tuple[str, ...]) -> list[str]:
    """The settings of `keys` that both sides state and that differ."""
    return [key for key in keys if _differ(configs, key)]


def noise_bar(entry: Entry) -> float | None:
    """What a bias is held against: the headline band, else half the width of the headline interval."""
    if entry["noise_band"] is not None:
        return float(entry["noise_band"])
    return None if entry["ci95"] is None else (entry["ci95"][1] - entry["ci95"][0]) / 2


def selection_bound(configs: Mapping[str, Config]) -> float | None:
    """How far ungraded rows could move a difference of rates: the sum over sides of d / (1 - d), d the share ungraded.

    >>> round(selection_bound({"before": {"graded_share": 0.8}, "after": {"graded_share": 1.0}}), 3)
    0.25
    """
    shares = [configs[side]["graded_share"] for side in ("before", "after")]
    known = [share for share in shares if share is not None]
    if not known:
        return None
    return float(sum(1.0 if share == 0 else (1 - share) / share for share in known))


def selection_gap(configs: Mapping[str, Config], headline: Entry) -> Gap | None:
    """The selection bound against the noise bar; None without a bound, a bar or a delta."""
    bound, bar = selection_bound(configs), noise_bar(headline)
    if bound is None or bar is None or headline["delta"] is None:
        return None
    over = bound > bar
    return Gap(bound, bar, is_cause=over and bound >= abs(headline["delta"]), is_over_bar=over)


def answered_gap(before: Side, after: Side, headline: Entry, asked: Thresholds) -> Gap | None:
    """The gap of answered shares when a pooled two-proportion z test finds one; else None."""
    counts = [side.settings.answered() for side in (before, after)]
    p_value = proportions_p(*counts)
    if p_value is None or p_value >= asked.answered_alpha:
        return None
    gap = abs(counts[0][0] / counts[0][1] - counts[1][0] / counts[1][1])
    bar = headline["noise_band"] if headline["noise_band"] is not None else asked.answered_gap_points
    return Gap(gap, bar, is_cause=gap > bar, is_over_bar=gap > bar, p_value=p_value)


def proportions_p(a: tuple[int, int], b: tuple[int, int]) -> float | None:
    """Two-sided p of the pooled two-proportion z test on `(hits, n)`; None where it is undefined.

    >>> round(proportions_p((40, 80), (60, 80)), 4), proportions_p((80, 80), (80, 80))
    (0.0011, None)
    """
    if not a[1] or not b[1]:
        return None
    pooled = (a[0] + b[0]) / (a[1] + b[1])
    if pooled in (0.0, 1.0):
        return None
    error = math.sqrt(pooled * (1 - pooled) * (1 / a[1] + 1 / b[1]))
    return float(2 * ndtr(-abs(a[0] / a[1] - b[0] / b[1]) / error))


def served_by_agent(configs: Mapping[str, Config]) -> list[str]:
    """Of user and writer, those that are the agent's own served name while its stamp changed only after the `@`."""
    stamps = [configs[side]["policy_version"] for side in ("before", "after")]
    if None in stamps or stamps[0] == stamps[1]:
        return []
    names = {str(stamp).partition("@")[0] for stamp in stamps}
    if len(names) != 1:
        return []
    models = ("user_model", "writer_model")
    return [key for key in models if any(configs[side][key] in names for side in ("before", "after"))]
