"""What `simulate` was asked for, checked and resolved: sizes by mode, second spellings, bounds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from whileai.simulations.arguments import between, whole
from whileai.simulations.defaults import (
    RL_ROLLOUTS_PER_PROMPT,
    SFT_COMPLETIONS_PER_PROMPT,
    SFT_PHRASINGS_PER_SITUATION,
)
from whileai.simulations.errors import meant
from whileai.simulations.score.checklist.vocabulary import Stance

HARD_SHARE = 0.40  # share of hard asks; dimensions.md, the mix of generated situations
FAULT_RATE = 0.5  # share of fault cells that keep their fault; convention
FAULT_RATE_RL = 0.8  # the same under mode="rl"; convention
TEMPERATURE = 0.8  # sampling temperature of an agent that is a model; convention
AVG_TURNS = 12  # messages of a conversation; convention
MAX_TOKENS = 1024  # tokens of one reply of an agent that is a model; convention
MAX_CALLS = 64  # tool calls of one rollout; convention
_LONGEST = 1e9  # seconds

AXES = ("tool", "rule", "stance", "world_state", "tool_condition", "history")
POLICIES = ("none", "adaptive", "successive", "fixed")
PATIENCE = ("normal", "short", "endless")
_SIZES = {  # mode: phrasings a situation, rollouts a phrasing, how repeats are spent
    "explore": (1, 1, "none"),
    "sft": (SFT_PHRASINGS_PER_SITUATION, SFT_COMPLETIONS_PER_PROMPT, "adaptive"),
    "rl": (1, RL_ROLLOUTS_PER_PROMPT, "successive"),
    "adaptive": (1, RL_ROLLOUTS_PER_PROMPT, "adaptive"),
}
MODES = tuple(_SIZES)
_OF_THE_RUN = frozenset(
    (
        "budget",
        "time_budget",
        "situations",
        "repeat_policy",
        "concurrency",
        "unique_situations",
        "reproducible",
        "timeout",
    )
)


@dataclass(frozen=True, slots=True)
class Knobs:
    """The resolved settings of one run: what its report lists and what its rows follow from."""

    mode: str
    budget: int | None
    time_budget: float | None
    situations: int | None
    phrasings: int
    repeats: int
    repeats_given: bool
    repeat_policy: str
    runs: int | None
    seed: int
    hard_share: float
    fault_rate: float
    fault_rate_given: bool
    concurrency: int
    temperature: float
    avg_turns: int
    max_turns: int
    timeout: float | None
    sampling: dict[str, Any]
    logprobs: bool
    patience: str
    unique_situations: bool
    reproducible: bool
    dimensions: dict[str, list[str]] | None
    max_tokens: int
    max_calls: int

    def resolved(self) -> dict[str, Any]:
        """The settings by name, as a report lists them."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if not name.endswith("_given")}

    def identity(self) -> dict[str, Any]:
        """The settings that one rollout follows from: not how many there are, nor how they are run."""
        return {name: value for name, value in self.resolved().items() if name not in _OF_THE_RUN}


def resolve(given: Mapping[str, Any]) -> Knobs:
    """The settings that the keywords of `simulate` name; a `ValueError` names the keyword, the value and the bounds."""
    mode = _one_of("mode", given["mode"], MODES)
    phrasings, repeats, policy = _SIZES[mode]
    for spelling in ("repeats", "rollouts_per_request", "phrasings", "requests_per_situation"):
        _whole_or_none(spelling, given[spelling], 1)
    asked = same_value("repeats", given["repeats"], "rollouts_per_request", given["rollouts_per_request"])
    worded = same_value("phrasings", given["phrasings"], "requests_per_situation", given["requests_per_situation"])
    policy = _policy(given["repeat_policy"], policy, asked)
    if policy == "none":
        if asked is not None and asked != 1:
            raise ValueError(f'repeat_policy="none" asks once, but repeats={asked!r}: use repeat_policy="fixed"')
        repeats = 1
    advanced = _advanced(given["advanced"])
    fault_rate = given["fault_rate"]
    avg_turns = whole("avg_turns", given["avg_turns"], 1)
    seconds = None if given["time_budget"] is None else between("time_budget", given["time_budget"], 0, _LONGEST)
    return Knobs(
        mode=mode,
        budget=_whole_or_none("budget", given["budget"], 0),
        time_budget=seconds,
        situations=_whole_or_none("situations", given["situations"], 1),
        phrasings=phrasings if worded is None else int(worded),
        repeats=repeats if asked is None else int(asked),
        repeats_given=asked is not None,
        repeat_policy=policy,
        runs=_whole_or_none("runs", given["runs"], 1),
        seed=whole("seed", given["seed"]),
        hard_share=between("hard_share", given["hard_share"], 0, 1),
        fault_rate=(FAULT_RATE_RL if mode == "rl" else FAULT_RATE)
        if fault_rate is None
        else between("fault_rate", fault_rate, 0, 1),
        fault_rate_given=fault_rate is not None,
        concurrency=whole("concurrency", given["concurrency"], 1),
        temperature=between("temperature", given["temperature"], 0, 2),
        avg_turns=avg_turns,
        max_turns=2 * avg_turns if given["max_turns"] is None else whole("max_turns", given["max_turns"], 1),
        timeout=None if given["timeout"] is None else _above_zero("timeout", given["timeout"]),
        sampling=_sampling(given["sampling"]),
        logprobs=_flag("logprobs", given["logprobs"]),
        patience=_one_of("patience", given["patience"], PATIENCE),
        unique_situations=_flag("unique_situations", given["unique_situations"]),
        reproducible=_reproducible(given["reproducible"], seconds),
        dimensions=_dimensions(
            same_value("dimensions", given["dimensions"], "advanced['dimensions']", advanced["dimensions"])
        ),
        max_tokens=advanced["max_tokens"],
        max_calls=advanced["max_calls"],
    )


def refuse_unknown(unknown: Mapping[str, Any], known: Sequence[str]) -> None:
    """A `TypeError` for a keyword that `simulate` does not have, with the one that was most likely meant."""
    for name in unknown:
        hint = meant(name, known) or f": its keywords are {', '.join(known)}"
        raise TypeError(f"simulate() has no keyword {name!r}{hint}")


def same_value(first: str, value: Any, second: str, other: Any) -> Any:
    """What two spellings of one keyword say, None for nothing; different values are a `ValueError`."""
    if value is not None and other is not None and value != other:
        raise ValueError(f"{first}={value!r} and {second}={other!r} are two spellings of one setting: give one of them")
    return other if value is None else value


def _one_of(name: str, value: Any, choices: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, got {value!r}{meant(value, choices)}")
    return value


def _policy(given: Any, by_mode: str, repeats: Any) -> str:
    if given is not None:
        return _one_of("repeat_policy", given, POLICIES)
    return "fixed" if by_mode == "none" and repeats is not None else by_mode


def _whole_or_none(name: str, value: Any, least: int) -> int | None:
    return None if value is None else whole(name, value, least)


def _above_zero(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise ValueError(f"{name} must be a number of seconds above 0, got {value!r}")
    return float(value)


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be True or False, got {value!r}")
    return value


def _reproducible(value: Any, time_budget: float | None) -> bool:
    """Whether the same call gives the same rows: not where a clock ends it."""
    if value is None:
        return time_budget is None
    if _flag("reproducible", value) and time_budget is not None:
        raise ValueError(
            "reproducible=True and time_budget exclude each other: a clock ends a run anywhere; use budget="
        )
    return bool(value)


def _sampling(value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise ValueError(f"sampling must be a dict such as {{'top_p': 0.9, 'max_tokens': 512}}, got {value!r}")
    return dict(value)


def _dimensions(value: Any) -> dict[str, list[str]] | None:
    if value is None:
        return None
    if not isinstance(value, Mapping) or not value:
        raise ValueError(f"dimensions must be a non-empty dict of axis to a non-empty list of values, got {value!r}")
    for axis, values in value.items():
        if axis not in AXES:
            raise ValueError(f"dimensions names the axis {axis!r}; the axes are {', '.join(AXES)}{meant(axis, AXES)}")
        if not isinstance(values, list | tuple) or not values or not all(isinstance(text, str) for text in values):
            raise ValueError(f"dimensions must give a non-empty list of texts for {axis!r}, got {values!r}")
    stances = [stance.value for stance in Stance]
    for stance in value.get("stance", ()):
        if stance not in stances:
            raise ValueError(
                f"dimensions names the stance {stance!r}; the stances are {', '.join(stances)}{meant(stance, stances)}"
            )
    return {axis: list(values) for axis, values in value.items()}


def _advanced(value: Any) -> dict[str, Any]:
    """The knobs under `advanced`, all of them, each within its bounds."""
    found: dict[str, Any] = {"dimensions": None, "max_tokens": MAX_TOKENS, "max_calls": MAX_CALLS}
    if value is not None and not isinstance(value, Mapping):
        raise ValueError(f"advanced must be a dict of {', '.join(found)}, got {value!r}")
    for name, setting in (value or {}).items():
        if name not in found:
            raise ValueError(f"advanced has no knob {name!r}: it takes {', '.join(found)}{meant(name, found)}")
        found[name] = setting if name == "dimensions" else whole(f"advanced[{name!r}]", setting, 1)
    return found
