"""Rows in Arrow: each as JSON in one column, beside its task and its grade.

The messages of rollouts vary from row to row, and one Arrow schema that fits them all fills what a message lacks with
nulls, so that the rows that come back are not those that went in. A column of JSON keeps them as they are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from whileai.simulations.errors import MissingExtraError
from whileai.simulations.rows.grade import grade
from whileai.simulations.rows.task import task_key

ROW, TASK, GRADE = "row", "task_key", "grade"  # the columns: JSON bytes, text, a float that is null when ungraded
_BATCH = 1024  # rows of a block that a transformation makes


def packed(rows: Iterable[Any]) -> Any:
    """Rows as a pyarrow table of the three columns; what is no row is left out.

    >>> packed([{"task_id": "a", "reward": 1}]).to_pylist()
    [{'row': b'{"task_id":"a","reward":1}', 'task_key': 'a', 'grade': 1.0}]
    """
    from whileai.simulations.rows.rowjson import row_json

    arrow = _arrow()
    held = [row for row in rows if isinstance(row, dict)]
    names = [task_key(row).encode("utf-8", "replace").decode() for row in held]
    return arrow.table(
        {
            ROW: arrow.array([row_json(row) for row in held], type=arrow.large_binary()),
            TASK: arrow.array(names, type=arrow.large_string()),
            GRADE: arrow.array([None if math.isnan(value := grade(row)) else value for row in held], arrow.float64()),
        }
    )


def in_tables(rows: Iterable[Any]) -> Iterator[Any]:
    """Rows as tables of at most 1,024, of no rows one that is empty."""
    left = iter(rows)
    yield packed(islice(left, _BATCH))
    while some := list(islice(left, _BATCH)):
        yield packed(some)


def unpacked(block: Any) -> list[dict[str, Any]]:
    """The rows of a block: from the JSON column, else from columns of structs, whose null keys are dropped.

    >>> unpacked(packed([{"task_id": "a", "reward": 1}]))
    [{'task_id': 'a', 'reward': 1}]
    """
    arrow = _arrow()
    table = block if isinstance(block, arrow.Table) else arrow.Table.from_pandas(block, preserve_index=False)
    if is_packed(table.schema):
        from whileai.simulations.rows.jsontext import parse

        return [parse(text) for text in table.column(ROW).to_pylist()]
    from whileai.simulations.rows.columns import batch_records

    records = batch_records(table)
    return [{name: value for name, value in record.items() if value is not None} for record in records]


def is_packed(schema: Any) -> bool:
    """Whether a block has the columns of `packed`."""
    return {ROW, TASK} <= set(schema.names) and "binary" in str(schema.field(ROW).type)


def _arrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise MissingExtraError("pyarrow", extra="ray", what="rows in a ray.data.Dataset") from None
    return pyarrow
