"""Rows that quote their own privileged block: the answer is in the reply, so nothing is learnt from it."""

from __future__ import annotations

from typing import Any

from whileai.simulations.rows.content import filled
from whileai.simulations.score.privileged import MOST_LISTED, listed
from whileai.simulations.score.secrets import holds_secrets, untold_leak


def drop_privileged_leaks(rows: list[Any]) -> tuple[list[Any], dict[str, Any]]:
    """The rows less those whose agent quotes, untold, a text of its own `privileged` block of 12 characters or more.

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
            n_checked += holds_secrets(row)
            if (hit := untold_leak(row)) is not None:
                n_dropped += 1
                if n_dropped <= MOST_LISTED:
                    leaked.append(listed(row, *hit))
                continue
        kept.append(row)
    report = {"checked": n_checked > 0, "n_checked": n_checked, "n_dropped": n_dropped, "leaked": leaked}
    return kept, report
