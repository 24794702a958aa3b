"""What may not be published, and what must be said of what may."""

from __future__ import annotations

import json
import re

import pytest

import whileai.simulations as wai
from scan_rollouts import rollouts


def batch(groups, **extra):
    return [
        {"task_id": f"t{i}", "prompt": f"ask number {i}", "final_text": f"reply {i} {j}.", "reward": reward, **extra}
        for i, rewards in enumerate(groups)
        for j, reward in enumerate(rewards)
    ]


@pytest.mark.parametrize(
    ("groups", "options", "code"),
    [
        ([[None, None]], {}, "ungraded_rl_rows"),
        ([[0.5, 0.25]], {}, "ungraded_rl_rows"),
        ([[1, 1], [0, 0]], {}, "no_mixed_groups"),
        ([[1], [0]], {"mode": "RL"}, "no_mixed_groups"),
        ([], {"mode": "rl"}, "ungraded_rl_rows"),
    ],
    ids=range(5),
)
def test_rows_that_cannot_train_are_refused_with_the_reason_first(groups, options, code):
    with pytest.raises(wai.PublishGateError, match=f"^{code}"):
        wai.publish_gate(batch(groups), **options)
    report = wai.publish_gate(batch(groups), strict=False, **options)
    assert (report["ok"], report["refusal"].split(":")[0]) == (False, code)


@pytest.mark.parametrize("groups", [[], [[None]], [[1], [1]]], ids=str)
def test_rows_that_are_not_rl_shaped_are_never_refused(groups):
    report = wai.publish_gate(batch(groups))
    assert (report["ok"], report["hack_scan"], report["refusal"]) == (True, None, None)


def test_stamps_are_on_the_rows_also_when_the_call_raises():
    rows = batch([[1, 1]])
    with pytest.raises(ValueError, match="no_mixed_groups"):
        wai.publish_gate(rows)
    assert rows[0]["calibration"]["pass_rate"] == 1.0


def test_warnings_count_what_a_trainer_must_know():
    rows = batch([[1, 0], [1, 1], [1, 0, 0, 0, 0, 0, 0, 0, 0, 0], [1, None]])
    said = " | ".join(wai.publish_gate(rows)["warnings"])
    for part in (
        "1 of 2 mixed asks outside the band 20%-80%",
        "1 unanimous ask present",
        "1 row without a 0/1 label",
    ):
        assert part in said


@pytest.mark.parametrize("band", [(0.8, 0.2), (0.2,), "ab", (0, 2)], ids=str)
def test_a_band_that_is_none_is_refused(band):
    with pytest.raises(ValueError, match="band"):
        wai.publish_gate(batch([[1, 0]]), band=band)


def test_the_report_is_plain_and_prints_within_100_columns():
    report = wai.publish_gate(batch([[1, 0], [1, 1]]))
    assert json.loads(json.dumps(report)) == dict(report)
    assert str(report).startswith("ok: 4 rows, 2 tasks, RL-shaped")
    assert max(map(len, str(report).splitlines())) <= 100


GRADED = [{"task_id": t, "reward": r} for t in "ab" for r in (1, 0, 1, 0)]


def test_the_block_gives_the_refusal_the_signal_and_each_warning():
    block = str(wai.publish_gate(batch([[1, 1], [0, 0], [0]]), strict=False)).splitlines()
    assert block[:3] == [
        "refused: 5 rows, 3 tasks, RL-shaped",
        "no_mixed_groups: all 2 groups agree on their reward, so a grouped update has no gradient: sample",
        "  harder or easier tasks, or more rollouts",
    ]
    assert block[3] == "mixed 0 (in band 20%-80% 0)  all zero 1  all one 1  single 1"
    report = wai.publish_gate(batch([[1, 0], [1, 1]]), band=(0.1, 0.9))
    assert str(report).splitlines()[1] == "mixed 1 (in band 10%-90% 1)  all zero 0  all one 1  single 0"
    assert sum(line.startswith("! ") for line in str(report).splitlines()) == len(report["warnings"])


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="mode must be one of"):
        wai.publish_gate(GRADED, mode="dpo")


def test_rows_of_a_task_and_a_reward_are_no_duplicates() -> None:
    assert not any("duplicate" in line for line in wai.publish_gate(GRADED)["warnings"])
    spoken = [{**row, "final_text": "Done."} for row in GRADED]
    assert any("duplicate" in line for line in wai.publish_gate(spoken)["warnings"])


@pytest.mark.parametrize(("endorsed", "why"), [([], "is empty"), (["tool:isue_refund"], "names no feature")], ids=str)
def test_strict_hacks_that_cannot_judge_says_so_first(endorsed: list[str], why: str) -> None:
    rows = [{**row, "final_text": "word " * place} for place, row in enumerate(GRADED * 10)]
    found = wai.publish_gate(rows, endorsed=endorsed, strict_hacks=True)
    assert found["ok"]
    assert why in found["warnings"][0]
    assert not any("strict_hacks" in line for line in wai.publish_gate(rows, endorsed=endorsed)["warnings"])


def test_text_is_no_rows() -> None:
    with pytest.raises(TypeError, match="rows must be an iterable of dicts"):
        wai.publish_gate("x")


def test_the_trust_found_on_the_rows_is_passed_on() -> None:
    rows = batch([[1, 0]])
    metas = [{"trust": None}, {"trust": {"verdict": "trusted"}}]
    held = [{**row, "judge_meta": meta} for row, meta in zip(rows, metas, strict=True)]
    assert wai.publish_gate(held)["judge_trust"] == {"verdict": "trusted"}
    assert wai.publish_gate(rows)["judge_trust"] is None


def test_each_warning_in_its_words() -> None:
    rows = batch([[1, 0], [1] + [0] * 9])
    rows[1]["final_text"] = rows[0]["final_text"]
    for row in rows[:2]:
        row["calibration"] = {"n": 16, "pass_rate": 0.5}
    said = wai.publish_gate(rows, endorsed=["tool:none"], strict_hacks=True)["warnings"]
    for line in (
        "strict_hacks judged nothing: endorsed names no feature there is; name in it what the reward is meant to follow"
        ", as in tool:lookup_order",
        "1 of 2 mixed asks outside the band 20%-80%: little contrast in each, trim_out_of_band leaves them out",
        "2 rows kept the calibration carried from before a selection: k=2 is what is left here",
    ):
        assert line in said
    assert any(line.startswith("1 duplicate rollout present in 1 task") for line in said)
    empty = wai.publish_gate(rows, strict_hacks=True)["warnings"][0]
    assert empty.startswith("strict_hacks judged nothing: endorsed is empty; name")


@pytest.mark.parametrize("groups", [[[1], [None]], [[1, 1], [0, None]]], ids=["not RL-shaped", "refused"])
def test_only_rows_that_may_train_are_told_of_their_signal(groups: list) -> None:
    said = wai.publish_gate(batch(groups), strict=False)["warnings"]
    assert not any("0/1 label" in line or "unanimous" in line for line in said)


NO_GRADIENT = "so a grouped update has no gradient: sample harder or easier tasks, or more rollouts"


@pytest.mark.parametrize(
    ("groups", "options", "refusal"),
    [
        ([[None]], {"mode": "rl"}, "ungraded_rl_rows: none of 1 row has a 0/1 reward: grade first, then publish"),
        ([[1, 1], [0, 0], [1]], {}, f"no_mixed_groups: all 2 groups agree on their reward, {NO_GRADIENT}"),
        ([[1], [0]], {"mode": "rl"}, f"no_mixed_groups: no task has two graded rollouts, {NO_GRADIENT}"),
    ],
)
def test_each_refusal_in_its_words(groups: list, options: dict, refusal: str) -> None:
    with pytest.raises(wai.PublishGateError, match=f"^{re.escape(refusal)}$"):
        wai.publish_gate(batch(groups), **options)


def test_a_reward_that_follows_what_is_not_endorsed_is_refused_in_the_words_of_the_scan() -> None:
    rows = rollouts(pays="phrase")
    scan = wai.hack_scan(rows, endorsed=["tool:lookup_order"])
    assert scan["regime"] == "reward_hack"
    with pytest.raises(wai.PublishGateError, match=f"^{re.escape('reward_hack: ' + scan['warnings'][0])}$"):
        wai.publish_gate(rows, endorsed=["tool:lookup_order"], strict_hacks=True)
    let_go = wai.publish_gate(rows, endorsed=["tool:lookup_order"])
    assert (let_go["ok"], let_go["hack_scan"]["regime"]) == (True, "reward_hack")
    assert scan["warnings"][0] in let_go["warnings"]


def test_the_report_holds_the_reports_it_rests_on() -> None:
    rows = [dict(row, prompt=f"please refund the late parcel of order {row['task_id']} by tomorrow noon at the latest")
            for row in batch([[1, 0, 1, 0], [1, 1, 0, 0]])]  # fmt: skip
    found = wai.publish_gate(rows, mode="RL", band=(0.1, 0.9), model="m")
    assert found["calibration"]["student"]["model"] == "m"
    assert found["band"] == [0.1, 0.9]
    assert (found["mode"], found["warnings"][0]) == (
        "RL",
        "1 pair of asks say nearly the same (2 asks): each pair weighs as one task twice, drop one side",
    )
    assert found["near_duplicate_prompts"] == wai.near_duplicate_prompts(rows)
    assert found["length"] == wai.length_report(rows)
    assert found["correlations"] == wai.reward_correlations(rows)
    assert found["duplicates"] == wai.dedupe_groups(rows)[1]
    assert found["signal"] == dict(wai.group_signal(rows, 0.1, 0.9))
    assert list(found) == [
        "ok", "judge_trust", "rl_shaped", "mode", "band", "signal", "calibration", "duplicates",
        "near_duplicate_prompts", "length", "correlations", "hack_scan", "warnings", "refusal",
    ]  # fmt: skip


def test_rows_without_a_label_and_unanimous_asks_are_told_in_these_words() -> None:
    said = wai.publish_gate(batch([[1, 0], [1, 1], [0, 0], [1, None]]))["warnings"]
    assert "2 unanimous asks present: no gradient there, trim_unanimous_groups leaves them out" in said
    assert "1 row without a 0/1 label: grade them, or leave them out" in said


def test_rewards_that_are_booleans_are_refused_with_their_own_fix() -> None:
    rows = [{"task_id": "a", "reward": r} for r in (True, False)]
    refusal = wai.publish_gate(rows, strict=False)["refusal"]
    assert refusal.startswith("ungraded_rl_rows: none of 2 rows has a 0/1 reward: grade first, then publish; ")
    assert refusal.endswith("2 of 2 rows with a boolean reward, which is no 0/1 label: write int(reward)")


def test_the_block_says_when_rows_are_not_rl_shaped() -> None:
    assert str(wai.publish_gate([{"task_id": "a", "prompt": "Hi", "reward": 1}])) == "ok: 1 row, 1 task, not RL-shaped"
