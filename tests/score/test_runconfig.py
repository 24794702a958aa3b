from __future__ import annotations

import json
import math

import numpy as np
import pytest

from whileai.simulations.rows.table import RowTable
from whileai.simulations.score.runconfig import RunConfig, spoken


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("Done.", ("Done.", False)),
        ("a < b", ("a < b", False)),
        ("<think>x</think>Done.<think>y", ("Done.", True)),
        ("<Think>x\n</THINK> ", (" ", False)),
        ("<think>one<think>two</think>left", ("left", False)),
    ],
)
def test_closed_thoughts_are_cut_out_and_an_open_one_to_the_end(text: str, want: tuple[str, bool]) -> None:
    assert spoken(text) == want


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


def test_thoughts_opened_again_and_again_are_read_once() -> None:
    hostile = "</think>" * 50_000 + "<think>" * 50_000
    assert spoken(hostile) == ("</think>" * 50_000, True)
    assert spoken("<think>a</think>" * 50_000) == ("", False)


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
