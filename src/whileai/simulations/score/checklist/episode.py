"""What the outcome rules ask of an episode, each answer worked out when first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import takewhile
from typing import Any

from whileai.simulations.rows.calls import Call
from whileai.simulations.rows.claims import asks_back, declines
from whileai.simulations.rows.content import filled
from whileai.simulations.rows.effects import PENDING, may_change, succeeded_change
from whileai.simulations.rows.text import calls, reply
from whileai.simulations.score.checklist.citation import cited

_SUCCESS = frozenset({"ok", "created", "success", "done", "updated", "deleted", "completed", "succeeded"})


class Episode:
    """The calls and the reply of a row."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        self._row = row

    @cached_property
    def calls(self) -> list[Call]:
        """The agent's calls in order."""
        return calls(self._row)

    @cached_property
    def reply(self) -> str:
        """The reply, `""` when there is none."""
        return reply(self._row) or ""

    @cached_property
    def wrote(self) -> bool:
        """Whether a write happened."""
        return any(map(succeeded_change, self.calls))

    @property
    def asks(self) -> bool:
        """Whether the reply asks a question."""
        return asks_back(self.reply)

    @property
    def called_write(self) -> bool:
        """Whether a write was called, whatever came of it."""
        return any(may_change(call.name) for call in self.calls)

    @property
    def read_before_calling_write(self) -> bool:
        """Whether a read came before the first write that was called; a look-up that finds nothing is a look, too."""
        return not all(map(_writes, self.calls[:1]))

    @property
    def read_before_write(self) -> bool:
        """Whether a read came before the first write that happened."""
        return not all(map(_writes, takewhile(lambda call: not succeeded_change(call), self.calls)))

    @property
    def declined_over(self) -> str | None:
        """What the reply cites of what a read returned while it declines; None when it does not."""
        return cited(self.reply, filter(_answered_read, self.calls)) if declines(self.reply) else None


def _writes(call: Call) -> bool:
    return may_change(call.name)


def _answered_read(call: Call) -> bool:
    return call.answered and not call.failed and not _writes(call)


def call_succeeded(call: Call) -> bool:
    """Whether the result of a call says that it went through.

    A status word of the tool's own (`shipped`) is the record of a read, and no success of a write; a result without a
    status that is neither empty nor a failure is a success; `queued` and `pending` are neither success nor failure.

    >>> [call_succeeded(Call("refund", result={"status": s}, answered=True)) for s in ("OK", "queued", "odd")]
    [True, False, False]
    """
    if call.failed or not call.answered:
        return False
    status = call.result.get("status") if isinstance(call.result, Mapping) else None
    if not isinstance(status, str):
        return filled(call.result)
    word = status.strip().lower()
    return word in _SUCCESS or (word not in PENDING and not may_change(call.name))
