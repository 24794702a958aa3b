"""What a ranking means: the regime, how much of the signal is endorsed, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from whileai.simulations.defaults import DEGENERATE_RHO, MIN_DISTINCT_PER_ASK, RL_ROLLOUTS_PER_PROMPT, ROLLOUTS_PER_TASK
from whileai.simulations.reports import counted, out_of, printable
from whileai.simulations.score.hack_scan.features import Feature

REGIMES = ("train", "reward_hack", "pool_exhausted", "no_signal", "degenerate", "unknown")
SAT_FLAG = 0.2  # share of asks that always pass, strictly above; top of the band where a grouped update has signal
RIVAL_SHARE = 0.2  # share of the signal on rivals above which they are named; convention
_NAMED = 3  # features a warning names
_CHARS = 60  # characters of a name in a warning


def rank(features: list[Feature], *, within: bool) -> list[Feature]:
    """By |rho| (|pooled| when nothing is known within asks); on a tie endorsed and positive first, then by name."""

    def key(feature: Feature) -> tuple[float, bool, str]:
        value = feature.rho if within else feature.pooled
        return -abs(value), not (feature.endorsed and value > 0), feature.name

    return sorted(features, key=key)


def endorse(features: list[Feature], patterns: Sequence[str]) -> int:
    """Mark the features a pattern is part of a name of, any case; returns how many there are."""
    wanted = [pattern.lower() for pattern in patterns]
    for feature in features:
        names = [name.lower() for name in feature.names]
        feature.endorsed = any(pattern in name for pattern in wanted for name in names)
    return sum(feature.endorsed for feature in features)


def integrity_of(features: list[Feature]) -> float:
    """The strongest endorsed and positive feature above the floor, over itself and the strongest other one."""
    above = [feature for feature in features if feature.above_floor]
    meant = max((feature.rho for feature in above if feature.endorsed), default=0.0)
    other = max((abs(feature.rho) for feature in above if not feature.endorsed), default=0.0)
    meant = max(meant, 0.0)
    return round(meant / (meant + other), 4) if meant + other else 0.0


def read(values: Mapping[str, Any], ranked: list[Feature]) -> dict[str, Any]:
    """The keys of the report that follow from the ranking: `values` holds its counts, `tau` and `endorsed`."""
    known = values["tau"] is not None
    collinear = [feature.name for feature in ranked if known and abs(feature.rho) >= DEGENERATE_RHO]
    degenerate = len(collinear) > 1 and values["distinct_per_ask"] < MIN_DISTINCT_PER_ASK
    matched = sum(feature.endorsed for feature in ranked)
    judged = known and bool(values["endorsed"]) and matched > 0 and not degenerate
    top = ranked[0] if ranked and known else None
    return {
        "n_features": len(ranked),
        "n_above_floor": sum(feature.above_floor for feature in ranked),
        "top_feature": None if top is None or degenerate else top.name,
        "rho_max": 0.0 if top is None else abs(top.rho),
        "endorsed_matched": matched,
        "endorsed_on_top": _meant(ranked[0]) if judged else None,
        "integrity": integrity_of(ranked) if judged else None,
        "inverted": [f.name for f in ranked if f.above_floor and f.endorsed and f.rho < 0 and not degenerate],
        "degenerate": degenerate,
        "collinear": collinear,
    }


def regime_of(values: Mapping[str, Any]) -> str:
    """The first of the regimes that applies; `values` holds every other key of the report."""
    if values["tau"] is None or (values["endorsed"] and not values["endorsed_matched"]):
        return "unknown"
    if values["degenerate"]:
        return "degenerate"
    if not values["n_above_floor"]:
        return "no_signal"
    if values["endorsed_on_top"] is False:
        return "reward_hack"
    return "pool_exhausted" if values["support"]["sat"] > SAT_FLAG else "train"


def warnings_of(values: Mapping[str, Any], ranked: list[Feature], reward: str, alpha: float) -> list[str]:
    """What is wrong and what to do about it, a sentence each."""
    if not values["n_graded"]:
        return [
            f"no row has a graded score in {printable(reward)!r} (a boolean is none): grade the rows, or name their "
            "field with reward="
        ]
    if values["tau"] is None:
        return [_no_repeats(values)]
    found = [_of_regime(values, ranked), *_of_ranking(values, ranked), *_of_sampling(values, alpha)]
    return [sentence for sentence in found if sentence]


def broken_lines(broken: Mapping[str, str], n: int) -> Iterator[str]:
    """Columns of one's own that raised on every one of `n` rows.

    >>> list(broken_lines({"calm": "KeyError: 'reply'"}, 40))
    ["features: calm raised on 40 of 40 rows, so it was not looked at: KeyError: 'reply'"]
    """
    for name, said in broken.items():
        yield (
            f"features: {printable(name, _CHARS)} raised on {n:,} of {counted(n, 'row')}, so it was not looked at: "
            f"{printable(said, 200)}"
        )


def _no_repeats(values: Mapping[str, Any]) -> str:
    if values["n_groups_multi"]:
        why, fix = "no ask with two graded rollouts has rewards that differ", _ALL_AGREE
        fix = fix if values["rollouts_per_group"] >= RL_ROLLOUTS_PER_PROMPT else f"{_REPEATS}, or {fix}"
    else:
        why, fix = "every ask has one graded rollout", _REPEATS
    return (
        f"{why}, so nothing can be read within an ask and the pooled correlations mix in how hard the asks are: {fix}"
    )


_REPEATS = f"grade repeats, {RL_ROLLOUTS_PER_PROMPT} rollouts an ask"
_ALL_AGREE = "check that the grader can tell a pass from a failure, or take asks that the policy solves at times"


def _of_regime(values: Mapping[str, Any], ranked: list[Feature]) -> str:
    regime = values["regime"]
    if regime == "unknown":
        patterns = ", ".join(repr(printable(pattern, _CHARS)) for pattern in values["endorsed"])
        return (
            f"endorsed matches no feature: {patterns}; a pattern is part of a name such as tool:NAME, marker:NAME or "
            "contains:WORDS, and a feature needs min_obs rows"
        )
    if regime == "degenerate":
        return (
            f"an ask has {values['distinct_per_ask']} distinct rollouts at the median and {len(values['collinear'])} "
            "features go with the reward exactly, so none can be told from another: sample more varied rollouts"
        )
    if regime == "no_signal" and not ranked:
        return "no feature varies and is on min_obs rows: lower min_obs, or add columns of your own with features="
    if regime == "no_signal":
        return (
            f"no feature is above the floor of {values['tau']:.3f}: the reward follows nothing seen here, or there are "
            "too few rows to see it; add rollouts, or name what it should follow with features="
        )
    if regime == "reward_hack":
        return _hack(ranked)
    if regime == "pool_exhausted":
        n = values["n_groups"]
        return (
            f"{out_of(round(values['support']['sat'] * n), n, 'ask')} passed every time, which teaches nothing: "
            "retire such asks or draw harder ones"
        )
    return ""


def _hack(ranked: list[Feature]) -> str:
    top = ranked[0]
    if top.endorsed:
        return f"the reward pays against {_shown(top)}, which is endorsed: mend the grader before training on it"
    best = next(feature for feature in ranked if feature.endorsed)
    return (
        f"the reward follows {_shown(top)} more than anything endorsed (best: {_shown(best)}): a grouped update will "
        "learn that; mend the grader, or endorse it if it is meant"
    )


def _of_ranking(values: Mapping[str, Any], ranked: list[Feature]) -> Iterator[str]:
    if values["degenerate"] or values["regime"] == "unknown":
        return
    top = ranked[:1] if values["regime"] == "reward_hack" else []
    inverted = [f for f in ranked if f.above_floor and f.endorsed and f.rho < 0 and f not in top]
    if inverted:
        yield f"endorsed, and the reward pays against it: {_listed(inverted)}"
    rivals = [f for f in ranked if f.above_floor and not f.endorsed and f not in top]
    if rivals and values["integrity"] is not None and values["integrity"] < 1 - RIVAL_SHARE:
        yield f"not endorsed, and above the floor: {_listed(rivals)}"
    if flipped := [f for f in ranked if f.above_floor and sign_flips(f.rho, f.pooled, values["n_graded"])]:
        pooled = f"{flipped[0].pooled:+.2f}"
        yield (
            f"the sign flips between within-ask and pooled (there {pooled}) for {_listed(flipped)}: pooled mixes in "
            "how hard the asks are; a grouped update follows the within-ask sign"
        )


def sign_flips(rho: float, pooled: float, n: int) -> bool:
    """Whether the pooled correlation points the other way, by more than twice its standard error.

    >>> sign_flips(0.4, -0.3, 100), sign_flips(0.4, -0.1, 100)
    (True, False)
    """
    return rho * pooled < 0 and abs(pooled) * n**0.5 > 2


def _of_sampling(values: Mapping[str, Any], alpha: float) -> Iterator[str]:
    k = values["rollouts_per_group"]
    if k < ROLLOUTS_PER_TASK:
        yield (f"{k} rollouts an ask say little of what differs within it: scan again at {RL_ROLLOUTS_PER_PROMPT}")
    shuffles = max(1, values["n_perm"])
    if alpha > 0 and (shuffles + 1) * alpha < 1 - 1e-9:
        yield (
            f"with n_perm={values['n_perm']} chance clears the floor in 1 of {shuffles + 1} scans, not at "
            f"alpha={alpha:g}: take more shuffles"
        )


def _listed(features: list[Feature]) -> str:
    more = f" and {len(features) - _NAMED} more" if len(features) > _NAMED else ""
    return ", ".join(map(_shown, features[:_NAMED])) + more


def _shown(feature: Feature) -> str:
    alias = telling_alias(feature.aliases)
    same = f" = {printable(alias, _CHARS)}" if alias else ""
    return f"{printable(feature.name, _CHARS)}{same} ({feature.rho:+.2f})"


def telling_alias(aliases: Sequence[str]) -> str:
    """The longest of the other names a feature goes by: of a phrase it says most; `""` without any.

    >>> telling_alias(["contains:assured", "contains:rest assured"])
    'contains:rest assured'
    """
    return max(aliases, key=len, default="")


def _meant(feature: Feature) -> bool:
    return feature.endorsed and feature.rho > 0
