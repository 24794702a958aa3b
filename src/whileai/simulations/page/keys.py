"""The name by which `attach_labels` finds the row of a rollout, where one name finds one row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from whileai.simulations.rows.task import task_id
from whileai.simulations.score.labels.identity import indexed_id, rollout_id, text_id


class Keys:
    """Keys of rows among their like: a name that several rows answer to is nobody's key.

    >>> keys = Keys([{"task_id": "a", "rollout_index": 0}, {"task_id": "a"}, {"task_id": "b"}, {"task_id": "a"}])
    >>> [keys.of(position) for position in range(4)]
    ['a#0', None, 'b', None]
    """

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self._rows = rows

    @cached_property
    def _ids(self) -> Counter[str]:
        return Counter(name for row in self._rows for name in dict.fromkeys(_names(row)))

    @cached_property
    def _texts(self) -> Counter[str]:
        return Counter(map(text_id, self._rows))

    def of(self, position: int) -> str | None:
        """The key of a row, None when every name of it is another row's too."""
        row = self._rows[position]
        own = next((name for name in _names(row) if self._ids[name] == 1), None)
        if own is not None:
            return own
        text = text_id(row)
        return text if text and text not in self._ids and self._texts[text] == 1 else None


def _names(row: Mapping[str, Any]) -> Iterator[str]:
    """The ids a row answers to, as `labels.match` looks for them, the one that is its own first."""
    return filter(None, (rollout_id(row), indexed_id(row), task_id(row)))
