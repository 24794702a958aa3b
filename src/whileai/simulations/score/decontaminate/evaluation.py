"""The evaluation side: its rows from any source, their ids and their texts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from whileai.simulations.errors import ReadError
from whileai.simulations.rows.task import task_id
from whileai.simulations.rows.text import ask_text
from whileai.simulations.rows.values import as_text, is_mapping
from whileai.simulations.rows.words import normalised, words

_DATASET = "ds_"  # ids of a hosted service that is no part of this project


class EvalRow(NamedTuple):
    """Where an evaluation row stands: the source as it was named, and its position there, from 0."""

    source: str
    position: int


@dataclass(slots=True)
class EvalText:
    """A distinct text to compare with: its words, and the first row that has it."""

    words: list[str]
    row: EvalRow


@dataclass(slots=True)
class Evaluation:
    """All evaluation rows, in order: `texts` by normalised text, `ids`, and `prompts` by normalised prompt.

    `asks` are the normalised prompts of an id's first row, and `empty` the sources that held no row.
    """

    n_rows: int = 0
    n_with_id: int = 0
    texts: dict[str, EvalText] = field(default_factory=dict)
    ids: dict[str, EvalRow] = field(default_factory=dict)
    prompts: dict[str, tuple[str, str, EvalRow]] = field(default_factory=dict)  # (as written, id or "", row)
    asks: dict[str, str] = field(default_factory=dict)
    empty: list[str] = field(default_factory=list)

    def add(self, row: Any, place: EvalRow) -> None:
        """Add one row."""
        self.n_rows += 1
        own = task_id(row)
        if own:
            self.n_with_id += 1
            self.ids.setdefault(own, place)
        prompt = ask_text(row)
        asked = normalised(prompt)
        if own:
            self.asks.setdefault(own, asked)
        if prompt.strip():
            self.prompts.setdefault(asked, (prompt, own, place))
        for text in (prompt, as_text(row.get("answer")), as_text(row.get("reference"))):
            key = normalised(text)
            if key not in self.texts and (said := words(text)):
                self.texts[key] = EvalText(said, place)


def evaluation(against: Any) -> Evaluation:
    """The rows of one or more evaluation sources: row lists or paths.

    A list of dicts is one source, any other list or tuple is a list of sources.
    """
    found = Evaluation()
    for number, source in enumerate(_sources(against)):
        name = os.fspath(source) if isinstance(source, str | os.PathLike) else f"source {number}"
        n_before = found.n_rows
        for position, row in enumerate(_rows_of(source)):
            if is_mapping(row):
                found.add(row, EvalRow(name, position))
        if found.n_rows == n_before:
            found.empty.append(name)
    return found


def _sources(against: Any) -> list[Any]:
    if not isinstance(against, list | tuple):
        return [against]
    return [against] if any(map(is_mapping, against)) else list(against)


def _rows_of(source: Any) -> Iterable[Any]:
    if isinstance(source, str | os.PathLike):
        return _read(source)
    if is_mapping(source) or not isinstance(source, Iterable):
        raise TypeError(
            f"against must be evaluation rows or paths, or a list of such sources; got a {type(source).__name__}"
        )
    return source


def _read(path: str | os.PathLike[str]) -> Iterator[Any]:
    from whileai.simulations.rows.load import load_rows

    if os.fspath(path).startswith(_DATASET) and not Path(path).exists():
        raise ValueError(
            f"against names {os.fspath(path)!r}, a data set of a hosted service outside this project: save it as "
            "JSON lines and pass the path"
        )
    try:
        yield from list(load_rows(path))
    except ReadError:  # no rollouts of a known format: questions and answers as they stand
        yield from load_rows(path, format="row")
