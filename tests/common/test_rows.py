"""Every public function on few rows, odd rows, and rows in other shapes, orders and containers."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from common.given import mixed_rows, odd_rows, row, rows
from common.plain import odd_parts, text, unordered
from common.registry import BY_NAME, CASES, Case
from tables import each_of

OF_ROWS = [case for case in CASES if case.takes == "rows"]
READING = [case for case in CASES if case.takes != "other"]
NEEDS_ROWS = {"compare_judges"}

pytestmark = pytest.mark.filterwarnings("ignore")


@each_of("case", [case for case in READING if case.name not in NEEDS_ROWS])
def test_no_rows_are_no_error(case: Case) -> None:
    case.call([])


def test_a_comparison_of_judges_says_that_it_needs_rows() -> None:
    with pytest.raises(ValueError, match="needs rows"):
        BY_NAME["compare_judges"].call([])


@each_of("case", READING)
def test_one_row_is_no_error(case: Case) -> None:
    case.call([row()])


@each_of("case", READING)
def test_odd_values_of_any_column_are_no_error_and_no_report_holds_any(case: Case) -> None:
    found = case.call(list(odd_rows()))
    if case.takes == "rows" and not case.in_place:
        reports = [part for part in (found if isinstance(found, tuple) else (found,)) if isinstance(part, dict)]
        assert [odd for report in reports for odd in odd_parts(report)] == []


@each_of("case", READING)
def test_rows_of_three_formats_mixed_are_no_error(case: Case) -> None:
    case.call(mixed_rows())


@each_of("case", READING)
def test_keys_that_nobody_knows_change_nothing_but_themselves(case: Case) -> None:
    known = case.call(rows())
    unknown = case.call(rows(unheard_of={"deep": [1]}))
    assert text(unknown).replace(', "unheard_of": {"deep": [1]}', "") == text(known)


@each_of("case", OF_ROWS)
def test_a_generator_is_read_once_and_as_a_list_is(case: Case) -> None:
    assert text(case.call(held for held in rows())) == text(case.call(rows()))


@each_of("case", READING)
def test_tuples_are_read_as_lists_are(case: Case) -> None:
    assert text(case.call(_tuples(rows()))) == text(case.call(rows()))


@each_of("case", OF_ROWS)
def test_the_order_of_rows_changes_no_number(case: Case) -> None:
    first, other = case.call(rows()), case.call(random.Random(1).sample(rows(), len(rows())))
    if not case.order:
        assert unordered(other) == unordered(first)


@each_of("case", [case for case in CASES if not case.live])
def test_what_is_given_stays_as_it_was_unless_its_page_says_in_place(case: Case) -> None:
    held = row() if case.takes == "row" else rows()
    given = case.first(held), dict(case.given)
    before = copy.deepcopy(given)
    case.function(*given[0], **given[1])
    assert (text(given) != text(before)) == case.in_place


@each_of("case", READING)
def test_items_that_are_no_rows_are_left_out_or_named(case: Case) -> None:
    items = [row(0, 0), None, 3, "text", 1.5, row(0, 1)]
    if not case.refuses:
        case.call(items)
        return
    with pytest.raises((TypeError, ValueError), match="dict"):
        case.call(items)


@each_of("case", [case for case in OF_ROWS if not case.name.startswith(("load_", "format_"))])
@each_of("value", [3, {"reward": 1}], ids=["a number", "one row"])
def test_what_holds_no_rows_is_refused(case: Case, value: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"rows|dict|source|pairs"):
        case.function(*_with_first(case, value), **case.given)


@each_of("case", READING)
def test_one_task_of_many_rollouts_and_many_tasks_of_one(case: Case) -> None:
    if case.takes == "rows":
        case.call(rows(1, 80))
        case.call(rows(80, 1))


def _with_first(case: Case, value: Any) -> tuple[Any, ...]:
    if case.name in ("export_preference", "judge_pairs"):
        return (value, *case.first(rows())[1:])
    return (value, *case.first([])[1:])


def _tuples(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _tuples(held) for key, held in value.items()}
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
