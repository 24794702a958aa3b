"""Which rows are looked at when there are too many to look at all: seeded draws without replacement, in row order."""

from __future__ import annotations

import random
from collections.abc import Sequence


def drawn(n: int, size: int, seed: int) -> list[int]:
    """`size` of the places 0 to n - 1, ascending; all of them when they fit.

    >>> drawn(3, 5, 0), len(drawn(100, 5, 0))
    ([0, 1, 2], 5)
    """
    return list(range(n)) if n <= size else sorted(random.Random(seed).sample(range(n), size))  # noqa: S311


def balanced(labels: Sequence[int], size: int, seed: int) -> list[int]:
    """`size` places of a list of 0/1 labels, ascending, half of them failures as far as there are enough of both.

    What is added to a failing reply can only be seen to pay on failing replies, of which a good policy has few; as
    many passes stand beside them, so that verdicts that churn both ways cancel.

    >>> labels = [0] * 10 + [1] * 90
    >>> [labels[place] for place in balanced(labels, 6, 0)], len(balanced(labels, 40, 0))
    ([0, 0, 0, 1, 1, 1], 40)
    """
    failing = [place for place, label in enumerate(labels) if not label]
    passing = [place for place, label in enumerate(labels) if label]
    fails = min(len(failing), max(size - size // 2, size - len(passing)))
    chosen = [failing[at] for at in drawn(len(failing), fails, seed)]
    return sorted(chosen + [passing[at] for at in drawn(len(passing), size - fails, seed)])
