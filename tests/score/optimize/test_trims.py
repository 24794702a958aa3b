from __future__ import annotations

import copy

from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai

rewards = st.sampled_from([0, 1, 1.0, 0.0, "1", 0.5, 0.9999999, True, None, float("nan")])
rows = st.lists(
    st.fixed_dictionaries(
        {"task_id": st.sampled_from("abcd")},
        optional={
            "reward": rewards,
            "pass_rate": st.sampled_from([0, 0.1, 0.5, 0.9, 1, True, 7]),
            "n": st.integers(-1, 9),
        },
    ),
    max_size=24,
)


@given(rows, st.integers(-1, 4))
def test_tasks_go_or_stay_whole_and_the_counts_add_up(given_rows: list[dict], min_k: int) -> None:
    before = copy.deepcopy(given_rows)
    for kept, report in (wai.trim_unanimous_groups(given_rows, min_k), wai.trim_out_of_band(given_rows, min_k=min_k)):
        assert report["n"] == len(given_rows) == report["n_kept"] + report["n_dropped"]
        stayed = {row["task_id"] for row in kept}
        assert [id(row) for row in kept] == [id(row) for row in given_rows if row["task_id"] in stayed]
        assert len({row["task_id"] for row in given_rows}) == len(stayed) + report["n_groups_dropped"]
        assert f"={report['n_kept']:,}" in str(report).replace(" ", "")
    assert repr(given_rows) == repr(before)


@given(rows)
def test_trimming_again_drops_nothing(given_rows: list[dict]) -> None:
    for trim in (wai.trim_unanimous_groups, wai.trim_out_of_band):
        kept, _ = trim(given_rows)
        assert trim(kept)[1]["n_dropped"] == 0


def test_half_credit_is_no_rate_of_one_half() -> None:
    flat = [{"task_id": "a", "reward": 0.5} for _ in range(4)]
    kept, report = wai.trim_out_of_band(flat, 0.6, 0.8)
    assert (kept, report["too_hard"], report["from_rates"]) == (flat, 0, 0)
    assert "4 of 4 rows with partial credit" in str(report)


def test_a_carried_rate_is_taken_at_its_word_without_an_n() -> None:
    table = [
        {"task_id": "a", "pass_rate": 0.9},
        {"task_id": "b", "pass_rate": 0.9, "n": 1},
        {"task_id": "c", "calibration": {"pass_rate": 0.9, "n": 8}},
        {"task_id": "d", "pass_rate": True},
    ]
    kept, report = wai.trim_out_of_band(table)
    assert [row["task_id"] for row in kept] == ["b", "d"]
    assert (report["too_easy"], report["from_rates"]) == (2, 3)


def test_labels_beat_a_carried_rate() -> None:
    held = [{"task_id": "a", "reward": r, "pass_rate": 0.99, "n": 64} for r in (1, 0)]
    assert wai.trim_out_of_band(held)[0] == held
