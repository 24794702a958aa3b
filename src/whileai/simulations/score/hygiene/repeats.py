"""Asks and repeats of a stream: distinct asks as text, rollouts as hashes, so that no row is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.defaults import NEAR_DUP_JACCARD
from whileai.simulations.rows.grade import label
from whileai.simulations.rows.text import ask_text
from whileai.simulations.score.grading import behavior_signature
from whileai.simulations.score.hygiene.ask import ask_key
from whileai.simulations.score.hygiene.dedupe import said_of
from whileai.simulations.score.hygiene.near_duplicates import near_duplicate_asks

_UNLABELLED = -1
_ROW = np.dtype([("high", "<u8"), ("low", "<u8"), ("ask", "<u8"), ("label", "i1")])
Rows = NDArray[np.void]


class Repeats:
    """What `near_duplicate_prompts` and `dedupe_groups` report, of any number of batches, at 25 bytes a row.

    `silent` is how many rows hold neither a reply nor a call, and so were not compared.

    Rollouts are compared by 128 bits of a hash; two of 10**9 that differ share one with a chance of 10**-21.

    >>> found = Repeats()
    >>> found.add([{"prompt": "When?", "final_text": text} for text in ("Today.", "today. ", "Soon.")])
    >>> found.asks()["n_prompts"], found.rollouts()["n_dropped"]
    (1, 1)
    """

    def __init__(self) -> None:
        self._asks: dict[str, None] = {}
        self._rows: list[Rows] = []
        self.silent = 0

    def add(self, rows: Sequence[dict[str, Any]], file: str | None = None, /) -> None:
        """Take some rows."""
        self._asks.update(dict.fromkeys(ask for row in rows if (ask := ask_text(row))))
        found = [_hashes(row, said) for row in rows if (said := said_of(row)) is not None]
        self._rows.append(np.array(found, dtype=_ROW))
        self.silent += len(rows) - len(found)

    def merge(self, other: Repeats) -> None:
        """Take what another gathered of rows that come after."""
        self._asks.update(other._asks)
        self._rows.append(other._whole())
        self.silent += other.silent

    def _whole(self) -> Rows:
        self._rows = [np.concatenate(self._rows)] if self._rows else [np.zeros(0, dtype=_ROW)]
        return self._rows[0]

    def asks(self, threshold: float = NEAR_DUP_JACCARD) -> dict[str, Any]:
        """The report of `near_duplicate_prompts`."""
        return near_duplicate_asks(list(self._asks), threshold)

    def rollouts(self) -> dict[str, Any]:
        """The report of `dedupe_groups`."""
        rows = self._whole()
        order = np.lexsort((rows["low"], rows["high"]))  # it keeps the order of equal ones
        rows = rows[order]
        same = (rows["high"][1:] == rows["high"][:-1]) & (rows["low"][1:] == rows["low"][:-1])
        repeat = np.concatenate([np.zeros(min(1, rows.size), dtype=bool), same])
        first = rows["label"][np.maximum.accumulate(np.where(repeat, 0, np.arange(rows.size)))]
        conflict = repeat & (rows["label"] >= 0) & (first >= 0) & (rows["label"] != first)
        n, dropped = int(rows.size) + self.silent, int(repeat.sum())
        return {
            "n": n,
            "n_kept": n - dropped,
            "n_dropped": dropped,
            "groups_affected": int(np.unique(rows["ask"][repeat]).size),
            "duplicate_rate": dropped / n if n else 0.0,
            "conflicting_rewards": int(conflict.sum()),
        }


def _hashes(row: dict[str, Any], said: str) -> tuple[int, int, int, int]:
    """Sixteen bytes that stand for a row's ask, reply and behaviour, eight for its ask, and its label."""
    ask = hashlib.blake2b(ask_key(row).encode("utf-8", "surrogatepass"), digest_size=16)
    whole = ask.copy()
    for text in (said, behavior_signature(row)):
        whole.update(b"\0\xff" + text.encode("utf-8", "surrogatepass"))
    digest, own = whole.digest(), label(row)
    return (
        int.from_bytes(digest[:8], "little"),
        int.from_bytes(digest[8:], "little"),
        int.from_bytes(ask.digest()[:8], "little"),
        _UNLABELLED if own is None else int(own),
    )
