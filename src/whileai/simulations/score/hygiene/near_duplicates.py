"""Asks that say nearly the same."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from whileai.simulations.arguments import between
from whileai.simulations.defaults import NEAR_DUP_JACCARD
from whileai.simulations.kernels.similarity import near_pairs
from whileai.simulations.listing import listed
from whileai.simulations.reports import Report
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.text import ask_text
from whileai.simulations.rows.words import words
from whileai.simulations.signature import public

_EXAMPLES = 5
_SHOWN_CHARS = 80


@public
def near_duplicate_prompts(rows: Iterable[Any], threshold: float = NEAR_DUP_JACCARD) -> Report:
    """Pairs of distinct asks whose words overlap at or above `threshold` (Jaccard similarity of their sets).

    Words are `rows.words.words`: any script, case and width aside, Chinese and Japanese by the character. An ask is
    the `prompt`, else the first user turn; rollouts of one ask are one. Nearly equal asks weigh as one task twice,
    and split over train and holdout they leak (Lambert 2025, chapter Synthetic Data and Distillation).

    Keys: `n_prompts` (distinct asks), `n_pairs`, `n_prompts_involved`, `threshold` and `examples`, the first five
    pairs in order (`a` and `b` cut to 80 characters, `jaccard` to 3 decimals). Exact, without a look at every pair.

    >>> report = near_duplicate_prompts([{"prompt": "Cancel order 5"}, {"prompt": "cancel order 5!"}])
    >>> report["n_pairs"], report["examples"][0]["jaccard"]
    (1, 1.0)
    """
    asks = dict.fromkeys(ask for row in RowTable(rows).rows if (ask := ask_text(row)))
    return Report(near_duplicate_asks(list(asks), threshold), show=listed)


def near_duplicate_asks(asks: list[str], threshold: float) -> dict[str, Any]:
    """The report of `near_duplicate_prompts` on distinct asks."""
    threshold = between("threshold", threshold, 0, 1)
    found = near_pairs(_numbered(asks), threshold, _EXAMPLES)
    return {
        "n_prompts": len(asks),
        "n_pairs": found.n_pairs,
        "n_prompts_involved": int(found.involved.sum()),
        "threshold": threshold,
        "examples": [
            {
                "a": asks[pair.first][:_SHOWN_CHARS],
                "b": asks[pair.second][:_SHOWN_CHARS],
                "jaccard": round(pair.jaccard, 3),
            }
            for pair in found.first
        ],
    }


def _numbered(asks: list[str]) -> list[list[int]]:
    """The set of words of each ask, each word as a number."""
    number: dict[str, int] = {}
    return [[number.setdefault(word, len(number)) for word in dict.fromkeys(words(ask))] for ask in asks]
