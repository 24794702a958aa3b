"""Rows that quote their own privileged block: the answer is in the reply, so nothing is learnt from it."""

from __future__ import annotations

from typing import Any

from whileai.simulations.rows.content import filled
from whileai.simulations.score.privileged import MOST_LISTED, leak_report, untold_leak

_SHOWN = 80  # characters of a hit, as leak_report cuts it


def drop_privileged_leaks(rows: list[Any]) -> tuple[list[Any], dict[str, Any]]:
    """The rows less those whose agent quotes 12 characters or more of its own `privileged` block untold.

    What a user, a prompt or a tool said in the row is no secret (`untold_leak`): an id that the user gave, say.

    The report: `checked` (whether some row had something to quote), `n_checked`, `n_dropped` and `leaked`, the first
    20 as `leak_report` lists them.

    >>> secret = {"reference": "the code is ZX-88-ALPHA"}
    >>> kept, report = drop_privileged_leaks([{"privileged": secret, "final_text": "The code is ZX-88-ALPHA."}])
    >>> kept, report["n_dropped"], report["leaked"][0]["field"]
    ([], 1, 'reference')
    """
    kept: list[Any] = []
    leaked: list[dict[str, Any]] = []
    n_checked = n_dropped = 0
    for row in rows:
        if filled(row.get("privileged")):
            found = leak_report([row])
            n_checked += found["n_checked"]
            if found["n_leaked"] and (hit := untold_leak(row)) is not None:
                n_dropped += 1
                if n_dropped <= MOST_LISTED:
                    leaked.append(_listed(found["leaked"][0], *hit))
                continue
        kept.append(row)
    report = {"checked": n_checked > 0, "n_checked": n_checked, "n_dropped": n_dropped, "leaked": leaked}
    return kept, report


def _listed(entry: dict[str, Any], field: str, quoted: str) -> dict[str, Any]:
    """An entry of `leak_report` for the text that was not told, where the first one quoted may have been."""
    return entry | {"field": field, "needle": quoted[:_SHOWN]}
