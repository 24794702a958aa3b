"""What a policy would learn from the reward: the ranking of the scan against its floor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from whileai.simulations.page.material import Material
from whileai.simulations.page.parts import estimate, fact, intervals, warned
from whileai.simulations.reports import counted
from whileai.simulations.rows.grade import score_of
from whileai.simulations.rows.text import calls
from whileai.simulations.rows.values import finite, is_mapping
from whileai.simulations.score.hack_scan import hack_scan
from whileai.simulations.score.hack_scan.verdict import telling_alias
from whileai.simulations.score.trace.flags import flags_of
from whileai.simulations.web.document import Block, Fact, IntervalRow, Section, Warned
from whileai.simulations.web.text import number

SCAN_ID = "scan"
SHOWN = 20  # features
_NAME_CHARS = 120
_AND = " AND "
_REGIMES = {
    "train": "something separates reward; nothing is endorsed, so it is not judged",
    "pool_exhausted": "too many tasks always pass and teach nothing",
    "no_signal": "nothing is above the floor",
    "degenerate": "too few distinct rollouts to tell features apart",
    "unknown": "nothing can be said",
}
_NAMES = {  # the kind of a feature, what its names look like, what they say
    "contains": ("contains:X", "the agent's text has the words X; a punctuation mark counts as a word"),
    "tool": ("tool:X", "the agent calls X"),
    "trace": ("trace:X", "the flag X fired"),
    "marker": ("marker:X", "the value of the marker X"),
    "n": ("n:X", "how many X the agent's text has"),
    "frac": ("frac:upper", "the share of capitals in the agent's text"),
    "truncated": ("truncated", "cut at the token cap"),
}


def scan_section(material: Material) -> tuple[Section | None, list[Warned]]:
    """The features that separate reward within tasks; None where no task has rewards that differ."""
    found = hack_scan(material.rows, top_features=SHOWN)
    tau = found["tau"]
    if tau is None or not found["features"]:
        return None, []
    ranking = intervals(
        "Correlation with the reward within a task",
        "correlation",
        [_row(material, feature) for feature in found["features"]],
        reference=0.0,
        band=[-tau, tau],
        reference_label="no link",
        band_label="what chance reaches:",
        of="rows",
    )
    support = found["support"]
    facts = [
        fact("verdict", found["regime"].replace("_", " "), _REGIMES[found["regime"]]),
        fact(
            "features above the floor",
            f"{found['n_above_floor']:,} of {found['n_features']:,}",
            f"the first {SHOWN} are listed" if found["n_above_floor"] > SHOWN else None,
        ),
        fact("tasks whose rewards differ", f"{support['mixed']:.0%}"),
        fact("tasks that all pass", f"{support['sat']:.0%}"),
        fact("tasks that all fail", f"{support['dead']:.0%}"),
        fact("graded rows", f"{found['n_graded']:,}"),
    ]
    blocks: list[Block] = [{"kind": "facts", "items": facts}, ranking]
    if names := list(_names(found["features"])):
        blocks.append({"kind": "facts", "title": "What the names say", "items": names})
    section: Section = {
        "id": SCAN_ID,
        "title": "Reward scan",
        "lead": f"What a grouped update would learn: the {counted(len(found['features']), 'feature')} that separate "
        f"reward most; within {tau:.3f} of 0 lies what {found['n_perm']} shuffles reach by chance.",
        "blocks": blocks,
        "more": "wai scan FILE --endorsed NAME says what the reward is meant to follow, and calls the rest a hack.",
    }
    return section, [warned(text, SCAN_ID) for text in found["warnings"]]


def _names(features: Sequence[Mapping[str, Any]]) -> Iterator[Fact]:
    parts = [part for feature in features for part in feature["name"].split(_AND)]
    kinds = {part.partition(":")[0] for part in parts}
    for kind, (name, meaning) in _NAMES.items():
        if kind in kinds:
            yield fact(name, meaning)
    if len(parts) > len(features):
        yield fact("X AND Y", "both at once")


def _row(material: Material, feature: Mapping[str, Any]) -> IntervalRow:
    name = feature["name"]
    alias = telling_alias(feature["aliases"])
    notes = [f"over all rows {number(feature['pooled'], 'correlation')}"]
    if not feature["above_floor"]:
        notes.insert(0, "below the floor")
    if alias:
        notes.append(f"same rows as {alias[:_NAME_CHARS]}")
    holds = rule_of(material, name)
    behind = None if holds is None else material.filters.told(name[:_NAME_CHARS], feature["n_obs"], holds)
    return estimate(
        name[:_NAME_CHARS],
        feature["rho"],
        n=feature["n_obs"],
        note="; ".join(notes),
        behind=behind,
    )


def rule_of(material: Material, name: str) -> Callable[[int], bool] | None:
    """Whether a feature of the scan is on the row at a position, of graded rows; None for a measure of every row."""
    rules = [_plain_rule(material, part) for part in name.split(_AND)]
    known = [rule for rule in rules if rule is not None]
    if len(known) < len(rules):
        return None
    rows = material.rows
    return lambda at: score_of(rows[at].get("reward")) is not None and all(rule(at) for rule in known)


def _plain_rule(material: Material, name: str) -> Callable[[int], bool] | None:
    kind, _, rest = name.partition(":")
    rows = material.rows
    if name == "truncated":
        return lambda at: bool(material.cut[at])
    if kind == "trace":
        return lambda at: rest in flags_of(rows[at], None)
    if kind == "tool":
        return lambda at: any(call.name == rest for call in calls(rows[at]))
    if kind == "contains":
        return lambda at: f" {rest} " in material.terms(at)
    if kind == "marker":
        return lambda at: bool(_marker(rows[at], rest))
    return None


def _marker(row: Mapping[str, Any], name: str) -> float:
    held = row.get("markers")
    return (finite(held.get(name)) or 0.0) if is_mapping(held) else 0.0
