"""What the caller asked for, checked and in one form; a refusal names the argument, the value and what is accepted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from whileai.simulations.defaults import (
    ALPHA,
    ANSWERED_GAP_POINTS,
    ANSWERED_P_MAX,
    BOOTSTRAP_DRAWS,
    CEILING_PASS_RATE,
    POWER,
)
from whileai.simulations.reports import printable
from whileai.simulations.rows.values import LARGEST
from whileai.simulations.score.stats.summary import MARKER, PASS

Row = Mapping[str, Any]
Value = TypeVar("Value")
By = str | Callable[[Any], Any] | bool | None
ARMS = ("before", "after")
_MOST_LISTED = 40  # metric names that a refusal lists


@dataclass(frozen=True)
class Thresholds:
    """The numeric arguments."""

    alpha: float = ALPHA
    power: float = POWER
    ceiling_pass_rate: float = CEILING_PASS_RATE
    answered_gap_points: float = ANSWERED_GAP_POINTS
    answered_alpha: float = ANSWERED_P_MAX
    n_boot: int = BOOTSTRAP_DRAWS
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("alpha", "power"):
            value = getattr(self, name)
            if not (_is_number(value) and 0 < value < 1):
                raise ValueError(f"{name} must lie strictly between 0 and 1, got {value!r}")
        if (1 + self.level) / 2 >= 1:
            raise ValueError(f"alpha is too small, 1 - alpha is 1 to a computer: 1e-15 will do, got {self.alpha!r}")
        for name in ("ceiling_pass_rate", "answered_gap_points", "answered_alpha"):
            value = getattr(self, name)
            if not (_is_number(value) and value >= 0):
                raise ValueError(f"{name} must be a number of at least 0, got {value!r}")
        for name, least in (("n_boot", 1), ("seed", 0)):
            check_count(name, getattr(self, name), least)

    @property
    def level(self) -> float:
        """Level of every interval."""
        return 1 - float(self.alpha)


def check_count(name: str, value: Any, least: int) -> None:
    """Refuse what is no whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, got {value!r}")


def metric_key(argument: str, name: Any) -> str:
    """A metric name in its one form: `pass_at_1`, `marker:x`, and a bare `x` as `marker:x`.

    >>> metric_key("target", "polite"), metric_key("target", "pass_at_1")
    ('marker:polite', 'pass_at_1')
    """
    if not isinstance(name, str) or not name:
        raise ValueError(f"{argument} takes metric names ({PASS!r}, 'marker:NAME' or a bare marker name), got {name!r}")
    return name if name == PASS or name.startswith(MARKER) else MARKER + name


def metric_keys(argument: str, names: Any) -> list[str]:
    """Metric names, each once, in order; a lone text is one name, None is none.

    >>> metric_keys("must_not_regress", "safe"), metric_keys("must_not_regress", ["a", "marker:a"])
    (['marker:safe'], ['marker:a'])
    """
    if names is None:
        return []
    if not isinstance(names, str) and not isinstance(names, Iterable):
        raise ValueError(f"{argument} must be a list of metric names, got {names!r}")
    held = [names] if isinstance(names, str) else list(names)
    return list(dict.fromkeys(metric_key(argument, name) for name in held))


def floors_given(run_std: Any, run_std_runs: int | None) -> Mapping[str, float | None] | float | None:
    """The given re-run floor, checked: one number, or numbers by metric key."""
    if run_std_runs is not None:
        if run_std is None:
            raise ValueError(f"run_std_runs={run_std_runs!r} says how many re-runs run_std came from: give run_std too")
        check_count("run_std_runs", run_std_runs, 2)
    if isinstance(run_std, Mapping):
        if not run_std:
            raise ValueError("run_std is an empty mapping: give a deviation by metric, one number for all, or None")
        return _by_key("run_std", {name: _floor(f"run_std[{name!r}]", value) for name, value in run_std.items()})
    return _floor("run_std", run_std)


def _floor(name: str, value: Any) -> float | None:
    if value is None:
        return None
    if not (_is_number(value) and value >= 0):
        raise ValueError(f"{name} must be a standard deviation from 0 to {LARGEST:g} (or None), got {value!r}")
    return float(value)


def _by_key(argument: str, given: Mapping[Any, Value]) -> dict[str, Value]:
    """The values by metric key; two names of one metric are refused, since either value could be meant."""
    found: dict[str, Value] = {}
    names: dict[str, Any] = {}
    for name, value in given.items():
        key = metric_key(argument, name)
        if key in found:
            raise ValueError(f"{argument} names {key!r} twice, as {names[key]!r} and as {name!r}: give it once")
        found[key], names[key] = value, name
    return found


def check_compared(argument: str, names: Iterable[str], compared: Iterable[str]) -> None:
    """Refuse the name of a metric that is not compared."""
    held = list(compared)
    for name in names:
        if name not in held:
            more = f" and {len(held) - _MOST_LISTED} more" if len(held) > _MOST_LISTED else ""
            these = ", ".join(map(printable, held[:_MOST_LISTED])) + more
            raise ValueError(f"{argument} names {name!r}, which is not compared; these are: {these}")


def directions_given(lower_is_better: Any) -> dict[str, bool]:
    """Metric key to whether the caller says that lower is better."""
    if isinstance(lower_is_better, Mapping):
        for name, value in lower_is_better.items():
            if not isinstance(value, bool | np.bool_):
                raise ValueError(f"lower_is_better[{name!r}] must be True or False, got {value!r}")
        return _by_key("lower_is_better", {name: bool(value) for name, value in lower_is_better.items()})
    return dict.fromkeys(metric_keys("lower_is_better", lower_is_better), True)


def by_given(by: Any) -> By:
    """The grouping, checked: a row key or marker name, a callable, a bool, or None."""
    if by is None or isinstance(by, bool) or callable(by) or (isinstance(by, str) and by):
        return by  # type: ignore[no-any-return]
    raise ValueError(f"by must be a row key, a marker name, a callable row -> group, True or False, got {by!r}")


def row_sets_given(train_runs: Any) -> dict[str, list[Any] | None] | None:
    """The row sets of each arm (None: untrained), checked for shape but not read."""
    if train_runs is None:
        return None
    if isinstance(train_runs, Mapping):
        if set(train_runs) != set(ARMS):
            raise ValueError(f"train_runs must have exactly the keys 'before' and 'after', got {list(train_runs)!r}")
        arms = {arm: _row_sets(f"train_runs[{arm!r}]", train_runs[arm]) for arm in ARMS}
    else:
        arms = {"before": None, "after": _row_sets("train_runs", train_runs)}
    if arms["before"] is None and arms["after"] is None:
        raise ValueError("train_runs has no trained arm: give the row sets of one, or leave train_runs out")
    return arms


def _row_sets(name: str, sets: Any) -> list[Any] | None:
    if sets is None:
        return None
    held = _listed(sets)
    if held is None:
        raise ValueError(f"{name} must be a list of row sets, one a training seed, got {type(sets).__name__}")
    if not held:
        raise ValueError(f"{name} is an empty list: give one row set a training seed, or None for an untrained arm")
    for position, rows in enumerate(held):
        if isinstance(rows, Mapping):
            raise ValueError(f"{name} is a list of rows: wrap the rows of each training seed in a list of their own")
        if isinstance(rows, str | bytes) or not isinstance(rows, Iterable):
            raise ValueError(f"{name}[{position}] must be the rows of one training seed, got {type(rows).__name__}")
    return held


def _listed(sets: Any) -> list[Any] | None:
    return None if isinstance(sets, str | bytes | Mapping) or not isinstance(sets, Iterable) else list(sets)


def _is_number(value: Any) -> bool:
    known = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    return known and bool(abs(value) <= LARGEST)


@dataclass(frozen=True)
class Asked:
    """Every argument but the rows, checked and in one form."""

    target: str | None
    proxy: str | None
    guards: list[str]
    markers: list[str] | None
    directions: Mapping[str, bool]
    by: By
    floors: Mapping[str, float | None] | float | None
    run_std_runs: int | None
    row_sets: Mapping[str, list[Any] | None] | None
    balanced: bool
    thresholds: Thresholds
