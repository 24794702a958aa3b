"""Days and hours of made-up records: none depends on the clock, and what ends comes after what starts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from whileai.simulations.rows.names import words_in
from whileai.simulations.run.draw import below, pick

STARTS = words_in("start starts from begin begins since departure depart checkin check_in pickup earliest after")
ENDS = words_in("end ends until till to checkout check_out return due deadline dropoff latest before")
_FIRST = dt.date(2026, 3, 5)


def day(words: Iterable[str], *parts: object) -> str:
    """A day as a date, for a field whose name has these words.

    >>> day(["start"], 1) < day(["end"], 1)
    True
    """
    said = list(words)
    said += ["_".join(said[-2:])]  # check_in, check_out
    base = _FIRST + dt.timedelta(days=below(60, *parts, "day"))
    if ENDS.intersection(said) and not STARTS.intersection(said):
        base += dt.timedelta(days=2 + below(4, *parts, "days"))
    return base.isoformat()


def hour(words: Iterable[str], *parts: object) -> str:
    """A time of day, within office hours.

    >>> hour(["start"], 1) < hour(["end"], 1)
    True
    """
    at = 9 + below(7, *parts, "hour") + bool(ENDS.intersection(words))
    return f"{at:02d}:{pick(('00', '15', '30'), *parts, 'minute')}"
