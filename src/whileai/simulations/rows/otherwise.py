"""Look-ups that found nothing and did not matter: an earlier one had found what the reply tells."""

from __future__ import annotations

import re
from collections.abc import Sequence

from whileai.simulations.rows.calls import Call
from whileai.simulations.rows.names import may_change
from whileai.simulations.rows.values import as_text

_NOT_FOUND = re.compile(r"not[ _]?found|no (?:such|match|results?)", re.IGNORECASE)
_IDENTIFIER = re.compile(r"\b(?=[\w-]{0,40}\d)[\w-]{3,40}\b")
_MOST_READ = 20_000  # characters of a result or a reply that are read


def found_otherwise(calls: Sequence[Call], said: str, asked: str) -> bool:
    """Whether the last call, a read nobody asked for by name, found nothing, and the reply tells what one before found.

    The reply names an identifier that an earlier call of the same tool returned.

    >>> tries = [Call("find", {"name": "Ann"}, result="ORD-1", answered=True)]
    >>> tries.append(Call("find", {"name": "Anne"}, result={"status": "not_found"}, answered=True))
    >>> found_otherwise(tries, "It is ORD-1.", "My order?"), found_otherwise(tries, "It is ORD-1.", "And that of Anne?")
    (True, False)
    """
    *earlier, last = calls or [Call("")]
    if not last.failed or may_change(last.name) or not _NOT_FOUND.search(as_text(last.result)[:_MOST_READ]):
        return False
    if any(value and as_text(value).lower() in asked.lower() for value in last.arguments.values()):
        return False
    told = set(_IDENTIFIER.findall(said[:_MOST_READ]))
    return any(
        not told.isdisjoint(_IDENTIFIER.findall(as_text(call.result)[:_MOST_READ]))
        for call in earlier
        if call.name == last.name and call.answered and not call.failed
    )
