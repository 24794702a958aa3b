"""Numbers drawn from what they are for: the same parts give the same number in any process."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, TypeVar

_Item = TypeVar("_Item")
_BITS = 64


def draw(*parts: Any) -> float:
    """A number in [0, 1) that follows from the parts alone.

    >>> draw("stance", 7) == draw("stance", 7), 0 <= draw("stance", 8) < 1
    (True, True)
    """
    written = "\x1f".join(map(str, parts)).encode("utf-8", "surrogatepass")
    number = int.from_bytes(hashlib.blake2b(written, digest_size=_BITS // 8).digest())
    return (number >> 11) / 2**53  # the 53 bits a float holds, so that it stays below 1


def below(n: int, *parts: Any) -> int:
    """A whole number from 0 to n - 1 that follows from the parts alone.

    >>> below(3, "a") in (0, 1, 2)
    True
    """
    return int(draw(*parts) * n)


def pick(items: Sequence[_Item], *parts: Any) -> _Item:
    """One of some items, the same one for the same parts.

    >>> pick("abc", 1) == pick("abc", 1)
    True
    """
    return items[below(len(items), *parts)]


def picks(items: Sequence[_Item], n: int, *parts: Any) -> list[_Item]:
    """Up to n different items in an order of their own, the same ones for the same parts.

    >>> sorted(picks("abc", 3, 1)), picks("abc", 0, 1)
    (['a', 'b', 'c'], [])
    """
    order = sorted(range(len(items)), key=lambda place: (draw(*parts, place), place))
    return [items[place] for place in order[:n]]
