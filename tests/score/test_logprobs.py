"""Confidence, distance from a reference and staleness, worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai
from examples import few

odd = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.just(10**400))


def scored(*means, tokens=10, **extra):
    return [{"task_id": f"t{i}", "logprob": mean * tokens, "n_tokens": tokens, **extra} for i, mean in enumerate(means)]


def test_quantiles_are_nearest_ranks_of_row_means_and_the_mean_is_over_tokens():
    rows = [*scored(-0.1, -0.2, -0.3, -0.4), *scored(-2.0, tokens=100)]
    report = wai.logprob_report(rows)
    assert report["mean_token_logprob"] == pytest.approx(-(10 + 200) / 140, abs=1e-4)
    assert (report["row_mean_p10"], report["row_mean_p50"], report["row_mean_p90"]) == (-2.0, -0.3, -0.1)


def test_confidence_that_pays_is_warned_of_and_confidence_that_costs_is_not():
    means, rewards = [-1.0, -0.8, -0.5, -0.1], [0, 0, 1, 1]
    rows = [{**row, "reward": reward} for row, reward in zip(scored(*means), rewards, strict=True)]
    expected = np.corrcoef(means, rewards)[0, 1]
    report = wai.logprob_report(rows)
    assert report["corr_reward_confidence"] == pytest.approx(expected, abs=1e-4)
    assert "confidence" in report["warnings"][0]
    turned = wai.logprob_report([{**row, "reward": 1 - row["reward"]} for row in rows])
    assert turned["corr_reward_confidence"] == pytest.approx(-expected, abs=1e-4)
    assert turned["warnings"] == []


@few
@given(st.lists(st.dictionaries(st.sampled_from(["logprob", "n_tokens", "reward", "ref_logprob"]), odd)))
def test_odd_values_are_missing_values(rows):
    report, kl = wai.logprob_report(rows), wai.mean_kl(rows)
    assert report["n_with_logprobs"] <= report["n_rows"] == len(rows) == kl["n_rows"] + kl["n_skipped"]
    for value in (report["mean_token_logprob"], report["corr_reward_confidence"]):
        assert value is None or not math.isnan(value)


def test_kl_pools_tokens_within_a_task_and_over_all():
    rows = [
        {"task_id": "a", "logprob": -10.0, "ref_logprob": -20.0, "n_tokens": 10},
        {"task_id": "a", "logprob": -10.0, "ref_logprob": -10.0, "n_tokens": 90},
        {"task_id": "b", "logprob": -5.0, "ref_logprob": 0.0, "n_tokens": 100},
    ]
    found = wai.mean_kl(rows)
    assert found["per_task"] == {"a": 0.1, "b": -0.05}
    assert (found["mean_kl"], found["n_tokens"]) == (0.025, 200)


def test_reference_rows_match_by_one_identity_and_the_first_wins():
    rows = [{"rollout_id": "r1", "task_id": "a", "logprob": -10.0, "n_tokens": 10}]
    reference = [{"rollout_id": "r1", "logprob": -12.0}, {"rollout_id": "r1", "logprob": -99.0}]
    assert wai.mean_kl(rows, reference)["mean_kl"] == 0.2
    chat = {"messages": [{"role": "assistant", "content": "Done."}], "prompt": "Hi"}
    assert wai.mean_kl([{**chat, "logprob": -1.0, "n_tokens": 1}], [{**chat, "logprob": -3.0}])["mean_kl"] == 2.0


def test_rows_of_another_or_an_unknown_model_are_stale():
    rows = [{"policy_version": 0, "model_version": "m1"}, {"model_version": "m2"}, {}]
    report = wai.staleness_report(rows, base_model="m2")
    assert report["versions"] == {"0": 1, "m2": 1, "unknown": 1}
    assert (report["stale"], report["stale_share"]) == (2, 0.6667)
    assert [text.split()[0] for text in report["warnings"]] == ["3", "2/3", "3/3"]


def test_no_rows_have_no_shares():
    report = wai.staleness_report([], base_model="m")
    assert (report["stale"], report["stale_share"], report["logprob_coverage"]) == (0, None, None)
    assert wai.mean_kl([])["mean_kl"] is None


def test_a_logprob_above_zero_is_said() -> None:
    said = wai.logprob_report([{"logprob": value, "n_tokens": 4} for value in (-2.0, 2.0)])["warnings"]
    assert [line for line in said if line.startswith("1 of 2 rows with a logprob above 0")]
    assert not wai.logprob_report([{"logprob": 0.0, "n_tokens": 4}])["warnings"]


def test_a_reference_key_that_no_row_has_is_said() -> None:
    with pytest.warns(UserWarning, match="no row has 'ref_logprb'"):
        assert wai.mean_kl([{"logprob": -1.0, "ref_logprob": -2.0, "n_tokens": 1}], ref="ref_logprb")["mean_kl"] is None
