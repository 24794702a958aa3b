"""Which numbers of a report are estimates with an interval, and blocks that show them.

One rule: a mapping that holds `ci95` holds the interval of its main number, one that holds `<name>_ci95` the interval
of `<name>`, `<name>_rate` or `<name>_delta`; at 95%, or at the `level` it holds. An estimate whose interval is None is
shown without one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Any, Literal, NamedTuple

from whileai.simulations.defaults import CI_LEVEL
from whileai.simulations.web.document import IntervalRow, Intervals

Unit = Literal["rate", "delta", "correlation", "number"]
MOST_ROWS = 40  # of one chart
_ENDS = "ci95"
_PAIR = 2
_TOLD = frozenset({"delta", "mean", "rate", "clean", "exploit_rate", "pass_rate"})  # said by what they are of
_MAIN = ("delta", "mean", "rate", "agreement", "pass_at_1", "pass_rate", "clean", "exploit_rate", "refusal_rate")
_COUNTS = ("denominator", "n_used", "n_groups", "n_paired_tasks", "n_tasks", "n")  # what an estimate rests on
_COUNT_OF = {
    "pass_pow_k": "n_groups_at_k", "pass_at_k": "n_groups_at_k", "fn_rate": "n_checked", "fp_rate": "n_passes_checked",
}  # fmt: skip
_NAMES = ("name", "metric", "label", "group", "task_id")  # what an entry of a list is called
_TITLES: dict[Unit, str] = {
    "rate": "Rates", "delta": "Differences", "correlation": "Correlations", "number": "Numbers",
}  # fmt: skip
_DRAWS = {"pass_at_1": "pass@1", "pass_pow_k": "pass^{k}", "pass_at_k": "pass@{k}"}  # as people write them
_REFERENCE: dict[Unit, tuple[float, str]] = {"delta": (0.0, "no change"), "correlation": (0.0, "chance")}
_Path = tuple[str, ...]


class Estimate(NamedTuple):
    """A number of a report with the ends of its interval (None for none) and its n; `within` says where it stands."""

    within: _Path
    level: float
    label: str
    unit: Unit
    value: float
    ends: tuple[float, float] | None
    n: int | None


def estimates(values: Any) -> Iterator[Estimate]:
    """The estimates of plain values, in their order.

    >>> found = list(estimates({"markers": {"polite": {"mean": 0.9, "ci95": [0.8, 1.0], "n_tasks": 60}}, "n": 480}))
    >>> found[0].within, found[0].label, found[0].unit, found[0].ends, found[0].n
    (('markers',), 'polite', 'rate', (0.8, 1.0), 60)
    """
    yield from _found(values, (), _Held(None, CI_LEVEL))


def interval_blocks(values: Any) -> list[Intervals]:
    """The estimates of plain values as blocks of a document; none when no estimate has an interval.

    Those that stand together and have one unit share a chart, at most 40 in each.

    >>> [block] = interval_blocks({"pass_at_1": 0.5, "ci95": (0.4, 0.6), "n_groups": 12})
    >>> block["title"], block["rows"][0]["label"], block["rows"][0]["low"], block["rows"][0]["n"]
    ('Rates with 95% intervals', 'pass@1', 0.4, 12)
    """
    found = list(estimates(values))
    if not any(each.ends for each in found):
        return []
    shared = attrgetter("within", "unit", "level")
    charts: dict[tuple[_Path, Unit, float], list[Estimate]] = {}
    for each in found:
        charts.setdefault(shared(each), []).append(each)
    return [_block(*key, rows) for key, rows in charts.items()]


class _Held(NamedTuple):
    """What the mappings around an estimate say for those within them."""

    n: int | None
    level: float


def _found(values: Any, path: _Path, held: _Held) -> Iterator[Estimate]:
    if isinstance(values, Mapping):
        level: Any = values.get("level")
        held = _Held(_whole(values, ("n",), held.n), float(level) if _is_number(level) else held.level)
        for key, value in values.items():
            if isinstance(key, str) and (key == _ENDS or key.endswith(f"_{_ENDS}")):
                yield from _read(values, key, path, held)
            else:
                yield from _found(value, (*path, str(key)), held)
    elif isinstance(values, list | tuple):
        for place, each in enumerate(values, 1):
            if isinstance(each, Mapping | list | tuple):
                yield from _found(each, (*path, _called(each, place)), held)


def _read(values: Mapping[str, Any], key: str, path: _Path, held: _Held) -> Iterator[Estimate]:
    """The estimate whose interval stands under a key, when the number itself is there too."""
    ends, stem = values[key], key.removesuffix(_ENDS).removesuffix("_")
    names = (stem, f"{stem}_rate", f"{stem}_delta") if stem else _MAIN
    name = next((name for name in names if _is_number(values.get(name))), None)
    if name is None or not (ends is None or _is_pair(ends)):
        return
    value = float(values[name])
    pair = None if ends is None else (float(ends[0]), float(ends[1]))
    last = path[-1] if path else ""
    shown = _DRAWS.get(name, name).replace("{k}", str(values.get("k", "k")))
    yield Estimate(
        within=path[:-1],
        level=held.level,
        label=_label(last, name, shown),
        unit=_unit(name, (value, *(pair or ()))),
        value=value,
        ends=pair,
        n=_whole(values, (_COUNT_OF.get(name, ""), *_COUNTS), held.n),
    )


def _label(last: str, name: str, shown: str) -> str:
    """What an estimate is called: its own name, that of what it is of, or both; a draw size is in its name."""
    if not last or (name in _DRAWS and last.startswith("k=")):
        return shown
    return last if name in _TOLD or name == last else f"{last}, {shown}"


def _unit(name: str, numbers: tuple[float, ...]) -> Unit:
    if name == "delta" or name.endswith("_delta"):
        return "delta"
    if name.endswith(("kappa", "corr")):
        return "correlation"
    return "rate" if min(numbers) >= 0 and max(numbers) <= 1 else "number"


def _called(entry: Any, place: int) -> str:
    """What an entry of a list is called: its name, its draw size, else its place."""
    if isinstance(entry, Mapping):
        for key in _NAMES:
            if isinstance(name := entry.get(key), str):
                return name
        if _is_number(entry.get("k")):
            return f"k={entry['k']}"
    return str(place)


def _whole(values: Mapping[str, Any], names: tuple[str, ...], otherwise: int | None) -> int | None:
    found = (values.get(name) for name in names)
    return next((value for value in found if isinstance(value, int) and not isinstance(value, bool)), otherwise)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < float("inf")


def _is_pair(ends: Any) -> bool:
    return isinstance(ends, list | tuple) and len(ends) == _PAIR and all(map(_is_number, ends))


def _block(within: _Path, unit: Unit, level: float, found: list[Estimate]) -> Intervals:
    kind = "Kappa" if all(each.label.endswith("kappa") for each in found) else _TITLES[unit]
    title = f"{': '.join((kind, *within))} with {100 * level:g}% intervals"
    if len(found) > MOST_ROWS:
        title += f", the first {MOST_ROWS} of {len(found):,}"
    reference, said = _REFERENCE.get(unit, (None, None))
    return {
        "kind": "intervals",
        "title": title,
        "unit": unit,
        "reference": reference,
        "reference_label": said,
        "band": None,
        "domain": [0.0, 1.0] if unit == "rate" else None,
        "rows": [_row(each) for each in found[:MOST_ROWS]],
    }


def _row(each: Estimate) -> IntervalRow:
    low, high = each.ends or (None, None)
    return {
        "label": each.label,
        "value": each.value,
        "low": low,
        "high": high,
        "n": each.n,
        "note": None,
        "tone": "flat",
        "filter": None,
    }
