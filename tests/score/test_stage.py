"""Stages of rows, and tasks that are trained on and evaluated."""

from __future__ import annotations

import pytest

import whileai.simulations as wai


def test_a_stamp_goes_on_copies_in_lower_case():
    rows = [{"prompt": "a", "stage": "mid"}, "no row"]
    stamped = wai.stamp_stage(rows, "RL")
    assert stamped == [{"prompt": "a", "stage": "rl"}, "no row"]
    assert rows[0]["stage"] == "mid"


@pytest.mark.parametrize("stage", ["dpo", "", " rl"])
def test_a_stage_that_does_not_exist_is_named_with_those_that_do(stage):
    with pytest.raises(ValueError, match="sft, rm, rl, eval, mid"):
        wai.stamp_stage([{"prompt": "a"}], stage)


@pytest.mark.parametrize(
    ("row", "stage"),
    [
        ({"stage": "RL", "purpose": "eval"}, "rl"),
        ({"stage": "warmup"}, "warmup"),
        ({"stage": "", "lineage": {"source": "eval"}}, "eval"),
        ({"lineage": {"source": "Eval"}}, None),
        ({"purpose": "holdout"}, None),
        ("text", None),
    ],
    ids=range(6),
)
def test_the_stage_of_a_row(row, stage):
    assert wai.stage_of(row) == stage


def test_only_a_task_of_eval_and_of_training_leaks():
    pairs = [("a", "sft"), ("a", "rl"), ("b", "rl"), ("b", "eval"), ("c", "eval"), ("d", "warmup"), ("d", "eval")]
    report = wai.stage_report([{"task_id": task, "stage": stage} for task, stage in pairs])
    assert (report["eval_train_leaks"], report["n_leaks"]) == (["b"], 1)
    assert report["tasks_per_stage"] == {"sft": 1, "rl": 2, "eval": 3, "warmup": 1}
    assert len(report["warnings"]) == 1


def test_all_leaks_are_counted_and_fifty_listed():
    rows = [{"task_id": f"t{i:03d}", "stage": stage} for i in range(70) for stage in ("rl", "eval")]
    report = wai.stage_report(rows)
    assert (report["n_leaks"], len(report["eval_train_leaks"])) == (70, 50)


def test_the_printed_block_shows_no_control_characters():
    block = wai.format_stages({"counts": {"x\x1b[2J": 1, "rl": 2}, "warnings": ["a\nb"]})
    assert block.startswith("  rl: 2  x")
    assert "\x1b" not in block
    assert len(block.splitlines()) == 2


def test_text_is_no_rows() -> None:
    with pytest.raises(TypeError, match="rows must be an iterable of dicts"):
        wai.stamp_stage("abc", "sft")
    with pytest.raises(TypeError, match="rows must be an iterable of dicts"):
        wai.stage_report("abc")
