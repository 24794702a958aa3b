"""Which fault of the world a rollout met, by the first tool result that shows one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from whileai.simulations.rows.calls import Call
from whileai.simulations.rows.content import filled
from whileai.simulations.rows.failure import is_garbled
from whileai.simulations.rows.text import calls
from whileai.simulations.rows.values import is_bool, is_mapping

NO_FAULT = "no fault"
_ERROR = "error"
_KINDS = {
    **{kind: kind for kind in ("not_found", "timeout", "error", "stale", "malformed", "already_done", "deny")},
    **dict.fromkeys(("denied", "permission_denied", "unauthorized", "blocked"), "deny"),
    "already_acted_on": "already_done",
    "stale_result": "stale",
    "malformed_result": "malformed",
    "timed_out": "timeout",
    "failed": "error",
}
_NO_MODE = frozenset({"", "none", "ok", "success"})
_HTTP = re.compile(r"(?:http(?:/\d(?:\.\d)?)?_?)?([45]\d\d)(?!\d)")
_LONGEST = 40  # characters of a status word


def fault_kind(row: Mapping[str, Any]) -> str:
    """The fault a rollout met: a tool's answer such as `not_found`, an HTTP code, else `no fault`.

    A row without any result is known by the first `mode` of its `faults` plan.

    >>> fault_kind({"steps": [{"tool": "get", "result": {"status": "not_found"}}, {"tool": "get", "result": "ok"}]})
    'not_found'
    >>> fault_kind({"steps": [{"tool": "pay", "result": {"status": "paid"}}]})
    'no fault'
    >>> fault_kind({"steps": [{"tool": "get", "result": {"status": "ok", "data": "<<garbled resp0nse"}}]})
    'malformed'
    """
    answered = [call for call in calls(row) if call.answered]
    if not answered:
        return _planned(row.get("faults"))
    return next((kind for call in answered if (kind := _shown(call)) is not None), NO_FAULT)


def most_met(rows: Iterable[Mapping[str, Any]]) -> str:
    """The fault kind most rows met; of equals the first by name, so that the order of rows does not matter."""
    counts = Counter(map(fault_kind, rows))
    return min(counts, key=lambda kind: (-counts[kind], kind))


def _shown(call: Call) -> str | None:
    """The fault a result shows; one that failed in no known way is an `error`."""
    result = call.result
    if is_mapping(result):
        kind = _named(result.get("status")) or _named(result.get("reason"))
        if kind is not None:
            return kind
    if not call.failed:
        return None
    if any(map(is_garbled, _texts(result))):
        return "malformed"
    if isinstance(result, str):
        return _of_text(result) or _ERROR
    if is_mapping(result):
        error = result.get("error")
        cells = (result, error if is_mapping(error) else {}, call.step or {})
        words = (error, *(cell.get(name) for cell in cells for name in ("code", "status_code", "status", "type")))
        found = next((kind for word in words if (kind := _named(word)) is not None), None)
        return found or ("stale" if filled(result.get("stale")) else _ERROR)
    return _ERROR


def _texts(result: Any) -> list[str]:
    held = result.values() if is_mapping(result) else (result,)
    return [text for text in held if isinstance(text, str)]


def _named(value: Any) -> str | None:
    if isinstance(value, str):
        return _of_word(value) if len(value) <= _LONGEST else None
    if isinstance(value, int) and not is_bool(value) and 400 <= value < 600:
        return str(value)
    return None


@lru_cache(maxsize=512)
def _of_word(value: str) -> str | None:
    word = value.strip().lower().replace(" ", "_").replace("-", "_")
    if found := _HTTP.match(word):
        return found[1]
    return _KINDS.get(word)


def _of_text(text: str) -> str | None:
    """The kind a failed text names in its first words ("Error: timeout")."""
    words = text[:80].replace(":", " ").split()[:3]
    return next((kind for word in words[1:] if (kind := _of_word(word)) is not None), None)


def _planned(faults: Any) -> str:
    plans = faults.values() if is_mapping(faults) else faults if isinstance(faults, list | tuple) else ()
    for plan in (faults, *plans):
        mode = plan.get("mode") if is_mapping(plan) else None
        if isinstance(mode, str) and mode.strip().lower() not in _NO_MODE:
            return _of_word(mode) or mode
    return NO_FAULT
