"""`Selection`: rows picked for training, with the account of how they were picked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from whileai.simulations.rows.rowlist import RowList


class Selection(RowList):
    """Rows worth training on, with `report` (what each gate dropped) and `mode`; it prints its report.

    >>> picked = Selection.of(RowList([{"reward": 1}]), {"kept": 1}, "rl")
    >>> len(picked), picked.mode, picked.report
    (1, 'rl', {'kept': 1})
    """

    report: dict[str, Any]
    mode: str

    @classmethod
    def of(
        cls, source: Any, report: dict[str, Any], mode: str, rows: Iterable[dict[str, Any]] | None = None
    ) -> Selection:
        """The rows (by default all of the source), with the system prompt and the tools of their source."""
        like = RowList.like(source, source if rows is None else rows)
        picked = cls(like, system_prompt=like.system_prompt, tools=like.tools)
        picked.report, picked.mode = report, mode
        return picked

    def __str__(self) -> str:
        return str(self.report)
