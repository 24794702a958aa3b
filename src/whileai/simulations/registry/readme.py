"""The card as a page: Markdown in which every text that came with the rows is text and nothing else."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from whileai.simulations.reports import counted, printable

_MOST = 300  # characters of a foreign text that the page shows
_MARKUP = re.compile(r"([\\`*{}\[\]#|~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9]))")  # `_` within a word is none
_LINKS = (
    (re.compile(r"://"), "&#58;//"),
    (re.compile(r"\bwww\.", re.IGNORECASE), "www&#46;"),
    (re.compile("@"), "&#64;"),
)


def escaped(text: Any, most: int = _MOST) -> str:
    r"""Foreign text as one line of Markdown that shows its characters: no HTML, links, images or emphasis come of it.

    >>> print(escaped("<b>*x*</b> ![](http://e.example)\n# h"))
    &lt;b&gt;\*x\*&lt;/b&gt; !\[\](http&#58;//e.example)\\n\# h
    """
    shown = _MARKUP.sub(r"\\\1", html.escape(printable(text, most), quote=False))
    for found, instead in _LINKS:
        shown = found.sub(instead, shown)
    return shown


def readme(card: Mapping[str, Any]) -> str:
    """The page of a card, with the header by which the Hugging Face Hub and `datasets` find its splits."""
    return "\n".join([*_header(card), *_page(card), ""])


def _header(card: Mapping[str, Any]) -> Iterator[str]:
    yield "---"
    yield f"pretty_name: {json.dumps(card['name'])}"
    yield "configs:"
    yield "- config_name: default"
    yield "  data_files:"
    for split in card["splits"]:
        yield f"  - split: {split}"
        yield f"    path: data/{split}.jsonl"
    yield "---"


def _page(card: Mapping[str, Any]) -> Iterator[str]:
    yield f"# {escaped(card['name'])}"
    yield ""
    if card["description"]:
        yield from [escaped(card["description"], 10 * _MOST), ""]
    yield f"- purpose: {card['purpose']}"
    yield f"- mode: {card['mode'] or 'not given'}"
    yield f"- agent: {escaped(card['agent']) if card['agent'] else 'not given'}"
    for split, found in card["splits"].items():
        yield from ["", f"## {split.capitalize()}", "", *_rates(found)]
        if split == "holdout" and card["holdout"]:
            yield from _holdout(card["holdout"])
    yield from ["", "## Gate", "", *_gate(card["gate"])]
    yield from ["", "## Lineage", "", *_lineage(card["lineage"])]
    if card["warnings"]:
        yield from ["", "## Warnings", "", *(f"- {escaped(text, 2 * _MOST)}" for text in card["warnings"])]


def _rates(found: Mapping[str, Any]) -> Iterator[str]:
    rates = found["pass_at"]
    graded = f"{rates['n_rows']:,} with a 0/1 reward"
    yield f"- {counted(found['n_rows'], 'row')} of {counted(found['n_tasks'], 'task')}, {graded}"
    for label, key, ends in (
        ("pass@1", "pass_at_1", "ci95"),
        (f"pass^{rates['k']}", "pass_pow_k", "pass_pow_k_ci95"),
        (f"pass@{rates['k']}", "pass_at_k", "pass_at_k_ci95"),
    ):
        value, interval = rates[key], rates[ends]
        if value is not None:
            between = f"95% interval {interval[0]:.3f} to {interval[1]:.3f}" if interval else "no interval"
            n = rates["n_groups"] if key == "pass_at_1" else rates["n_groups_at_k"]
            yield f"- {label} {value:.3f} ({between}, over {counted(n, 'task')})"
    if rates["note"]:
        yield f"- {escaped(rates['note'])}"


def _gate(gate: Mapping[str, Any] | None) -> Iterator[str]:
    if gate is None:
        yield "Not run: whether these rows can train was not checked (`gate=True`)."
        return
    yield f"- {'passed' if gate['ok'] else 'refused'}, {'' if gate['rl_shaped'] else 'not '}RL-shaped"
    if gate["rl_shaped"]:
        low, high = gate["band"]
        yield (
            f"- tasks: {gate['n_mixed']:,} mixed ({gate['n_in_band']:,} with a pass rate of {low:.0%} to {high:.0%}), "
            f"{gate['n_all_one']:,} always pass, {gate['n_all_zero']:,} never, {gate['n_single']:,} with one rollout"
        )
    if gate["regime"]:
        yield f"- reward scan: {escaped(gate['regime'])}"


def _holdout(held: Mapping[str, Any]) -> Iterator[str]:
    yield f"- the tasks whose hash lies below {held['fraction']:g}; no task is on both sides"
    smallest = held["detectable_effect"]
    if smallest is not None:
        needed, effect = held["n_tasks_needed"], held["prove_effect"]
        yield f"- shows a gain of {smallest:.3f} or more ({needed:,} tasks would show {effect:g})"


def _lineage(found: Mapping[str, Any]) -> Iterator[str]:
    yield f"- parent: {escaped(found['parent']) if found['parent'] else 'none given'}"
    for name, values in found.items():
        if name != "parent":
            shown = ", ".join(f"{escaped(value)} ({n:,})" for value, n in values)
            yield f"- {name}: {shown}"
