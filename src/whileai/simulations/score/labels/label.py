"""What a gold label is: exactly 0 or 1, in a record that says who gave it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.rows.values import finite, is_bool
from whileai.simulations.score.labels.identity import written

Floats = NDArray[np.float64]
GOLD, GOLD_LABELS = "gold_reward", "gold_labels"
UNKNOWN = "unknown"
_PLAIN = frozenset({int, float, type(None)})


def exact_label(value: Any) -> int | None:
    """0 or 1 when the value is that number; None for booleans, text, fractions and everything else.

    >>> [exact_label(v) for v in (1, 0.0, True, "1", 0.5, None)]
    [1, 0, None, None, None, None]
    """
    if type(value) is int:
        return value if value == 0 or value == 1 else None
    if isinstance(value, str) or is_bool(value):
        return None
    read = finite(value)
    return int(read) if read == 0 or read == 1 else None


def exact_labels(values: Sequence[Any]) -> Floats:
    """`exact_label` of each value, NaN for None.

    >>> exact_labels([1, 0.5, "1", 0]).tolist()
    [1.0, nan, nan, 0.0]
    """
    if set(map(type, values)) <= _PLAIN:
        try:
            read = np.array(values, dtype=np.float64)
        except OverflowError:
            pass
        else:
            return np.where((read == 0) | (read == 1), read, np.nan)
    labels = map(exact_label, values)
    return np.fromiter((np.nan if label is None else label for label in labels), dtype=np.float64, count=len(values))


def annotator_of(record: Any) -> str:
    """Who gave the label of a record, `unknown` when it does not say.

    >>> annotator_of({"annotator": "ana"}), annotator_of({"label": 1})
    ('ana', 'unknown')
    """
    return (written(record.get("annotator")) if isinstance(record, Mapping) else "") or UNKNOWN


def records_of(row: Mapping[str, Any]) -> list[tuple[Mapping[str, Any], int]]:
    """The records in a row's `gold_labels` that carry a 0/1 label, each with its label, in order.

    >>> records_of({"gold_labels": [{"label": 1}, {"label": None}, "yes"]})
    [({'label': 1}, 1)]
    """
    held = row.get(GOLD_LABELS)
    if not isinstance(held, list | tuple):
        return []
    read = ((record, exact_label(record.get("label"))) for record in held if isinstance(record, Mapping))
    return [(record, label) for record, label in read if label is not None]
