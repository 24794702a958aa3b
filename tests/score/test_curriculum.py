from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai


def graded(**passes: str) -> list[dict]:
    return [{"task_id": t, "prompt": f"ask {t}", "reward": int(r)} for t, rewards in passes.items() for r in rewards]


labels = st.text("01", min_size=1, max_size=8)
tasks = st.dictionaries(st.sampled_from("abcdefghij"), labels)


@given(tasks, st.integers(-1, 5), st.integers(0, 4))
def test_every_labelled_task_is_in_one_list_and_buckets_hold_the_schedule(passes: dict, tiers: int, least: int) -> None:
    report = wai.curriculum(graded(**passes), tiers=tiers, min_rollouts=least)
    lists = [report[name] for name in ("trainable", "retired", "not_ready", "thin")]
    assert sorted(item["task_id"] for items in lists for item in items) == sorted(passes)
    assert [item["task_id"] for bucket in report["tiers"] for item in bucket] == report["schedule"]
    sizes = [len(bucket) for bucket in report["tiers"]]
    assert (len(sizes), max(sizes) - min(sizes) <= 1) == (max(1, tiers), True)


def test_earlier_buckets_take_the_extra_tasks() -> None:
    names = "abcde"
    sizes = {
        n: [len(b) for b in wai.curriculum(graded(**dict.fromkeys(names[:n], "10")))["tiers"]] for n in (1, 2, 4, 5)
    }
    assert sizes == {1: [1, 0, 0], 2: [1, 1, 0], 4: [2, 1, 1], 5: [2, 2, 1]}


def test_edges_are_compared_exactly() -> None:
    rows = graded(a="100", b="110")
    assert wai.curriculum(rows, floor=1 / 3, solved=2 / 3)["schedule"] == ["b", "a"]


def test_solved_wins_where_floor_lies_above_it() -> None:
    report = wai.curriculum(graded(a="1100"), solved=0.4, floor=0.6)
    assert (report["n_solved"], report["n_not_ready"]) == (1, 0)


def test_lists_but_the_trainable_keep_the_order_of_first_appearance() -> None:
    report = wai.curriculum(graded(z="11", b="00", m="111", a="0000"))
    assert [item["task_id"] for item in report["retired"]] == ["z", "m"]
    assert [item["task_id"] for item in report["not_ready"]] == ["b", "a"]


def test_prompt_is_the_first_text_seen_for_the_task() -> None:
    rows = [
        {"scenario_id": "s", "reward": 1},
        {"scenario_id": "s", "reward": 0, "prompt": [{"role": "user", "content": "Refund order 5."}]},
        {"scenario_id": "s", "reward": 0, "prompt": "later"},
    ]
    assert wai.curriculum(rows)["trainable"][0]["prompt"] == "Refund order 5."


def test_ungraded_and_fractional_tasks_are_left_out_and_odd_items_skipped() -> None:
    rows = [None, "x", {"task_id": "a", "reward": 0.5}, {"task_id": "b"}, *graded(c="10")]
    assert wai.curriculum(rows)["n_tasks"] == 1


@pytest.mark.parametrize("call", [wai.curriculum, wai.retire_solved])
def test_rows_are_left_as_they_were(call: object) -> None:
    rows = graded(a="11", b="10")
    held = copy.deepcopy(rows)
    call(rows)
    assert rows == held


def test_retiring_drops_every_row_of_a_solved_task_and_returns_the_same_objects() -> None:
    rows = [*graded(a="11", b="10"), {"task_id": "a", "reward": None}, {"task_id": "c", "reward": 0.9}]
    kept = wai.retire_solved(iter(rows))
    assert [row["task_id"] for row in kept] == ["b", "b", "c"]
    assert kept[0] is rows[2]


def test_empty_buckets_keep_their_number_in_print() -> None:
    report = {**wai.curriculum(graded(a="10", b="1110")), "tiers": [[], wai.curriculum(graded(a="10"))["trainable"]]}
    assert wai.format_curriculum(report).splitlines()[1:] == ["tier 2: 1 task, pass 0.50 -> 0.50"]


def test_report_prints_as_its_format_function() -> None:
    report = wai.curriculum(graded(a="10", b="11110", c="11", d="0"))
    assert str(report) == wai.format_curriculum(report)
    assert str(report).splitlines()[0] == "tasks 4  trainable 2 (in band 2)  retired 1  not ready 0  thin 1"


def test_missing_key_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        wai.format_curriculum({"n_tasks": 1})


@pytest.mark.parametrize(
    "given",
    [{"tiers": 2.5}, {"band": None}, {"band": (0.8, 0.2)}, {"solved": "x"}, {"solved": float("nan")}, {"floor": 5},
     {"min_rollouts": None}],
)  # fmt: skip
def test_bad_arguments_are_refused_by_name(given: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(given))} must be"):
        wai.curriculum([], **given)
