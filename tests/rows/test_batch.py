"""Rows by column are the rows they were made of."""

from __future__ import annotations

from typing import Any

from tables import each_of
from whileai.simulations.rows.batch import ABSENT, Batch, in_batches

ROWS = [{"task_id": "a", "reward": 1}, {"task_id": "b"}, {"task_id": "c", "reward": 0, "messages": []}]


def batch() -> Batch:
    return Batch({"task_id": "abc", "reward": (1, ABSENT, 0)}, ["reward"], {2: ROWS[2]})


def test_a_batch_is_a_sequence_of_its_rows() -> None:
    assert [*batch()] == batch()[:] == [batch()[at] for at in (0, 1, -1)] == ROWS


def test_a_column_has_none_where_a_row_has_nothing() -> None:
    assert batch().columns == {"task_id": ["a", "b", "c"], "reward": [1, None, 0]}


@each_of("more", [{"task_id": "d"}, {"task_id": "d", "reward": 2, "steps": []}, batch()])
def test_more_rows_of_the_same_keys_are_taken(more: Any) -> None:
    both = batch()
    assert both.columns["reward"] == [1, None, 0]
    assert both.took(more)
    assert [*both] == [*ROWS, *([more] if isinstance(more, dict) else more)]
    assert len(both.columns["reward"]) == len(both)


@each_of("more", [{"task_id": "d", "seed": 1}, Batch({"task_id": "d"})])
def test_rows_of_other_keys_are_not(more: Any) -> None:
    same = batch()
    assert not same.took(more)
    assert [*same] == ROWS


def test_rows_come_in_their_order_however_they_are_held() -> None:
    values = [ROWS[0], batch(), {"task_id": "d"}, {"seed": 1}, batch(), batch(), ROWS[0]]
    rows = [row for value in values for row in (value if isinstance(value, Batch) else [value])]
    found = list(in_batches(values, 6, light=False))
    assert [row for part in found for row in part] == rows
    assert [len(part) for part in found] == [1, 4, 1, 6, 1]


def test_a_key_is_had_where_a_row_has_it() -> None:
    bare = Batch({"task_id": "a", "reward": [ABSENT]}, ["reward"])
    assert [[each.has(key) for key in ("task_id", "reward", "messages")] for each in (batch(), bare)] == [
        [True, True, True],
        [True, False, False],
    ]
