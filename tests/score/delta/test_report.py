from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai
from examples import few
from strategies import any_dicts

_KEYS = (
    "ok not_comparable target target_verdict headline_verdict target_delta target_ci95 n_metrics alpha level "
    "family_error n_paired_tasks n_unpaired_tasks improved slipped regressions within_noise run_std run_std_by_metric "
    "run_std_source run_std_runs run_std_df noise_band noise_rule eval_runs replicated train_runs train_std train_df "
    "train_delta train_ci95 train_rule ceiling detectable_effect tasks_needed tasks_needed_source degenerate_guards "
    "proxy proxy_verdict proxy_delta proxy_ci95 over_optimized metrics warnings config balanced by groups groups_down "
    "lower_is_better by_source groups_weak slice_min_tasks repeats combined_ci95 combined_p combined_df combined_rule "
    "improved_holm slipped_holm must_not_regress unmeasured_guards only_before only_after "
)


@pytest.mark.parametrize("sides", [(0, 0), (6, 0), (0, 6), (6, 6)])
def test_every_key_is_there_on_every_path(rows: Any, sides: tuple[int, int]) -> None:
    report = wai.delta_report(*(rows([1] * n) for n in sides))
    assert set(report) == set(_KEYS.split())


def test_nothing_against_nothing_is_insufficient_and_passes_the_gate() -> None:
    report = wai.delta_report([], [], target="pass_at_1")
    assert (report["ok"], report["headline_verdict"], report["warnings"][0][:9]) == (
        True,
        "INSUFFICIENT DATA",
        "pass_at_1",
    )


def test_it_is_a_dict_that_prints_pickles_and_copies(rows: Any) -> None:
    report = wai.delta_report(rows([1] * 6), rows([3] * 6))
    assert report == dict(report)
    assert repr(report) == "DeltaReport(ok=True)"
    for other in (pickle.loads(pickle.dumps(report)), copy.deepcopy(report)):
        assert (other, str(other)) == (report, str(report))
    assert report._repr_html_().startswith("<pre>INCONCLUSIVE")


def test_pass_at_1_and_pass_at_agree_on_the_same_rows(rows: Any) -> None:
    side = [*rows([1, 2, 3, 4, 0]), {"task_id": "t9", "reward": 0.5}, {"task_id": "t8", "qwen_reward": "1"}]
    report = wai.delta_report(side, side)
    found = wai.pass_at(side)
    assert (report["n_paired_tasks"], report["metrics"]["pass_at_1"]["mean_a"]) == (found.n_groups, found.pass_at_1)
    assert report["config"]["before"] == found.config


def test_the_entry_is_what_compare_runs_returns(rows: Any) -> None:
    before, after = rows([1, 2, 3, 1, 0, 2, 4]), rows([2, 2, 4, 1, 1, 3, 4])
    alone = wai.compare_runs(before, after, level=0.9)
    entry = wai.delta_report(before, after, alpha=0.1)["metrics"]["pass_at_1"]
    assert {key: entry[key] for key in alone} == {**alone, "level": entry["level"], "ci95": entry["ci95"]}
    assert (entry["level"], *entry["ci95"]) == pytest.approx((alone["level"], *alone["ci95"]))


def test_the_order_of_rows_changes_nothing(rows: Any) -> None:
    before, after = rows([1, 2, 3, 1, 0, 2, 4]), rows([2, 2, 4, 1, 1, 3, 4])
    assert wai.delta_report(before[::-1], after) == wai.delta_report(before, after[::-1])


@pytest.mark.filterwarnings("ignore:overflow encountered", "ignore:invalid value encountered")
@few
@given(st.lists(any_dicts(), max_size=6), st.lists(any_dicts(), max_size=6))
def test_rows_of_any_kind_give_a_report_that_prints(before: list[dict], after: list[dict]) -> None:
    held = copy.deepcopy((before, after))
    report = wai.delta_report(before, after, by="markers", balance_rollouts=True)
    json.dumps(report)
    assert max(map(len, str(report).splitlines())) <= 100
    assert repr((before, after)) == repr(held)
