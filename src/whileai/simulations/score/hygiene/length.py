"""How long replies are, and how many were cut."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any

from whileai.simulations.arguments import between
from whileai.simulations.listing import listed
from whileai.simulations.reports import Report
from whileai.simulations.rows.endings import is_truncated
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.text import agent_texts
from whileai.simulations.score.hygiene.ask import ask_key
from whileai.simulations.signature import public

DEFAULT_MAX_SPREAD = 4.0  # longest over median length within an ask; convention


@public
def length_report(rows: Iterable[Any], max_spread: float = DEFAULT_MAX_SPREAD) -> Report:
    """How long the agent's words are, how many replies were cut, and in how many asks lengths lie far apart.

    A length is in characters: all assistant turns, and `final_text` when it is not the last of them; what tools said
    is no part of it. `n_truncated` counts rows cut at the token cap, told by the engine's stamp, the grader's reason,
    else by how a reply of 200 characters or more ends (DAPO, Yu et al. 2025, arXiv:2503.14476, drops such rows).
    `n_groups_wide_spread` counts asks (of the `n_groups_multi` with two rows or more) whose longest is more than
    `max_spread` times the median. Also `n`, `median_chars`, `max_chars` and `max_spread` as given.

    >>> replies = ("Yes.", "It ships Friday.", "No.", "It ships on Friday from Ghent with DHL.")
    >>> report = length_report([{"prompt": "When?", "final_text": text} for text in replies])
    >>> report["median_chars"], report["max_chars"], report["n_groups_wide_spread"]
    (10.0, 39, 0)
    """
    between("max_spread", max_spread, 0, float("inf"))
    held = RowTable(rows).rows
    return length_of(held, map(agent_texts, held), max_spread)


def length_of(held: Sequence[Any], said: Iterable[list[str]], max_spread: float = DEFAULT_MAX_SPREAD) -> Report:
    """The report on rows whose agents said this."""
    lengths = [sum(map(len, texts)) for texts in said]
    asks: dict[str, list[int]] = {}
    for row, length in zip(held, lengths, strict=True):
        asks.setdefault(ask_key(row), []).append(length)
    multi = [group for group in asks.values() if len(group) > 1]
    values = {
        "n": len(held),
        "median_chars": float(median(lengths)) if lengths else 0.0,
        "max_chars": max(lengths, default=0),
        "n_truncated": sum(map(is_truncated, held)),
        "n_groups_multi": len(multi),
        "n_groups_wide_spread": sum(_is_wide(group, max_spread) for group in multi),
        "max_spread": max_spread,
    }
    return Report(values, show=listed)


def _is_wide(lengths: list[int], max_spread: float) -> bool:
    middle = median(lengths)
    return middle > 0 and max(lengths) > max_spread * middle
