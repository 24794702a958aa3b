"""What is read of a row: the hand-picked columns, and the text whose terms are the others."""

from __future__ import annotations

import numbers
import string
from array import array
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.rows.endings import is_truncated
from whileai.simulations.rows.values import LARGEST, finite, is_bool, is_mapping
from whileai.simulations.score.hygiene.acts import Acts

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
_KINDS = bytes(  # a text is made over once by this table, then each kind of character is counted
    ord("A" if chr(code).isupper() else "0" if chr(code).isdigit() else "." if chr(code) in string.punctuation else " ")
    for code in range(128)
).ljust(256)


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
        self._numbers = _Numbers()
        self._tools, self._flags, self._markers = (
            _Prefixed(prefix, self._numbers) for prefix in ("tool:", "trace:", "marker:")
        )
        self._names, self._values, self._held = array("q"), array("d"), array("q")  # cells; how many of each row
        self._n = 0
        self._broken: dict[str, tuple[int, str]] = {}

    def add(self, row: Mapping[str, Any], acts: Acts, text: str, n_words: int) -> int:
        """Take the next row; returns a number that is the same for rows alike in text and columns."""
        counts = sum(map(len, acts.said)), len(acts.tools), acts.turns, is_truncated(row)
        cells = self._cells(row, acts)
        self._measures.extend((*counts, n_words, *_shape(text)))
        self._names.extend(cells)
        self._values.extend(cells.values())
        self._held.append(len(cells))
        self._n += 1
        return hash((text, counts, frozenset(cells.items())))

    def broken(self) -> dict[str, str]:
        """The extractors that raised on every row, each with what it said first."""
        return {name: said for name, (n, said) in self._broken.items() if n == self._n}

    def _cells(self, row: Mapping[str, Any], acts: Acts) -> dict[int, float]:
        """The values of a row other than 0, each by the number of its column."""
        cells: dict[int, float] = {self._tools[name]: 1.0 for name in acts.tools}
        for flag in acts.flags:
            cells[self._flags[flag]] = 1.0
        tokens = _plain_number(row.get("n_tokens"))
        if tokens is not None and tokens > 0 and (logprob := _plain_number(row.get("logprob"))):
            cells[self._numbers["logprob_mean"]] = logprob / tokens
        markers = row.get("markers")
        if is_mapping(markers):
            for name, value in markers.items():
                if number := _plain_number(value):
                    cells[self._markers[name]] = number
        for name, extract in self._extractors.items():
            if value := self._extracted(name, extract, row):
                cells[self._numbers[name]] = value
            elif name in self._numbers:
                cells.pop(self._numbers[name], None)
        return cells

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
            if name not in self._numbers:  # else a column of one's own has taken its name
                yield name, np.ascontiguousarray(column)
        names, values = np.frombuffer(self._names, dtype=np.int64), np.frombuffer(self._values)
        rows = np.repeat(np.arange(self._n), np.frombuffer(self._held, dtype=np.int64))
        order = np.argsort(names, kind="stable")
        counts = np.bincount(names, minlength=len(self._numbers))
        ends = np.cumsum(counts).tolist()
        for name, count, end in zip(self._numbers, counts.tolist(), ends, strict=True):
            if count >= min_obs:
                places = order[end - count : end]
                column = np.zeros(self._n)
                column[rows[places]] = values[places]
                yield name, column


class _Numbers(dict[str, int]):
    """A number for each name, in the order they are first asked for."""

    def __missing__(self, name: str) -> int:
        self[name] = number = len(self)
        return number


class _Prefixed(dict[str, int]):
    """The number of each name with a prefix before it."""

    def __init__(self, prefix: str, numbers: _Numbers) -> None:
        self._prefix, self._numbers = prefix, numbers

    def __missing__(self, name: str) -> int:
        self[name] = number = self._numbers[f"{self._prefix}{name}"]
        return number


def _shape(text: str) -> tuple[float, ...]:
    """Counts over the characters of a text, and the share of it in capitals, in the order of `_MEASURES`."""
    kinds = text.encode("ascii", "ignore").translate(_KINDS)
    return (
        kinds.count(b"0"),
        text.count("\n"),
        kinds.count(b"."),
        kinds.count(b"A") / max(len(text), 1),
    )


def _plain_number(value: Any) -> float | None:
    """A finite number as it stands; booleans and text are none."""
    if type(value) is float or type(value) is int:
        return value if abs(value) <= LARGEST else None
    return finite(value) if isinstance(value, numbers.Real) and not is_bool(value) else None
