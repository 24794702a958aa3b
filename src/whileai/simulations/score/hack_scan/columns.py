"""What is read of a row: the hand-picked columns, and the text whose terms are the others."""

from __future__ import annotations

import numbers
import re
from array import array
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.rows.endings import is_truncated
from whileai.simulations.rows.values import LARGEST, finite, is_bool, is_mapping
from whileai.simulations.score.hygiene.turns import assistant_turns, tools_called
from whileai.simulations.score.trace import trace_flags

Floats = NDArray[np.float64]
Extractors = Mapping[str, Callable[[Any], Any]]

_MEASURES = (
    "reply_length",
    "tool_calls",
    "assistant_turns",
    "truncated",
    "n:words",
    "n:digits",
    "n:newlines",
    "n:punct",
    "frac:upper",
)
_UPPER = bytes(range(ord("A"), ord("Z") + 1))
_DIGITS = b"0123456789"
_PUNCTUATION = b"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


def agent_text(row: Mapping[str, Any], said: list[str]) -> str:
    r"""All the agent said, the reply first; `said` is what `agent_texts` gives for the row.

    >>> row = {"steps": [{"text": "One moment."}], "final_text": "Done."}
    >>> agent_text(row, ["One moment.", "Done."])
    'Done.\nOne moment.'
    """
    if len(said) == 1:
        return said[0]
    final = row.get("final_text")
    if not isinstance(final, str) or not final.strip():
        return "\n".join(said)
    return "\n".join([final, *(text for text in said if text.strip() != final.strip())])


class HandColumns:
    """The columns of rows added one after another: `named` gives each with a value for every row, 0 where it has none.

    Those that most rows lack are held by their values, so that a thousand tools cost what their calls do.
    """

    def __init__(self, extractors: Extractors) -> None:
        self._extractors = extractors
        self._measures = array("d")
        self._places: dict[str, array[int]] = {}
        self._values: dict[str, array[float]] = {}
        self._n = 0
        self._broken: dict[str, tuple[int, str]] = {}

    def add(self, row: Mapping[str, Any], said: list[str], text: str, n_words: int) -> int:
        """Take the next row; returns a number that is the same for rows alike in text and columns."""
        made = tools_called(row)
        acts = sum(map(len, said)), len(made), assistant_turns(row, said), is_truncated(row)
        cells = _cells(row, made)
        for name, extract in self._extractors.items():
            cells[name] = self._extracted(name, extract, row)
        self._measures.extend(acts)
        self._measures.extend(_shape(text, n_words))
        for name, value in cells.items():
            if value:
                if name not in self._places:
                    self._places[name], self._values[name] = array("q"), array("d")
                self._places[name].append(self._n)
                self._values[name].append(value)
        self._n += 1
        return hash((text, acts, frozenset(cells.items())))

    def broken(self) -> dict[str, str]:
        """The extractors that raised on every row, each with what it said first."""
        return {name: said for name, (n, said) in self._broken.items() if n == self._n}

    def _extracted(self, name: str, extract: Callable[[Any], Any], row: Mapping[str, Any]) -> float:
        try:
            value = extract(row)
            return 0.0 if isinstance(value, str) else finite(value) or 0.0
        except Exception as error:  # a column that breaks on a row says nothing of it
            n, said = self._broken.get(name) or (0, f"{type(error).__name__}: {error}")
            self._broken[name] = n + 1, said
            return 0.0

    def named(self, min_obs: int) -> Iterator[tuple[str, Floats]]:
        """Each column of at least `min_obs` values other than 0 that is not the same on every row."""
        for name, column in self._columns(min_obs):
            if np.count_nonzero(column) >= min_obs and column.min() < column.max():
                yield name, column

    def _columns(self, min_obs: int) -> Iterator[tuple[str, Floats]]:
        measures = np.frombuffer(self._measures).reshape(-1, len(_MEASURES))
        for name, column in zip(_MEASURES, measures.T, strict=True):
            if name not in self._places:  # else a column of one's own has taken its name
                yield name, np.ascontiguousarray(column)
        for name, places in self._places.items():
            if len(places) >= min_obs:
                column = np.zeros(self._n)
                column[np.frombuffer(places, dtype=np.int64)] = np.frombuffer(self._values[name])
                yield name, column


def _cells(row: Mapping[str, Any], made: list[str]) -> dict[str, float]:
    """The columns that a row has of its own accord; `made` are the tools it called."""
    cells: dict[str, float] = {f"tool:{tool}": 1 for tool in made}
    for flag in trace_flags(row):
        cells[f"trace:{flag}"] = 1
    tokens, logprob = _plain_number(row.get("n_tokens")), _plain_number(row.get("logprob"))
    if logprob is not None and tokens is not None and tokens > 0:
        cells["logprob_mean"] = logprob / tokens
    markers = row.get("markers")
    if is_mapping(markers):
        for name, value in markers.items():
            if (number := _plain_number(value)) is not None:
                cells[f"marker:{name}"] = number
    return cells


def _shape(text: str, n_words: int) -> tuple[float, ...]:
    """Counts over the text, and the share of it in capitals, in the order of `_MEASURES`."""
    plain = text.encode() if text.isascii() else _NOT_ASCII.sub("", text).encode()
    n = len(plain)
    return (
        n_words,
        n - len(plain.translate(None, _DIGITS)),
        text.count("\n"),
        n - len(plain.translate(None, _PUNCTUATION)),
        (n - len(plain.translate(None, _UPPER))) / max(len(text), 1),
    )


def _plain_number(value: Any) -> float | None:
    """A finite number as it stands; booleans and text are none."""
    if type(value) is float or type(value) is int:
        return value if abs(value) <= LARGEST else None
    return finite(value) if isinstance(value, numbers.Real) and not is_bool(value) else None
