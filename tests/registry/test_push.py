"""`push_rows` whatever the target: its arguments, the split, what leaves, the card."""

from __future__ import annotations

import copy
import html
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from registry.rollouts import rollouts
from whileai.simulations import PublishGateError, load_rows, pass_at, task_key
from whileai.simulations.registry import push_rows
from whileai.simulations.registry.readme import escaped
from whileai.simulations.registry.split import held_out, split_rows
from whileai.simulations.reports import printable

ROWS = rollouts()
MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
HOSTILE = "<script>alert(1)</script> ![x](https://evil.example/p.png) **b** `c` @all | \x1b[31m\n# Heading\n---"


def pushed(folder: Path, split: str = "train") -> list[dict[str, Any]]:
    return list(load_rows(folder / "v1" / "data" / f"{split}.jsonl"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"mode": "grpo"}, "mode must be one of explore, sft, rl, adaptive, got 'grpo'"),
        ({"purpose": "test"}, "purpose must be one of train, holdout, eval, got 'test'"),
        ({"holdout": 0}, r"holdout must lie strictly between 0 and 1, got 0"),
        ({"holdout": 1.0}, r"holdout must lie strictly between 0 and 1, got 1\.0"),
        ({"holdout": "0.2"}, "holdout must be a number or None, got '0.2'"),
        ({"prove_effect": 0}, "prove_effect must lie strictly between 0 and 1, got 0"),
        ({"timeout": -1}, "timeout must lie strictly between 0"),
        ({"publish": True}, "publish=True needs agent="),
        ({"holdout": 0.2, "purpose": "eval"}, "holdout= splits rows to train on, and purpose is 'eval'"),
        ({"strict_hacks": True}, "strict_hacks= does nothing without gate=True"),
        ({"endorsed": ["tool:refund"]}, "endorsed= does nothing without gate=True"),
        ({"parent": 3}, "parent must be text or None, got 3"),
        ({"holdout": 1e-9}, r"holdout=1e-09 holds out none of 12 tasks"),
        ({"holdout": 0.9999}, r"leaves nothing to train on: 12 tasks, all held out"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "said",
)
def test_wrong_arguments_name_what_is_accepted(options: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=said):
        push_rows(ROWS, tmp_path / "refunds", **options)
    assert list(tmp_path.iterdir()) == []


def test_rows_that_are_none_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no rows to push"):
        push_rows([], tmp_path / "refunds")
    with pytest.raises(ValueError, match="row 2 must be a dict, got a str"):
        push_rows([ROWS[0], "row"], tmp_path / "refunds")
    with pytest.raises(TypeError, match="rows must be an iterable of dicts"):
        push_rows(ROWS[0], tmp_path / "refunds")
    with pytest.raises(ValueError, match="row 1 has no scenario_id, task_id or prompt"):
        push_rows([{"reward": 1}], tmp_path / "refunds", holdout=0.5)
    assert list(tmp_path.iterdir()) == []


def test_modes_and_purposes_are_taken(tmp_path: Path) -> None:
    for mode in ("explore", "sft", "rl", "adaptive", None):
        for purpose in ("train", "holdout", "eval"):
            entry = push_rows(ROWS, tmp_path / f"{mode}-{purpose}", mode=mode, purpose=purpose)
            assert [file["path"] for file in entry["files"]][-1] == f"data/{purpose}.jsonl"


def test_rows_stay_as_they_are(tmp_path: Path) -> None:
    before = copy.deepcopy(ROWS)
    push_rows(ROWS, tmp_path / "refunds", gate=True, mode="rl", holdout=0.3)
    assert before == ROWS


@given(st.lists(st.tuples(st.integers(0, 40), st.booleans()), min_size=1), st.floats(0.05, 0.95))
def test_a_task_is_on_one_side_wherever_its_rows_stand(picks: list[tuple[int, bool]], fraction: float) -> None:
    rows = [{"task_id": f"t{task}", "prompt": "p", "reward": int(reward)} for task, reward in picks]
    try:
        split = split_rows(rows, fraction)
    except ValueError:
        assert len({held_out(task_key(row), fraction) for row in rows}) == 1
        return
    train, held = ({row["task_id"] for row in side} for side in (split.train, split.held))
    assert not train & held
    assert len(split.train) + len(split.held) == len(rows)
    assert sorted(held) == split.tasks == split_rows(rows[::-1], fraction).tasks


def test_the_share_held_out_is_the_fraction_and_grows_with_it() -> None:
    tasks = [f"task-{n}" for n in range(20_000)]
    small = {task for task in tasks if held_out(task, 0.1)}
    large = {task for task in tasks if held_out(task, 0.3)}
    # the standard error of a share of 20,000 is at most 0.0033: four of them
    assert abs(len(small) / 20_000 - 0.1) < 0.0085
    assert abs(len(large) / 20_000 - 0.3) < 0.013
    assert small < large


def test_the_holdout_is_split_by_scenario_then_task_then_prompt(tmp_path: Path) -> None:
    rows = [
        {"scenario_id": scenario, "task_id": f"t{n}", "prompt": f"p{n}", "reward": n % 2}
        for n, scenario in enumerate(["s1", "s2", "s3", "s4", "s5", "s6"] * 2)
    ]
    entry = push_rows(rows, tmp_path / "refunds", holdout=0.5)
    assert entry["holdout_tasks"] == [s for s in ("s1", "s2", "s3", "s4", "s5", "s6") if held_out(s, 0.5)]
    assert {row["scenario_id"] for row in pushed(tmp_path / "refunds", "holdout")} == set(entry["holdout_tasks"])
    assert entry["holdout"]["n_tasks"] == len(entry["holdout_tasks"])


def test_a_holdout_too_small_for_the_gain_is_said(tmp_path: Path) -> None:
    entry = push_rows(ROWS, tmp_path / "refunds", holdout=0.3)
    held = entry["holdout"]
    assert (held["n_tasks"], held["detectable_effect"]) == (3, None)
    assert any(
        f"3 tasks is too small for a paired test, and a gain of 0.05 takes {held['n_tasks_needed']} tasks" in text
        for text in entry["warnings"]
    )
    larger = push_rows(rollouts(40), tmp_path / "larger", holdout=0.3)["holdout"]
    assert larger["n_tasks"] < larger["n_tasks_needed"]
    assert 0.05 < larger["detectable_effect"] < 0.3
    assert push_rows(rollouts(40), tmp_path / "sure", holdout=0.3, prove_effect=0.4)["warnings"] == []


def test_an_ask_on_both_sides_is_said(tmp_path: Path) -> None:
    rows = [{"task_id": f"t{n}", "prompt": "Where is my parcel?", "reward": n % 2} for n in range(20)]
    entry = push_rows(rows, tmp_path / "refunds", holdout=0.4, prove_effect=0.9)
    assert any("1 ask of held-out tasks are also asked in training rows" in text for text in entry["warnings"])


def test_the_gate_sees_the_rows_to_train_on_and_stamps_what_is_sent(tmp_path: Path) -> None:
    entry = push_rows(ROWS, tmp_path / "refunds", gate=True, mode="rl", holdout=0.3)
    assert entry["gate"]["ok"]
    assert entry["gate"]["calibration"]["n_rows"] == entry["n_rows"]
    assert all("calibration" in row for row in pushed(tmp_path / "refunds"))
    assert push_rows(ROWS, tmp_path / "other")["gate"] is None


def test_the_gate_refuses_before_anything_is_sent(tmp_path: Path) -> None:
    ungraded = [{key: value for key, value in row.items() if key != "reward"} for row in ROWS]
    for name in (str(tmp_path / "refunds"), "hf://acme/refunds"):
        with pytest.raises(PublishGateError, match="ungraded_rl_rows"):
            push_rows(ungraded, name, gate=True, mode="rl")
    assert list(tmp_path.iterdir()) == []


def test_nothing_privileged_leaves(tmp_path: Path) -> None:
    secret = "the seal was broken twice"
    rows = [
        {**row, "privileged": {"hidden_state": {"note": secret}}, "meta": {"rubric": secret, "kept": 1}, "_x": secret}
        for row in ROWS
    ]
    push_rows(rows, tmp_path / "refunds", gate=True, mode="rl", holdout=0.3)
    everything = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert secret.encode() not in everything
    assert pushed(tmp_path / "refunds")[0]["meta"] == {"kept": 1}


def test_a_reply_that_quotes_its_privileged_block_is_refused(tmp_path: Path) -> None:
    secret = "the seal was broken twice"
    told = {**ROWS[0], "privileged": {"hidden_state": {"note": secret}}, "final_text": f"No refund: {secret}."}
    with pytest.raises(
        ValueError, match=r"1 row quotes the privileged block .*refund-0 r0, hidden_state.note"
    ) as caught:
        push_rows([told, *ROWS[1:]], tmp_path / "refunds")
    assert secret not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_the_card_has_the_rates_of_its_rows(tmp_path: Path) -> None:
    entry = push_rows(ROWS, tmp_path / "refunds", parent="ds_before", description="Late parcels.", agent="bot")
    said, known = entry["card"]["splits"]["train"]["pass_at"], pass_at(ROWS)
    assert (said["pass_at_1"], said["ci95"]) == (known.pass_at_1, list(known.ci95 or ()))
    page = (tmp_path / "refunds" / "v1" / "README.md").read_text()
    low, high = known.ci95 or (0, 0)
    assert f"- pass@1 {known.pass_at_1:.3f} (95% interval {low:.3f} to {high:.3f}, over 12 tasks)" in page
    for line in ("Late parcels.", "- agent: bot", "- parent: ds_before", "- model_version: student-1 (48)"):
        assert line in page.splitlines()
    assert "Not run: whether these rows can train was not checked" in page


def test_everything_foreign_on_the_card_is_escaped(tmp_path: Path) -> None:
    rows = [
        {**row, "model_version": HOSTILE, "judge_name": HOSTILE, "lineage": {"eval_run": HOSTILE}, "prompt": HOSTILE}
        for row in ROWS
    ]
    push_rows(rows, tmp_path / "refunds", agent=HOSTILE, description=HOSTILE, parent=HOSTILE, gate=True, mode="rl")
    page = (tmp_path / "refunds" / "v1" / "README.md").read_text()
    for markup in ("<script", "![x](", "https://evil", "**b**", "`c`", "@all", "\x1b", "\n# Heading"):
        assert markup not in page
    assert page.count("&lt;script&gt;") == 6
    assert [line for line in page.splitlines() if line == "---"] == ["---", "---"]
    json.loads((tmp_path / "refunds" / "v1" / "card.json").read_text())


@given(st.text(max_size=60) | st.text("<>*_`[]()!#|~&;:/\\\\ ab\n", max_size=30))
def test_escaped_text_is_shown_by_a_renderer_as_it_was(text: str) -> None:
    rendered = MARKDOWN.render(f"- field: {escaped(text)} (3)\n")
    inner = " ".join(rendered.split()).removeprefix("<ul> <li>").removesuffix("</li> </ul>")
    assert "<" not in inner
    assert html.unescape(inner) == " ".join(f"field: {printable(text)} (3)".split())


def test_many_values_of_a_field_are_counted_together(tmp_path: Path) -> None:
    rows = [{**row, "model_version": f"m{n}"} for n, row in enumerate(ROWS)]
    found = push_rows(rows, tmp_path / "refunds")["card"]["lineage"]["model_version"]
    assert len(found) == 11
    assert found[-1] == ["38 other values", 38]


def test_a_run_is_pushed_with_its_trajectories(tmp_path: Path) -> None:
    class Run:
        trajectories = ROWS

    assert push_rows(Run(), tmp_path / "refunds")["n_rows"] == len(ROWS)


def test_the_same_rows_have_the_same_id_wherever_they_go(tmp_path: Path) -> None:
    one = push_rows(ROWS, "refunds", target=tmp_path / "a")
    two = push_rows(iter(ROWS), "refunds", target=tmp_path / "b")
    renamed = push_rows(ROWS, "returns", target=tmp_path / "c")
    assert one["datasetId"] == two["datasetId"] != renamed["datasetId"]
    assert one["sha256"] == renamed["sha256"]


def test_what_is_written_is_read_by_datasets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    datasets = pytest.importorskip("datasets")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    entry = push_rows(ROWS, tmp_path / "refunds", holdout=0.3)
    read = datasets.load_dataset(entry["path"], cache_dir=str(tmp_path / "cache"))
    assert {split: len(rows) for split, rows in read.items()} == {
        "train": entry["n_rows"],
        "holdout": entry["holdout"]["n_rows"],
    }


def test_an_entry_prints_where_it_went(tmp_path: Path) -> None:
    text = str(push_rows(ROWS, tmp_path / "refunds", holdout=0.3))
    assert text.splitlines()[0].startswith("pushed refunds v1, ")
    assert "  holdout: 12 rows of 3 tasks" in text.splitlines()
    assert "  gate: not run" in text.splitlines()
    assert str(push_rows(ROWS, tmp_path / "refunds", holdout=0.3)).startswith("already there: refunds v1, ")
    assert str(push_rows(ROWS, tmp_path / "refunds")).startswith("pushed refunds v2, ")
