"""`Selection`: rows picked for training, with the account of how they were picked."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from whileai.simulations.defaults import DEFAULT_SELECT_TARGET
from whileai.simulations.errors import warn
from whileai.simulations.reports import Shown
from whileai.simulations.rows.rowlist import RowList
from whileai.simulations.signature import public

_LACKS = "and the file has no"  # how `export_training` says that a file lacks what its rows were made with


class Selection(Shown, RowList):
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

    def _estimated(self) -> dict[str, Any]:
        return self.report

    @public
    def export(
        self,
        output: str | os.PathLike[str] | None = None,
        *,
        format: str = "openai",  # noqa: A002
        unroll: bool = False,
        validate: bool = True,
        system_prompt: str | None = None,
        tools: Any = None,
    ) -> dict[str, Any]:
        """Write the rows as a training file; the report is that of `export_training`, whose keywords these are.

        `system_prompt` and `tools` are by default those the rows were made with. A `UserWarning`, also in the report's
        `warnings`, says when the rows call tools and the file holds no schema of any, and when they were made with a
        system prompt and the file holds none.
        """
        from whileai.simulations.exports import export_training

        report: dict[str, Any] = export_training(
            self, output, format=format, unroll=unroll, validate=validate, system_prompt=system_prompt, tools=tools
        )
        for line in report["warnings"]:
            if _LACKS in line:
                warn(line)
        return report

    @public
    def push(self, name: str, **keywords: Any) -> dict[str, Any]:
        """Publish the rows under a name: `push_rows` with the mode of the selection and its other keywords."""
        from whileai.simulations.registry import push_rows

        entry: dict[str, Any] = push_rows(self, name, **{"mode": self.mode, **keywords})
        return entry


@public
def select(
    source: Any,
    *,
    mode: str | None = None,
    target: int = DEFAULT_SELECT_TARGET,
    band: tuple[float, float] | None = None,
    endorsed: Sequence[str] = (),
    truncated: str = "drop",
    output: str | os.PathLike[str] | None = None,
) -> Selection:
    """`optimize` as a `Selection`: the rows worth training on, with their report, `export` and `push`.

    The arguments are those of `optimize`; `band` is by default its own. `source` is a list of rows, a path, a run, or
    scored rows; of a path the selection is also written, to `output` or beside it.

    >>> rows = [{"task_id": task, "reward": r} for task, r in [("a", 1), ("a", 0), ("b", 1), ("b", 1)]]
    >>> picked = select(rows, mode="rl")
    >>> len(picked), picked.mode, picked.report["account"]["given"]
    (2, 'rl', 4)
    """
    from whileai.simulations.score.optimize import optimize

    banded: dict[str, Any] = {} if band is None else {"band": band}
    rows, report = optimize(
        source, mode=mode, target=target, output=output, endorsed=endorsed, truncated=truncated, **banded
    )
    return Selection.of(source, report, report["mode"], rows)
