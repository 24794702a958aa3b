"""`Deadline`: when an upload has to be done."""

from __future__ import annotations

import math
import time
from typing import Any

from whileai.simulations.arguments import between

_LONGEST = 1e9  # seconds


def checked_timeout(seconds: Any) -> float | None:
    """The seconds that an upload may take, None for no end; a `ValueError` for what is no such number.

    >>> checked_timeout(0)
    Traceback (most recent call last):
    ValueError: timeout must lie strictly between 0 and 1e+09, got 0
    """
    return None if seconds is None else between("timeout", seconds, 0, _LONGEST, ends=False)


class Deadline:
    """So many seconds from now; None never ends.

    >>> Deadline(None).left()
    inf
    """

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._end = math.inf if seconds is None else time.monotonic() + seconds

    def left(self) -> float:
        """The seconds that are left, infinite without an end; negative once it has passed."""
        return self._end if self._end == math.inf else self._end - time.monotonic()
