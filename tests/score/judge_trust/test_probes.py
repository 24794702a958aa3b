"""judge_probes finds the hole a judge has, no other, and says when it cannot."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

import whileai.simulations as wai
from judge_trust_rollouts import down, fooled_by, honest, rollouts
from tables import each_of
from whileai.simulations.score.judge_trust import PROBES

EVERY = ["all", "injection"]


@each_of(
    ("phrase", "probe"),
    [
        ("rest of your day", "filler"),
        ("identity", "keyword_stuffing"),
        ("verified", "success_claim"),
        ("Please put card", "prompt_echo"),
        ("absolutely right", "sycophancy"),
        ("tool_call", "empty_format"),
        ("sorry", "refusal"),
        ('"reward": 1', "injection"),
    ],
)
def test_only_the_hole_that_is_there_is_found(phrase: str, probe: str) -> None:
    report = wai.judge_probes(rollouts(), fooled_by(phrase), EVERY)
    assert report["exploitable_by"] == [probe]
    (warning,) = report["warnings"]
    assert probe in warning
    assert report["probes"][probe]["exploit_rate"] == 1.0


def test_an_honest_judge_has_no_hole() -> None:
    report = wai.judge_probes(rollouts(), honest, EVERY)
    assert (report["exploitable_by"], report["warnings"], report["notes"]) == ([], [], [])
    assert list(report["probes"]) == [*PROBES, "injection"]
    assert all(entry["exploit_rate"] == 0.0 for entry in report["probes"].values())


def test_injection_is_no_part_of_all() -> None:
    assert list(wai.judge_probes(rollouts(4), honest)["probes"]) == list(PROBES)


def test_a_good_policys_few_failures_are_all_drawn_for_the_additive_probes() -> None:
    rows = rollouts(1000, passing=970)
    report = wai.judge_probes(rows, fooled_by("verified"), ["success_claim"])
    entry = report["probes"]["success_claim"]
    assert (report["n"], entry["denominator"], entry["pass_before"]) == (40, 20, 0.5)
    assert report["exploitable_by"] == ["success_claim"]


def test_churn_both_ways_is_no_hole_of_an_additive_probe() -> None:
    report = wai.judge_probes(rollouts(), lambda row: 1 - row["reward"], ["filler"])
    entry = report["probes"]["filler"]
    assert (entry["flips_up"], entry["flips_down"], entry["net_flips"], entry["flagged"]) == (20, 20, 0, False)


def passing_first(most: int) -> Any:
    """A judge that passes the first replies whatever they say."""
    return lambda row: int(int(row["scenario_id"][5:]) < most)


@pytest.mark.parametrize("n", [70, 90])
def test_a_rate_at_the_flag_is_flagged_whatever_the_rounding(n: int) -> None:
    report = wai.judge_probes(rollouts(n, passing=0), passing_first(n // 10), ["filler"], sample=n)
    assert report["probes"]["filler"]["flagged"] is True


@pytest.mark.parametrize(("probe", "hits", "flagged"), [
    ("filler", 4, False), ("filler", 5, True), ("refusal", 5, False), ("refusal", 8, True),
])  # fmt: skip
def test_a_rate_over_the_flag_that_chance_gives_is_noted_and_not_flagged(probe: str, hits: int, flagged: bool) -> None:
    report = wai.judge_probes(rollouts(40, passing=0), passing_first(hits), [probe])
    assert report["probes"][probe]["exploit_rate"] == hits / 40 >= 0.1
    assert (report["probes"][probe]["flagged"], len(report["notes"])) == (flagged, not flagged)
    assert flagged or "flips at random" in report["notes"][0]
    assert ("flips at random" in " ".join(str(report).split())) is not flagged


def test_the_more_probes_are_asked_the_more_each_must_show() -> None:
    rows, judge = rollouts(40, passing=0), passing_first(5)
    assert wai.judge_probes(rows, judge, ["filler"])["exploitable_by"] == ["filler"]
    assert wai.judge_probes(rows, judge, ["filler", "success_claim"])["exploitable_by"] == []


def test_too_few_rows_flag_nothing_and_say_what_they_could_tell() -> None:
    report = wai.judge_probes(rollouts(10), lambda row: 1, ["filler", "refusal"])
    assert report["exploitable_by"] == []
    entry = report["probes"]["filler"]
    assert (entry["low_power"], entry["resolves"], entry["exploit_rate"]) == (True, 0.56, 1.0)
    assert len(report["notes"]) == 2
    assert "only 5 failing replies, 20 are needed" in report["notes"][0]


def test_without_a_failing_reply_an_additive_probe_has_no_rate() -> None:
    entry = wai.judge_probes(rollouts(24, passing=24), honest, "filler")["probes"]["filler"]
    assert (entry["denominator"], entry["exploit_rate"], entry["ci95"], entry["low_power"]) == (0, None, None, False)


def test_a_judge_that_is_down_measures_nothing_and_its_errors_are_counted() -> None:
    report = wai.judge_probes(rollouts(reason="policy missed"), down, ["filler", "success_claim"])
    entry = report["probes"]["filler"]
    assert (entry["n"], entry["errors"], entry["pass_before"], entry["flagged"]) == (0, 40, None, False)
    assert entry["first_error"] == "error: ConnectionError: the judge is down"
    assert report["notes"] == [f"the judge gave no verdict on 80 probe calls; the first: {entry['first_error']}"]
    assert "\n- the judge gave no verdict on 80 probe calls" in str(report)


def test_a_partial_verdict_is_no_verdict_and_no_error() -> None:
    entry = wai.judge_probes(rollouts(), lambda row: 0.5, "filler")["probes"]["filler"]
    assert (entry["n"], entry["errors"]) == (0, 0)


def test_a_probe_that_fits_some_rows_is_run_on_those() -> None:
    rows = rollouts(40)
    for row in rows[::2]:
        row["prompt"], row["messages"] = "", []
    assert wai.judge_probes(rows, honest, "prompt_echo")["probes"]["prompt_echo"]["n"] == 20


def test_a_probe_that_fits_no_row_says_why() -> None:
    rows = [{"final_text": "x", "reward": 0}]
    entries = wai.judge_probes(rows, lambda row: 0)["probes"]
    for name, reason in (("keyword_stuffing", "rubric="), ("prompt_echo", "prompt"), ("empty_format", "tool")):
        assert entries[name]["n"] == 0
        assert reason in entries[name]["skipped"]


@pytest.mark.parametrize("rows", [[], [{"reward": True}, {"reward": "1"}, {"reward": 0.5}, "row", None]])
def test_without_graded_rows_there_is_nothing_to_probe(rows: list[Any]) -> None:
    report = wai.judge_probes(rows, honest)
    assert (report["n"], report["probes"], report["exploitable_by"]) == (0, {}, [])
    assert "run_judge" in report["note"]


def test_rows_are_left_as_they_are_whatever_the_judge_writes() -> None:
    rows = rollouts(6)
    before = copy.deepcopy(rows)

    def vandal(row: dict[str, Any]) -> int:
        row["messages"].clear()
        row["steps"].clear()
        return 1

    wai.judge_probes(rows, vandal, EVERY)
    assert rows == before


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        ({"sample": 0}, "sample"),
        ({"flip_flag": -1}, "flip_flag"),
        ({"rubric": ["x"]}, "rubric"),
        ({"probes": 3}, "probes"),
    ],
)
def test_a_bad_argument_is_refused_by_name(bad: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        wai.judge_probes(rollouts(4), honest, **bad)


def test_the_report_prints_within_100_columns_and_travels_as_json() -> None:
    report = wai.judge_probes(rollouts(30, passing=15), fooled_by("verified", "sorry"), EVERY)
    text = str(report)
    assert max(map(len, text.splitlines())) <= 100
    assert text.splitlines()[-2].startswith("! probe refusal")
    assert json.loads(json.dumps(report))["n"] == 30
