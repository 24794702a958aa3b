from __future__ import annotations

import json
import math

import numpy as np
import pytest

from whileai.simulations.rows.table import RowTable
from whileai.simulations.score.runconfig import RunConfig


def config_of(rows: list[dict]) -> dict:
    config = RunConfig()
    config.add(RowTable(rows))
    return config.to_dict(n_tasks=0, k=1)


def test_holders_that_are_no_mapping_count_as_absent() -> None:
    odd = {"sampling": [1], "judge_meta": "v3", "lineage": 7, "policy_version": 5}
    found = config_of([odd])
    assert (found["temperature"], found["judge_version"], found["prompt_hash"], found["policy_version"]) == (
        None,
        None,
        None,
        "5",
    )


def test_prompt_hash_is_the_lineage_digest_else_the_suffix_of_the_policy_version() -> None:
    assert config_of([{"policy_version": "m@ab@cd"}])["prompt_hash"] == "ab@cd"
    assert config_of([{"policy_version": "m@ab", "lineage": {"system_prompt_sha": "ff"}}])["prompt_hash"] == "ff"


def test_shares_are_over_the_rows_that_say() -> None:
    rows = [{"finish_reason": "length"}, {"finish_reason": "stop"}, {"finish_reason": None}, {"reward": 0.5}]
    found = config_of(rows)
    assert (found["truncated_share"], found["answered_share"], found["graded_share"]) == (0.5, None, 0.25)


def test_replies_answer_with_what_is_left_when_thoughts_are_out() -> None:
    replies = ("Done.", "a < b", "<Think>x\n</THINK> ", "<think>a</think>Done.<think>b", "<think>b", "so</think>")
    found = config_of([{"final_text": text} for text in replies])
    assert (found["answered_share"], found["unclosed_think_share"]) == (0.5, 0.3333)


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (np.float32(0.5), 0.5),
        (np.int64(512), 512),
        ({1: 2, "b": 1}, {"1": 2, "b": 1}),
        ({1, 2}, "{1, 2}"),
        ([0.5], [0.5]),
    ],
)
def test_settings_of_any_type_come_out_as_json(value: object, plain: object) -> None:
    found = config_of([{"sampling": {"temperature": value}}, {"sampling": {"temperature": value}}])
    assert (found["temperature"], found["mixed"]) == (plain, [])
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_setting_that_is_no_number_is_absent(value: float) -> None:
    found = config_of([{"sampling": {"temperature": value}}, {"sampling": {"temperature": 0.7}}])
    assert (found["temperature"], found["mixed"]) == (0.7, [])
