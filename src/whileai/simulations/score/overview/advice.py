"""What a reader must know before the numbers, and what is missing to say more; each sentence says what to do."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.defaults import CI_LEVEL, DIFFICULTY_BAND, DIFFICULTY_BAND_ROLLOUTS, ROLLOUTS_PER_TASK
from whileai.simulations.kernels.intervals import MIN_VALUES, unit_mean_interval
from whileai.simulations.reports import counted, out_of
from whileai.simulations.score.passnotes import one_value_note

Floats = NDArray[np.float64]
Values = dict[str, Any]
WANTED_HALF_WIDTH = 0.05
_MOST_TASKS = 1_000_000


def warnings(values: Values) -> list[str]:
    """What a reader must know before the rates."""
    return _said(values, [_unanimous, _few_labels, _cut, _unspoken, _mixed])


def missing(values: Values, rates: Floats, rollouts: float) -> list[str]:
    """What is missing to say more, from the rates of the tasks and the harmonic mean of their rollouts."""
    said = _said(values, [_ungraded, _no_labels, _few_rollouts, _few_tasks])
    said.append(_wide(values, rates, rollouts))
    said += _said(values, [_coarse, _uneven, _no_markers])
    return [sentence for sentence in said if sentence]


def _said(values: Values, rules: list[Callable[[Values], str]]) -> list[str]:
    return [sentence for rule in rules if (sentence := rule(values))]


def _unanimous(values: Values) -> str:
    least, most, n = values["reward"]["least"], values["reward"]["most"], values["graded"]
    return one_value_note(n, least, most)


def _few_labels(values: Values) -> str:
    partial, graded = values["partial"], values["graded"]
    if not partial or values["reward"]["least"] == values["reward"]["most"]:
        return ""
    if values["reward"]["minus_or_plus_one"]:
        return "rewards are -1 and 1: write 0 for -1, pass rates count 0 and 1 only"
    rest = out_of(graded - partial, graded, "graded row")
    return (
        f"pass rates rest on {rest} with a reward of 0 or 1; {counted(partial, 'reward')} "
        "partial or out of range, counted in the mean reward only"
    )


def _cut(values: Values) -> str:
    share = values["pass_at"]["config"]["truncated_share"]
    return (
        f"{share:.0%} of rows were cut by the token cap: raise max_tokens, or read the rates as a lower bound"
        if share
        else ""
    )


def _unspoken(values: Values) -> str:
    config = values["pass_at"]["config"]
    if config["answered_share"] is None or config["answered_share"] == 1:
        return ""
    think = config["unclosed_think_share"]
    cause = f", {think:.0%} end inside an open <think>" if think else ""
    return f"{1 - config['answered_share']:.0%} of rows have no spoken reply{cause}"


def _mixed(values: Values) -> str:
    mixed = values["pass_at"]["config"]["mixed"]
    return f"the rows disagree on {', '.join(mixed)}: rates pool them, split the rows to compare" if mixed else ""


def _ungraded(values: Values) -> str:
    if not values["ungraded"]:
        return ""
    fixes = [entry["fix"] for entry in values["ungraded_fixes"]]
    n = values["ungraded"]
    return f"{out_of(n, values['rows'], 'row', 'are')} ungraded and in no rate: {'; '.join(fixes)}"


def _no_labels(values: Values) -> str:
    if values["pass_at"]["n_rows"] or not values["graded"]:
        return ""
    return "no reward is exactly 0 or 1, so there is no pass rate: grade with 0/1, or threshold the reward yourself"


def _few_rollouts(values: Values) -> str:
    if not values["pass_at"]["n_rows"]:
        return ""
    most = int(values["difficulty"]["rollouts"]["max"])
    if values["k_way"]:
        beyond = [f"pass^{draw['k']} or pass@{draw['k']}" for draw in values["k_way"] if not draw["n_tasks"]]
        return f"no {', '.join(beyond)}: no task has so many graded rollouts ({most} at most)" if beyond else ""
    return (
        f"no pass^k or pass@k: most tasks have fewer than {ROLLOUTS_PER_TASK} rollouts with a 0/1 reward ({most} at "
        f"most), run each at least {ROLLOUTS_PER_TASK} times"
    )


def _few_tasks(values: Values) -> str:
    n = values["pass_at"]["n_groups"]
    if not 0 < n < MIN_VALUES:
        return ""
    return (
        f"no interval on pass@1: {counted(n, 'task')}, {MIN_VALUES} needed: add tasks, or give each row its own "
        "task_id when the rows are separate items"
    )


def _wide(values: Values, rates: Floats, rollouts: float) -> str:
    ends = values["pass_at"]["ci95"]
    if ends is None or (half := (ends[1] - ends[0]) / 2) <= WANTED_HALF_WIDTH:
        return ""
    need = tasks_for_half_width(rates, rollouts, WANTED_HALF_WIDTH)
    more = f"; about {need:,} tasks like these would give ±{WANTED_HALF_WIDTH:.2f}" if need else ""
    return f"pass@1 is known to about ±{half:.2f}{more}"


def tasks_for_half_width(rates: Floats, rollouts: float, half_width: float) -> int | None:
    """How many tasks like these bring the interval on their mean to this half-width, rounded up to two digits.

    The interval of these tasks met again and again is worked out, since it shrinks faster than by the root near 0
    and 1. None beyond a million tasks.

    >>> tasks_for_half_width(np.ones(10), 4, 0.05)
    40
    """
    few, many = 1, 1
    while not _narrow(rates, many, rollouts, half_width):
        few, many = many, 2 * many
        if many * rates.size > _MOST_TASKS:
            return None
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if _narrow(rates, middle, rollouts, half_width) else (middle, many)
    need = many * int(rates.size)
    unit: int = 10 ** max(0, len(str(need)) - 2)
    return math.ceil(need / unit) * unit


def _narrow(rates: Floats, times: int, rollouts: float, half_width: float) -> bool:
    found = unit_mean_interval(np.tile(rates, times), rollouts, CI_LEVEL)
    return found is not None and (found.high - found.low) / 2 <= half_width


def _coarse(values: Values) -> str:
    rollouts = values["difficulty"]["rollouts"]
    if rollouts is None or rollouts["median"] >= DIFFICULTY_BAND_ROLLOUTS:
        return ""
    n, low = int(rollouts["median"]), DIFFICULTY_BAND[0]
    return (
        f"difficulty is coarse: a task at {low:.0%} passes none of {n} in {(1 - low) ** n:.0%} of draws; "
        f"{DIFFICULTY_BAND_ROLLOUTS} rollouts a task place it"
    )


def _uneven(values: Values) -> str:
    rollouts, draws = values["difficulty"]["rollouts"], values["k_way"]
    if rollouts is None or rollouts["min"] == rollouts["max"] or not draws:
        return ""
    left = values["pass_at"]["n_groups"] - min(draw["n_tasks"] for draw in draws)
    out = f"; {counted(left, 'task')} with fewer in no pass^{draws[-1]['k']}" if left else ""
    return f"tasks have {rollouts['min']:g} to {rollouts['max']:g} graded rollouts{out}"


def _no_markers(values: Values) -> str:
    if values["markers"] or not values["rows"]:
        return ""
    return "no markers on the rows: a `markers` dict of 0/1 values adds a rate for each"
