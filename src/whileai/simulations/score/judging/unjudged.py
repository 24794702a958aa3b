"""Why a judge gave no verdict, in words for the person who can mend it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from whileai.simulations.reports import counted, printable
from whileai.simulations.rows.values import as_text

Row = Mapping[str, Any]
_CHARS = 300  # of a cause that is shown; convention
_NO_CAUSE = frozenset({"scorer_kind", "markers", "failure_class"})  # what `judge_meta` holds beside the cause


def why_unjudged(row: Row, scored: Row) -> str:
    """Why the scored copy of a row has no verdict: its status, and what the judge or the call to it said.

    The reason on the copy counts only where it is not the one the row had before: that was an earlier judge's.

    >>> row = {"reason": "policy missed"}
    >>> why_unjudged(row, {**row, "judge_status": "error", "judge_meta": {"error": "OSError: down"}})
    'error: OSError: down'
    """
    status, meta = as_text(scored.get("judge_status")), scored.get("judge_meta")
    held = {key: value for key, value in meta.items() if key not in _NO_CAUSE} if isinstance(meta, Mapping) else {}
    error, reason = as_text(held.pop("error", "")), as_text(scored.get("reason"))
    if held.get("reward_type") == "NoneType":
        del held["reward_type"]  # says again that there is no reward
    own = reason if reason != as_text(row.get("reason")) else ""
    said = [part for part in (error or own, ", ".join(f"{key} {value}" for key, value in held.items())) if part]
    return printable(": ".join([status, "; ".join(said)]) if said else status, _CHARS)


def unjudged_text(rows: Sequence[Row], scored: Sequence[Row], what: str = "row") -> str | None:
    """How many of the scored copies have no verdict and why the first has none; None when all have one.

    >>> unjudged_text([{}, {}], [{"judge_status": "ok"}, {"judge_status": "timeout", "judge_meta": {"timeout_s": 2.0}}])
    'no verdict on 1 of 2 rows; the first: timeout: timeout_s 2.0'
    """
    without = [(row, copy) for row, copy in zip(rows, scored, strict=True) if copy.get("judge_status") != "ok"]
    if not without:
        return None
    return f"no verdict on {len(without)} of {counted(len(scored), what)}; the first: {why_unjudged(*without[0])}"
