from __future__ import annotations

from typing import Any

import whileai.simulations as wai


def runs(rows: Any, *passes: list[int]) -> list[dict]:
    return [row for i, each in enumerate(passes) for row in rows(each, lineage={"eval_run": i})]


def test_equal_counts_pair_run_by_run_in_the_order_of_their_stamps(rows: Any) -> None:
    before = runs(rows, [1] * 8, [3] * 8)
    after = runs(rows, [3] * 8, [1] * 8)
    found = wai.delta_report(before[::-1], after)["repeats"]
    assert (found["pairing"], found["run_deltas"], found["run_tags"]) == ("run by run", [0.5, -0.5], ["up", "DOWN"])
    assert (found["pooled_tag"], found["agree"], found["note"]) == ("flat", 0, "0/2 runs agree")
    assert found["spread"] == {"before": 0.5, "after": 0.5}
    assert found["range"]["before"] == (0.25, 0.75)


def test_unequal_counts_compare_each_run_of_the_longer_side_with_all_rows(rows: Any) -> None:
    found = wai.delta_report(rows([1] * 8), runs(rows, [3] * 8, [1] * 8, [3] * 8))["repeats"]
    assert found["run_tags"] == ["up", "flat", "up"]
    assert (found["n"], found["note"]) == (3, "2/3 runs agree")
    assert found["n_runs"] == {"before": 1, "after": 3}


def test_training_seeds_stand_in_for_runs(rows: Any) -> None:
    seeds = [rows([3] * 8), rows([4] * 8)]
    found = wai.delta_report(rows([1] * 8), seeds[0], train_runs=seeds)["repeats"]
    assert found["run_means"] == {"before": [0.25], "after": [0.75, 1.0]}


def test_the_pooled_tag_uses_the_band_and_the_runs_do_not(rows: Any) -> None:
    sides = runs(rows, [1] * 8, [1] * 8), runs(rows, [2] * 8, [2] * 8)
    found = wai.delta_report(*sides, run_std=0.5)["repeats"]
    assert (found["run_tags"], found["pooled_tag"], found["agree"]) == (["up", "up"], "flat", 0)


def test_one_run_says_where_the_noise_comes_from(rows: Any) -> None:
    sides = rows([1] * 8), rows([2] * 8)
    assert wai.delta_report(*sides)["repeats"]["note"] == "1 run, noise unknown"
    assert wai.delta_report(*sides, run_std=0.1)["repeats"]["note"] == "1 run, noise from the given run_std"


def test_tags_where_lower_is_better_are_down_for_a_win_and_up_in_capitals_for_a_slip(rows: Any) -> None:
    sides = runs(rows, [1] * 8, [3] * 8), runs(rows, [3] * 8, [1] * 8)
    assert wai.delta_report(*sides, lower_is_better="pass_at_1")["repeats"]["run_tags"] == ["UP", "down"]


def test_a_stamp_of_its_own_on_every_row_is_not_compared_run_by_run(rows: Any) -> None:
    side = [{**row, "lineage": {"eval_run": i}} for i, row in enumerate(rows([1] * 40))]
    found = wai.delta_report(side, side)["repeats"]
    assert (found["n"], found["note"]) == (0, "more than 100 runs: not compared one by one")
