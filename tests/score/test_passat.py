from __future__ import annotations

import dataclasses
import json
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai
from whileai.simulations.kernels.estimators import k_way
from whileai.simulations.kernels.intervals import unit_mean_interval
from whileai.simulations.rows.table import RowTable
from whileai.simulations.score.passat import PassTally


def rows(spec: dict[str, list[object]], **extra: object) -> list[dict]:
    return [{"task_id": task, "reward": reward, **extra} for task, rewards in spec.items() for reward in rewards]


def test_tasks_weigh_equally_whatever_their_size() -> None:
    assert wai.pass_at(rows({"a": [1] * 9 + [0], "b": [0]})).pass_at_1 == pytest.approx(0.45)


def test_k_of_a_mixed_group_is_by_integer_binomials() -> None:
    # 5 of 8 pass: C(5,4)/C(8,4) = 5/70 and 1 - C(3,4)/C(8,4) = 1
    found = wai.pass_at(rows({"a": [1, 1, 1, 1, 1, 0, 0, 0]}), k=4)
    assert (found.pass_pow_k, found.pass_at_k) == (pytest.approx(5 / 70), 1.0)


def test_interval_is_the_kernels_over_task_rates_at_the_harmonic_mean_of_rollouts() -> None:
    found = wai.pass_at(rows({"a": [1, 0], "b": [1, 1, 1, 0], "c": [0, 0, 1, 0], "d": [1] * 4}))
    harmonic = 4 / (1 / 2 + 1 / 4 + 1 / 4 + 1 / 4)
    assert found.ci95 == pytest.approx(unit_mean_interval(np.array([0.5, 0.75, 0.25, 1.0]), harmonic, 0.95))


@pytest.mark.parametrize("reward", [0, 1])
def test_unanimous_runs_still_have_an_interval_with_width(reward: int) -> None:
    found = wai.pass_at(rows({t: [reward] * 4 for t in "abcdef"}))
    low, high = found.ci95
    assert (low == 0, high == 1) == (reward == 0, reward == 1)
    assert high - low > 0.3
    assert "check the judge first" in found.note


def test_headroom_may_be_negative_when_groups_are_uneven() -> None:
    found = wai.pass_at(rows({"a": [0, 0, 0, 0], "b": [1], "c": [1]}))
    assert found.headroom == pytest.approx(0 - 2 / 3)


def test_unanimous_short_works_when_no_task_reaches_k() -> None:
    found = wai.pass_at(rows({"a": [1, 1], "b": [0], "c": [1, 0]}), k=6, unanimous_short=True)
    assert (found.pass_pow_k, found.n_groups_at_k, found.n_groups_imputed) == (0.5, 2, 2)


def test_notes_come_in_their_order() -> None:
    note = wai.pass_at(rows({"a": [1, 1], "b": [1], "c": [0.5]})).note
    places = [note.index(part) for part in ("repeats of at least 4", "no interval on pass@1", "1 row")]
    assert places == sorted(places)


def test_one_value_among_fractions_is_named_with_two_decimals() -> None:
    assert wai.pass_at(rows({"a": [0.5, 0.5, 0.5]})).note.startswith("every graded row has reward 0.50 (3 of 3)")


def test_failed_judge_is_named_only_when_no_row_says_ok() -> None:
    failed = [{"task_id": "a", "judge_status": s, "reason": r} for s, r in [("timeout", ""), ("error", "no route")]]
    assert "failed on all 2 rows: error/timeout (no route)" in wai.pass_at(failed).note
    assert "grade the rows" in wai.pass_at([*failed, {"task_id": "a", "judge_status": "ok"}]).note


def test_settings_that_cannot_be_hashed_are_compared_by_value() -> None:
    mixed = [{"reward": 1, "sampling": {"temperature": [1]}}, {"reward": 1, "sampling": {"temperature": [2]}}]
    assert wai.pass_at(mixed).config["mixed"] == ["temperature"]
    assert wai.pass_at(mixed[:1] * 2).config["temperature"] == [1]


def test_one_and_one_point_zero_are_the_same_setting() -> None:
    config = wai.pass_at([{"sampling": {"temperature": t}, "reward": 1} for t in (1, 1.0)]).config
    assert (config["temperature"], config["mixed"]) == (1, [])


def test_row_without_a_reply_field_is_in_no_reply_share() -> None:
    config = wai.pass_at([{"reward": 1}, {"reward": 1, "final_text": "Done."}, {"reward": 0, "messages": []}]).config
    assert (config["answered_share"], config["unclosed_think_share"]) == (0.5, 0.0)


@pytest.mark.parametrize("k", [0, -1])
def test_k_below_one_is_refused(k: int) -> None:
    with pytest.raises(ValueError, match="k must be at least 1"):
        wai.pass_at(rows({"a": [1]}), k=k)


def test_result_is_plain_json_and_prints_one_line() -> None:
    found = wai.pass_at(rows({t: [1, 0, 1, 1] for t in "abc"}))
    assert json.loads(json.dumps(found.to_dict()))["ci95"] == list(found.ci95)
    assert "\n" not in str(found)
    assert found._repr_html_().startswith("<pre>pass@1")


def test_note_from_hostile_text_is_escaped_where_it_is_shown() -> None:
    found = wai.pass_at([{"judge_status": "error", "reason": "\x1b[31m<b>boom"}])
    assert "\x1b" not in str(found)
    assert "<b>" not in found._repr_html_()


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from([0, 1, None, 0.5])), max_size=30), st.randoms())
def test_order_of_rows_changes_no_number(entries: list[tuple[str, object]], order: random.Random) -> None:
    given_rows = [{"task_id": t, "reward": r} for t, r in entries]
    mixed = list(given_rows)
    order.shuffle(mixed)
    one, two = wai.pass_at(given_rows, min_k=2), wai.pass_at(mixed, min_k=2)
    assert one.per_task == two.per_task
    assert (one.note, one.config) == (two.note, two.config)
    numbers = ("pass_at_1", "pass_pow_k", "pass_at_k", "headroom")
    assert [getattr(one, name) for name in numbers] == pytest.approx([getattr(two, name) for name in numbers])


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from([0, 1, None, 0.5])), max_size=30), st.integers(1, 9))
def test_batches_give_what_one_list_gives(entries: list[tuple[str, object]], size: int) -> None:
    given_rows = [{"task_id": t, "reward": r} for t, r in entries]
    tally = PassTally()
    for start in range(0, len(given_rows), size):
        tally.add(RowTable(given_rows[start : start + size], tally.index))
    assert tally.result(min_k=2).to_dict() == wai.pass_at(given_rows, min_k=2).to_dict()


@pytest.mark.parametrize("given", [{"k": float("inf")}, {"k": "four"}, {"min_k": float("nan")}, {"min_k": "two"}])
def test_sizes_that_are_no_whole_number_are_refused_by_name(given: dict[str, object]) -> None:
    tally = PassTally()
    tally.add(RowTable(rows({"a": [1]}), tally.index))
    for rates in (lambda **sizes: wai.pass_at(rows({"a": [1]}), **sizes), tally.result):
        with pytest.raises(ValueError, match=f"^{next(iter(given))} must be a whole number"):
            rates(**given)


def test_dict_of_a_result_is_a_copy() -> None:
    found = wai.pass_at(rows({"a": [1]}))
    found.to_dict()["config"]["mixed"].append("x")
    assert found.config["mixed"] == []


def test_numbers_of_three_tasks_that_pass_three_of_four() -> None:
    # C(3,2)/C(4,2) = 1/2; 1 - C(1,2)/C(4,2) = 1
    found = wai.pass_at(rows({t: [1, 0, 1, 1] for t in "abc"}), k=2, min_k=2).to_dict()
    numbers = {
        "k": 2, "pass_at_1": 0.75, "pass_pow_k": 0.5, "pass_at_k": 1.0, "headroom": 0.25, "n_groups": 3, "n_rows": 12,
        "n_groups_at_k": 3, "n_groups_imputed": 0, "n_partial": 0, "per_task": {"a": 0.75, "b": 0.75, "c": 0.75},
        "note": "",
    }  # fmt: skip
    assert {name: value for name, value in found.items() if name in numbers} == numbers
    assert list(found)[:5] == ["k", "pass_at_1", "pass_pow_k", "pass_at_k", "headroom"]
    assert all(type(found[name]) is list for name in ("ci95", "pass_pow_k_ci95", "pass_at_k_ci95"))


def test_the_line_says_every_number_and_what_to_know_of_the_rows() -> None:
    config = {"truncated_share": 0.25, "answered_share": 0.75}
    ends = {"ci95": (0.5, 0.9), "pass_pow_k_ci95": (0.2, 0.8), "pass_at_k_ci95": (0.6, 1.0)}
    assert str(wai.PassAt(2, 0.75, 0.5, 1.0, 3, 12, config=config, note="x", **ends)) == (
        "pass@1 0.75 [0.50..0.90] | pass^2 (pass_pow_k) 0.50 [0.20..0.80] | pass@2 1.00 [0.60..1.00] | headroom 0.25 "
        "(3 groups, k=2; 25% of rows cut by the token cap; 25% of rows have no spoken reply; x)"
    )
    nothing = wai.PassAt(1, None, None, None, 0, 0, config={"answered_share": 1})
    assert str(nothing) == "pass@1 n/a | pass^1 (pass_pow_k) n/a | pass@1 n/a | headroom n/a (0 groups, k=1)"


UNEVEN = {"a": [1, 0], "b": [1, 0, 1], "c": [1]}
SPREAD = "tasks with repeats have 2 to 3 graded"


@pytest.mark.parametrize(
    ("spec", "options", "k", "note"),
    [
        (UNEVEN, {"min_k": 2}, 2, f"{SPREAD}; k is the smallest"),
        (UNEVEN, {}, 2, f"{SPREAD} and the smallest size is under 4: k=3 would score the 1 task that reached it"),
        (
            {**UNEVEN, "d": [0, 1, 0]},
            {},
            2,
            f"{SPREAD} and the smallest size is under 4: k=3 would score the 2 tasks that reached it",
        ),
        (UNEVEN, {"k": 3, "min_k": 2}, 3, ""),
        (UNEVEN, {"k": 9}, 9, "no task has 9 graded repeats, so there is no pass^9 or pass@9"),
        (
            {"a": [1], "b": [0], "c": [1]},
            {},
            1,
            "k=1: pass^k and pass@k need repeats of at least 4 a task, run each task 4 times",
        ),
    ],
    ids=range(6),
)
def test_the_draw_size_and_what_is_said_of_it(spec: dict, options: dict, k: int, note: str) -> None:
    found = wai.pass_at(rows(spec), **options)
    assert (found.k, found.note) == (k, note)


def test_a_draw_of_one_is_the_pass_rate_where_it_is_asked_for() -> None:
    found = wai.pass_at(rows({"a": [1], "b": [0], "c": [1, 1]}), k=1, min_k=1)
    assert (found.pass_pow_k, found.pass_at_k, found.n_groups_at_k) == (pytest.approx(2 / 3), pytest.approx(2 / 3), 3)


def test_a_mixed_short_task_is_not_filled_in() -> None:
    found = wai.pass_at(rows({"a": [1], "b": [1, 1], "c": [1, 0]}), k=4, unanimous_short=True)
    assert (found.pass_pow_k, found.n_groups_at_k, found.n_groups_imputed) == (1.0, 2, 2)


def test_the_cap_of_the_interval_is_the_harmonic_mean_of_rollouts() -> None:
    """Rates so alike that the effective number of trials is capped at tasks times rollouts."""
    spec = {str(task): [1, 0] for task in range(10)} | {"four": [1, 0, 1, 0], "eight": [1] * 8}
    rates, harmonic = np.array([0.5] * 11 + [1.0]), 12 / (10 / 2 + 1 / 4 + 1 / 8)
    want = unit_mean_interval(rates, harmonic, 0.95)
    at_k = k_way(np.array([2] * 10 + [4, 8]), np.array([1] * 10 + [2, 8]), 2)[1]
    found = wai.pass_at(rows(spec), min_k=2)
    assert found.ci95 == pytest.approx(want)
    assert want != pytest.approx(unit_mean_interval(rates, 1.1 * harmonic, 0.95))
    assert found.pass_at_k_ci95 == pytest.approx(unit_mean_interval(at_k, harmonic, 0.95))


@pytest.mark.parametrize(("k", "drawn"), [(None, 1), (3, 3)])
def test_without_a_label_there_are_no_numbers_and_the_note_says_why(k: int | None, drawn: int) -> None:
    found = wai.pass_at(rows({"a": [None], "b": [0.5, 0.25]}), k=k)
    assert (found.k, found.pass_at_1, found.n_groups, found.n_rows, found.n_partial) == (drawn, None, 0, 0, 2)
    assert found.note == (
        "no row has a 0/1 reward: grade the rows first; "
        "2 rows have a reward other than 0 or 1 and not in the number: criteria of kind='hard' give 0/1"
    )


@pytest.mark.parametrize("reward", [0, 1, -1, "0.50", 0.004, 1 - 1e-9, 12345678.0])
def test_two_rows_of_one_value_are_named_and_a_single_row_is_not(reward: float | str) -> None:
    said = f"every graded row has reward {reward} (2 of 2): check the judge first"
    assert said in wai.pass_at(rows({t: [float(reward)] for t in "ab"})).note.split("; ")
    assert "every graded row" not in wai.pass_at(rows({"a": [float(reward)]})).note


@pytest.mark.parametrize(("n", "said"), [(1, "1 task"), (2, "2 tasks")])
def test_too_few_tasks_for_an_interval_are_counted(n: int, said: str) -> None:
    found = wai.pass_at(rows({str(task): [1, 0, 1, 0] for task in range(n)}))
    assert found.note == (
        f"no interval on pass@1: {said}, 3 needed: add tasks, or give each row its own task_id when the rows are "
        "separate items"
    )


def test_the_failed_judge_gives_its_first_reason() -> None:
    failed = [{}, *({"judge_status": "error", "reason": why} for why in (None, "no route", "no key"))]
    assert wai.pass_at(failed).note == "the judge failed on all 3 rows: error (no route): run the judge again"
    assert wai.pass_at(failed[:2]).note == "the judge failed on the one row: error: run the judge again"


def test_a_reason_is_kept_to_120_characters_and_only_that_of_a_failure() -> None:
    failed = [{"judge_status": "error", "reason": "x" * 121}, {"judge_status": "error", "reason": "later"}]
    assert f"error ({'x' * 120}): run" in wai.pass_at(failed).note


PARTS = [
    [{"task_id": "a", "reward": 1}, {"task_id": "b", "reward": 0.5, "judge_status": "error", "reason": "first"}],
    [{"task_id": "c", "reward": 0.25}, {"task_id": "b", "reward": 1}, {"task_id": "a", "reward": 0}],
]
UNGRADED = [[{"judge_status": "error", "reason": why}, {"judge_status": "timeout"}] for why in ("first", "second")]


@pytest.mark.parametrize("parts", [PARTS, PARTS[::-1], UNGRADED, [[{"reward": 0.5}], [{"reward": 0.5}] * 2]])
def test_tallies_of_parts_merge_into_that_of_all_rows(parts: list[list[dict]]) -> None:
    whole, *others = tallies = [PassTally() for _ in parts]
    for tally, part in zip(tallies, parts, strict=True):
        tally.add(RowTable(part, tally.index))
    for other in others:
        whole.merge(other, whole.index.absorb(other.index))
    assert whole.result(min_k=1).to_dict() == wai.pass_at([row for part in parts for row in part], min_k=1).to_dict()


def test_a_tally_gives_the_k_way_estimates_at_any_draw_size_without_filling_in() -> None:
    tally = PassTally()
    tally.add(RowTable(rows({"a": [1, 0, 1], "b": [1], "c": [0, 0]}), tally.index))
    ways = tally.k_way(2)
    # a: C(2,2)/C(3,2) = 1/3 and 1 - C(1,2)/C(3,2) = 1; b is short
    assert (ways.k, ways.powers.tolist(), ways.ats.tolist()) == (2, [pytest.approx(1 / 3), 0], [1, 0])
    assert (ways.sizes.tolist(), ways.n_imputed) == ([3, 2], 0)
    assert (tally.k_way(9).pow_k(), tally.k_way(9).at_k()) == ((None, None), (None, None))


def test_below_min_k_no_task_is_counted_at_k() -> None:
    found = wai.pass_at(rows({"a": [1, 1], "b": [0]}), unanimous_short=True)
    assert (found.pass_pow_k, found.n_groups_at_k, found.n_groups_imputed) == (None, 0, 0)


def test_one_value_over_batches_is_counted_over_all_of_them() -> None:
    tally = PassTally()
    for task in "ab":
        tally.add(RowTable(rows({task: [1, 1]}), tally.index))
    assert tally.result().note.startswith("every graded row has reward 1 (4 of 4)")


def test_the_dict_has_the_fields_and_the_headroom_and_shares_nothing() -> None:
    found = wai.pass_at(rows({"a": [1]}))
    assert found.to_dict().keys() == {each.name for each in dataclasses.fields(found)} | {"headroom"}
    assert found.to_dict()["per_task"] is not found.per_task
