"""Where records come from: a file and what lies beside it, and what was learned while reading it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(slots=True)
class Source:
    """One file (or stream) that is being read; a format module sees it beside each record.

    `name` is the file name without its folder (`lineage.source` of each row). `facts` collects what holds for the
    whole file (run configuration, versions, aggregate metrics): it ends up on the loaded container, never on rows.
    `notes` collects what a reader should know (an assumption made, something left out), each said once.
    `errors` is `"null"` (a failed run is unscored) or `"zero"` (the tool's own filler score counts).
    `rewards` names the columns that are rewards where a file does not say (GRPO completion logs).
    `several` says that other files of the format are read together with this one (ids may need the file's name).
    """

    name: str
    path: Path | None = None
    errors: str = "null"
    rewards: tuple[str, ...] | None = None
    several: bool = False
    facts: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    attempts: Counter[str] = field(default_factory=Counter)
    _siblings: dict[str, Any] = field(default_factory=dict)

    def note(self, text: str) -> None:
        """Keep a remark for the reader of the file, once."""
        if text not in self.notes:
            self.notes.append(text)

    def sibling(self, name: str, *, keep: bool = True) -> Any:
        """The JSON value of the file `name` beside this one, None when there is none that can be read.

        It is read once and kept, unless it is one of many that are each needed once (`keep=False`).
        """
        if not keep:
            return self._read_sibling(name)
        if name not in self._siblings:
            self._siblings[name] = self._read_sibling(name)
        return self._siblings[name]

    def _read_sibling(self, name: str) -> Any:
        if self.path is None:
            return None
        try:
            return json.loads((self.path.parent / name).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return None


def was_read(row: Mapping[str, Any]) -> bool:
    """Whether a format module made the row: what it carries of its record must not be read a second time.

    >>> was_read({"lineage": {"source": "log.json", "format": "inspect"}}), was_read({"lineage": None})
    (True, False)
    """
    lineage = row.get("lineage")
    return isinstance(lineage, Mapping) and isinstance(lineage.get("format"), str)
