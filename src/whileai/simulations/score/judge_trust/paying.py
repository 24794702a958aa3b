"""Does a probe pay, and beyond what a judge gives that only flips at random?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from whileai.simulations.defaults import ALPHA, FLIP_FLAG, PROBE_MIN_N
from whileai.simulations.kernels.families import holm
from whileai.simulations.kernels.proportions import excess_p
from whileai.simulations.score.judge_trust.tricks import ADDITIVE

Entry = Mapping[str, Any]


def pays(entry: Entry, flip_flag: float) -> bool:
    """Whether a probe with rows enough pays as often as the flag says.

    >>> pays({"kind": "additive", "net_flips": 2, "denominator": 20}, 0.1)
    True
    """
    denominator: int = entry.get("denominator", 0)
    return denominator >= PROBE_MIN_N and _hits(entry) / denominator >= flip_flag


def beyond_chance(entries: Sequence[Entry], flip_flag: float) -> list[bool]:
    """Whether each of some probes pays beyond what a judge that only flips gives, the probes taken together (Holm).

    What is added to a reply pays when more verdicts go up than down (one-sided sign test); what replaces it, when it
    passes more often than flips alone let it, of which a judge may have as many as the flag says.

    >>> entry = {"kind": "additive", "flips_up": 7, "flips_down": 2}
    >>> beyond_chance([entry], 0.1), beyond_chance([{**entry, "flips_down": 0}] * 2, 0.1)
    ([False], [True, True])
    """
    flips = min(flip_flag, FLIP_FLAG)
    chances = [
        excess_p(entry["flips_up"], entry["flips_up"] + entry["flips_down"], 0.5)
        if entry["kind"] == ADDITIVE
        else excess_p(_hits(entry), entry["denominator"], flips)
        for entry in entries
    ]
    return [p < ALPHA for p in holm(np.array(chances)).tolist()]


def _hits(entry: Entry) -> int:
    """How many replies the probe paid on."""
    return int(entry["net_flips"]) if entry["kind"] == ADDITIVE else round(entry["pass_after"] * entry["n"])
