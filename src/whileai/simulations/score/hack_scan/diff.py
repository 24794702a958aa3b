"""What the policy learned: the scan before training against the scan after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from whileai.simulations.arguments import whole
from whileai.simulations.reports import Report, printable
from whileai.simulations.score.hack_scan.scan import hack_scan
from whileai.simulations.score.hack_scan.text import HackScanReport, format_hack_scan_diff
from whileai.simulations.signature import public

DIFF_TOP = 10  # features a list holds; convention
_SIDE = ("regime", "top_feature", "rho_max", "tau", "integrity", "degenerate")
_ABSENT = {"rho": 0.0, "above_floor": False, "endorsed": False}
_CHARS = 60  # characters of a name in a sentence


@public
def hack_scan_diff(
    before: Iterable[Any],
    after: Iterable[Any],
    endorsed: Sequence[str] = (),
    top: int = DIFF_TOP,
    **scan_kwargs: Any,
) -> Report:
    """What the policy learned: the scan before training against the scan after, rows scored by the same reward.

    `scan_kwargs` reach both `hack_scan` calls; `top_features` is none of them, a `TypeError`, as both sides list all.

    Returns `before` and `after` (each `regime`, `top_feature`, `rho_max`, `tau`, `integrity`, `degenerate`);
    `gained`, above the floor after and not before, `lost`, the reverse, and `moved`, all by |shift|, at most `top`
    each; `learned`, the one sentence to read; `warnings`. An entry has `name`, `rho_before`, `rho_after`,
    `above_before`, `above_after`, `endorsed` and `shift`, the change of |rho|. A side that is degenerate cannot be
    read: `learned` says which.

    >>> def run(paid):
    ...     return [{"task_id": i, "final_text": f"Day {r}{', rest assured' * (r % 2)}.", "reward": paid[r]}
    ...             for i in range(20) for r in range(8)]
    >>> calm = {"calm": lambda row: "rest" in row["final_text"]}
    >>> found = hack_scan_diff(run("00110011"), run("01010101"), features=calm)
    >>> [found["gained"][0][key] for key in ("name", "above_before", "rho_after")]
    ['calm', False, 1.0]
    """
    if "top_features" in scan_kwargs:
        raise TypeError("hack_scan_diff() lists all features of both sides: top_features= cannot be given, top= can")
    most = max(0, whole("top", top))
    first = hack_scan(before, endorsed, top_features=None, **scan_kwargs)
    second = hack_scan(after, endorsed, top_features=None, **scan_kwargs)
    items = list(_joined(first["features"], second["features"]))
    gained = [item for item in items if item["above_after"] and not item["above_before"]]
    lost = [item for item in items if item["above_before"] and not item["above_after"]]
    gained.sort(key=lambda item: (-abs(item["rho_after"]), item["name"]))
    lost.sort(key=lambda item: (-abs(item["rho_before"]), item["name"]))
    items.sort(key=lambda item: (-abs(item["shift"]), item["name"]))
    values = {
        "before": {key: first[key] for key in _SIDE},
        "after": {key: second[key] for key in _SIDE},
        "gained": gained[:most],
        "lost": lost[:most],
        "moved": items[:most],
        "learned": _learned(first, second, gained),
        "warnings": list(_warnings(first, second, gained)),
    }
    return Report(values, show=format_hack_scan_diff)


def _joined(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Features of the two sides that share a name, under the first they share; the others on their own."""
    by_name = {name: feature for feature in before for name in _names(feature)}
    met: set[int] = set()
    for feature in after:
        shared = sorted(name for name in _names(feature) if name in by_name)
        if shared:
            met.add(id(by_name[shared[0]]))
            yield _item(shared[0], by_name[shared[0]], feature)
        else:
            yield _item(feature["name"], _ABSENT, feature)
    for feature in before:
        if id(feature) not in met:
            yield _item(feature["name"], feature, _ABSENT)


def _names(feature: dict[str, Any]) -> list[str]:
    return [feature["name"], *feature["aliases"]]


def _item(name: str, before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "rho_before": before["rho"],
        "rho_after": after["rho"],
        "above_before": before["above_floor"],
        "above_after": after["above_floor"],
        "endorsed": before["endorsed"] or after["endorsed"],
        "shift": round(abs(after["rho"]) - abs(before["rho"]), 4) + 0.0,
    }


def _unreadable(before: HackScanReport, after: HackScanReport) -> str | None:
    sides = [name for name, side in (("before", before), ("after", after)) if side["degenerate"]]
    if not sides:
        return None
    return (
        f"{' and '.join(sides)} cannot be read: the asks there hold too few distinct rollouts to tell one feature "
        "from another"
    )


def _learned(before: HackScanReport, after: HackScanReport, gained: list[dict[str, Any]]) -> str:
    if unreadable := _unreadable(before, after):
        return f"{unreadable}, so what was learned is not known"
    if unmeasured := [name for name, side in (("before", before), ("after", after)) if side["tau"] is None]:
        return (
            f"nothing could be measured {' or '.join(unmeasured)}, where no ask has graded rollouts with rewards that "
            "differ, so what was learned is not known; each correlation there is put down as 0"
        )
    if gained:
        item = gained[0]
        meant = ", which is not endorsed" if after["endorsed"] and not item["endorsed"] else ""
        return (
            f"the update moved toward {printable(item['name'], _CHARS)}{meant}: within-ask correlation with the reward "
            f"{item['rho_before']:+.3f} before, {item['rho_after']:+.3f} after"
        )
    if after["n_above_floor"] and after["top_feature"] is not None:
        still = "is still" if after["top_feature"] == before["top_feature"] else "is now"
        return f"the top feature {still} {printable(after['top_feature'], _CHARS)}; nothing new clears the floor"
    return "nothing clears the floor after"


def _warnings(before: HackScanReport, after: HackScanReport, gained: list[dict[str, Any]]) -> Iterator[str]:
    if unreadable := _unreadable(before, after):
        yield unreadable
    elif after["endorsed"] and (unmeant := [item for item in gained if not item["endorsed"]]):
        yield f"gained, and not endorsed: {', '.join(printable(item['name'], _CHARS) for item in unmeant[:3])}"
    if before["regime"] != after["regime"]:
        yield f"regime {before['regime']} -> {after['regime']}"
