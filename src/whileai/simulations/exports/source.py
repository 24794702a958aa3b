"""What is exported: the rows of a source, and the system prompt and tools they were made with."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from whileai.simulations.errors import keys_found
from whileai.simulations.exports.settings import Tools
from whileai.simulations.exports.tools import enveloped
from whileai.simulations.exports.turns import Turn
from whileai.simulations.rows.rowlist import RowList
from whileai.simulations.rows.values import is_mapping

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Source:
    """Rows, and what they were made with where they do not say so themselves; `prompts` are known by their hash."""

    rows: Iterable[Any]
    system_prompt: str
    tools: Tools
    prompts: Mapping[Any, Any]

    @classmethod
    def of(cls, source: Any) -> Source:
        """The rows of a run, of scored data, of a list or another iterable, of a table, or of a file."""
        if isinstance(source, str | os.PathLike) or hasattr(source, "columns"):
            from whileai.simulations.rows.load import load_rows

            source = load_rows(source)
        held = source if isinstance(source, list) else getattr(source, "trajectories", None)
        if held is None:
            held = getattr(source, "rows", source)
        if isinstance(held, Mapping | str | bytes) or not isinstance(held, Iterable):
            raise TypeError(f"source is a run, a list of rows or a path, got {type(source).__name__}")
        like = RowList.like(source, ())
        inner = RowList.like(held, ())
        prompts = getattr(source, "system_prompts", None)
        return cls(
            held,
            like.system_prompt or inner.system_prompt,
            enveloped(like.tools or inner.tools or getattr(source, "declared_tools", None)),
            prompts if is_mapping(prompts) else {},
        )

    def __iter__(self) -> Iterator[Row]:
        for number, row in enumerate(self.rows, 1):
            if not is_mapping(row):
                raise ValueError(f"row {number} must be a dict, found {keys_found(row)}{_hint(row)}")
            yield row

    def prompted(self, row: Row, turns: list[Turn], given: str | None) -> list[Turn]:
        """The turns with their system prompt first: the one given, else the row's own, else that of the run."""
        own = bool(turns) and turns[0].role == "system"
        if given is None and own:
            return turns
        lineage = row.get("lineage")
        known = self.prompts.get(lineage.get("system_prompt_sha")) if is_mapping(lineage) else None
        texts = (row.get("system_prompt"), known, self.system_prompt) if given is None else (given,)
        prompt = next((text for text in texts if isinstance(text, str) and text), "")
        return [Turn("system", prompt), *turns[own:]] if prompt else turns

    def tools_of(self, row: Row, given: Tools | None) -> Tools:
        """The tools a row's agent could call: those given, else the row's own, else those of the run."""
        if given is not None:
            return given
        own = row.get("tools")
        declared = [tool for tool in own if is_mapping(tool)] if isinstance(own, list | tuple) else []
        return enveloped(declared) or self.tools


def _hint(row: Any) -> str:
    return ": give the rows alone, not (rows, report)" if isinstance(row, list) else ""
