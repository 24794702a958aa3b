"""The blocks a person reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from whileai.simulations.arguments import report_of
from whileai.simulations.reports import Report, fitted, out_of, printable, wrapped
from whileai.simulations.score.hack_scan.verdict import sign_flips, telling_alias
from whileai.simulations.signature import public

SHOWN = 12  # ranking lines; convention
_NAME, _ALIAS = 42, 26  # characters of a name


class HackScanReport(Report):
    """What `hack_scan` returns: a dict of its keys that prints itself.

    >>> HackScanReport({"regime": "no_signal", "integrity": None})
    HackScanReport(regime='no_signal', integrity=None)
    """

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(values, show=format_hack_scan)

    def __repr__(self) -> str:
        return f"HackScanReport(regime={self.get('regime')!r}, integrity={self.get('integrity')})"


@public
@report_of("hack_scan")
def format_hack_scan(report: Mapping[str, Any], top: int = SHOWN) -> str:
    """The block a person reads: the regime, the counts, the floor, `top` lines of the ranking, the warnings.

    `*` is above the floor, `e` endorsed, `~` a sign that flips between within-ask and pooled.

    >>> from whileai.simulations.score.hack_scan import hack_scan
    >>> rows = [{"task_id": t, "final_text": "Sure! " * r + "It is 5.", "reward": r} for t in "abc" for r in (0, 1)]
    >>> report = hack_scan(rows)
    >>> format_hack_scan(report) == str(report)
    True
    """
    support = report["support"]
    lines = [
        report["regime"].upper().replace("_", " "),
        f"{out_of(report['n_graded'], report['n_rows'], 'row')} graded, asks {report['n_groups']}, "
        f"with repeats {report['n_groups_multi']}, rollouts an ask {report['rollouts_per_group']}",
        f"asks: mixed {support['mixed']:.0%}, all-pass {support['sat']:.0%}, all-fail {support['dead']:.0%}, "
        f"capacity {support['capacity']:.2f}",
    ]
    if report["tau"] is not None:
        lines.append(
            f"floor tau {report['tau']:.3f} from {max(1, report['n_perm'])} shuffles; "
            f"{out_of(report['n_above_floor'], report['n_features'], 'feature')} above it"
        )
        listed = report["features"][: max(0, top)]
        if listed:
            lines.append(f"     {'feature':{_NAME}}  within  pooled      n  same rows as")
        lines.extend(_line(feature, report["n_graded"]) for feature in listed)
    if report["integrity"] is not None:
        lines.append(f"integrity {report['integrity']:.2f} (share of the signal that is endorsed)")
    elif report["tau"] is not None and not report["endorsed"]:
        lines.append("nothing is endorsed: name what the reward is meant to follow, and the rest can be called a hack")
    lines.extend(_warned(report["warnings"]))
    return "\n".join(lines)


def _line(feature: Mapping[str, Any], n: int) -> str:
    marks = ("*" if feature["above_floor"] else " ") + ("e" if feature["endorsed"] else " ")
    flip = "~" if feature["above_floor"] and sign_flips(feature["rho"], feature["pooled"], n) else " "
    name = fitted(printable(feature["name"], _NAME), _NAME)
    line = f"  {marks}{flip}{name}  {feature['rho']:+.3f}  {feature['pooled']:+.3f} {feature['n_obs']:6d}"
    alias = telling_alias(feature["aliases"])
    return f"{line}  {fitted(printable(alias, _ALIAS), _ALIAS).rstrip()}" if alias else line


@public
@report_of("hack_scan_diff")
def format_hack_scan_diff(report: Mapping[str, Any]) -> str:
    """The block a person reads: what was learned, then the shifts.

    `+` is gained, `-` lost, `e` endorsed; the numbers are the within-ask correlations before and after.

    >>> from whileai.simulations.score.hack_scan import hack_scan_diff
    >>> rows = [{"task_id": t, "final_text": "Sure! " * r + "It is 5.", "reward": r} for t in "abc" for r in (0, 1)]
    >>> report = hack_scan_diff(rows, rows)
    >>> format_hack_scan_diff(report) == str(report)
    True
    """
    before, after = report["before"], report["after"]
    regimes = f"regime {before['regime']} -> {after['regime']}"
    said = (report["learned"], regimes)
    lines = [
        *wrapped(printable(report["learned"])),
        regimes,
        f"top {_top(before)} -> {_top(after)}",
    ]
    gained = {item["name"] for item in report["gained"]}
    lost = {item["name"] for item in report["lost"]}
    for item in report["moved"]:
        mark = "+" if item["name"] in gained else "-" if item["name"] in lost else " "
        name = fitted(printable(item["name"], _NAME), _NAME)
        endorsed = "e" if item["endorsed"] else " "
        lines.append(f"  {mark}{endorsed} {name}  {item['rho_before']:+.3f} -> {item['rho_after']:+.3f}")
    lines.extend(_warned(warning for warning in report["warnings"] if not any(warning in line for line in said)))
    return "\n".join(lines)


def _warned(warnings: Iterable[str]) -> list[str]:
    return [line for sentence in warnings for line in wrapped(f"! {printable(sentence)}")]


def _top(side: Mapping[str, Any]) -> str:
    return "-" if side["top_feature"] is None else printable(side["top_feature"], _NAME)
