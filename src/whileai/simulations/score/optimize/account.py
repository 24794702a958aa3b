"""Where each row went: a table that adds up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


class Account:
    """Rows given, rows dropped under one named reason each; what is left is kept.

    >>> account = Account(5, ("junk", "repeat"))
    >>> account.drop("repeat", 2)
    >>> account.values()
    {'given': 5, 'dropped': {'junk': 0, 'repeat': 2}, 'kept': 3}
    """

    def __init__(self, given: int, reasons: tuple[str, ...]) -> None:
        self.given = given
        self.dropped = dict.fromkeys(reasons, 0)

    def drop(self, reason: str, n: int) -> None:
        """Count rows that went for a reason."""
        self.dropped[reason] += n

    def values(self) -> dict[str, Any]:
        """`given`, `dropped` by reason (every reason, in the order of the steps) and `kept`."""
        return {"given": self.given, "dropped": dict(self.dropped), "kept": self.given - sum(self.dropped.values())}


def account_lines(
    account: Mapping[str, Any], words: Mapping[str, str], kept: str, things: str = "rows"
) -> Iterator[str]:
    """The account as a column of numbers that adds up, reasons that took nothing left out.

    >>> values = {"given": 1200, "dropped": {"junk": 200, "repeat": 0}, "kept": 1000}
    >>> print("\\n".join(account_lines(values, {"junk": "no usable reply"}, "selected")))
       1,200  rows given
      -  200  no usable reply
      =1,000  selected
    """
    width = len(f"{account['given']:,}")
    yield f"   {account['given']:>{width},}  {things} given"
    for reason, n in account["dropped"].items():
        if n:
            yield f"  -{n:>{width},}  {words[reason]}"
    yield f"  ={account['kept']:>{width},}  {kept}"
