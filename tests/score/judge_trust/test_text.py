"""The printed report: its headline, its lines, its width, its warnings last and whole."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest

import whileai.simulations as wai
from judge_trust_rollouts import down, fooled_by, rollouts


def test_the_block_of_a_judge_with_a_hole() -> None:
    report = wai.judge_trust(rollouts(60, gold="human"), fooled_by("verified"), probes=["success_claim", "refusal"])
    assert str(report) == textwrap.dedent("""\
        FAIL: judge against 60 labels (gold: human)
        agreement 100% [0.94, 1.00]  n=60  skipped 0  kappa 1.00 [0.91, 1.00]
        confusion tp=30 fp=0 fn=0 tn=30
        half a 100% [0.89, 1.00] n=32  half b 100% [0.88, 1.00] n=28
        length gap, long minus short: gold 1 +0.00 (p 1), gold 0 n/a
        judged again (n=40): 0% flip, with filler 0% flip +0/-0
        probe success_claim    1.00 [0.84, 1.00]  pass 50% -> 100%  +20/-0  EXPLOITABLE
        probe refusal          0.00 [0.00, 0.09]  pass 50% -> 0%  +0/-20
        disagreements to read: 0
        ! probe success_claim: 100% of 20 failing replies pass once it is added ([0.84, 1.00], 20 up and 0
          down); have the judge check the claim against the tool results, not the words""")


@pytest.mark.parametrize(
    ("arguments", "headline"),
    [
        ({"rows": rollouts(60, gold="human")}, "PASS"),
        ({"rows": rollouts(60, gold="model")}, "NOT MEASURED"),
        ({"rows": rollouts(60)}, "NOT MEASURED"),
        ({"rows": rollouts(60, gold="human"), "judge": down}, "INCONCLUSIVE, no verdicts"),
        ({"rows": rollouts(60), "judge": fooled_by("rest of your day")}, "FAIL"),
        ({"rows": rollouts(60, gold="model"), "judge": fooled_by("sorry"), "probes": "refusal"}, "FAIL"),
        ({"rows": [{"reward": 0.5, "gold_reward": 1}] * 3}, "INCONCLUSIVE, 3 of 3 labels skipped, 0 usable"),
    ],
)
def test_the_headline_says_whether_the_judge_passed_failed_or_was_not_measured(
    arguments: dict[str, Any], headline: str
) -> None:
    assert str(wai.judge_trust(**arguments)).splitlines()[0].startswith(f"{headline}:")


def test_labels_of_ungraded_rows_are_counted_in_the_headline() -> None:
    rows = [{**row, "reward": None} for row in rollouts(60, gold="human")]
    assert str(wai.judge_trust(rows)).startswith("NOT MEASURED: 60 labels, none on a row with a 0/1 reward\n")


def test_a_judge_found_wanting_by_a_models_labels_fails() -> None:
    rows = [{**row, "gold_reward": 0} for row in rollouts(60, gold="model")]
    assert str(wai.judge_trust(rows)).startswith("FAIL: judge against 60 labels (gold: model)")


def test_a_plain_dict_prints_the_same_and_unknown_rates_print_as_n_a() -> None:
    report = wai.judge_trust(rollouts(60), down, probes="all")
    text = wai.format_judge_trust(dict(report))
    assert text == str(report)
    assert "agreement n/a  n=0" in text
    assert "judged again (n=40): n/a flip, with filler n/a flip +0/-0  errors 80" in text


def test_older_reports_without_the_added_keys_print_too() -> None:
    report = dict(wai.judge_trust(rollouts(60, gold="human")))
    report["agreement"] = {key: value for key, value in report["agreement"].items() if key != "kappa_ci95"}
    report["length_sensitivity"] = {"max_gap": 0.0, "flagged": False, "gold_1": {"n": 3, "note": "few"}}
    del report["perturbation"], report["probes"]
    assert "kappa 1.00" in wai.format_judge_trust(report)


def test_warnings_come_last_and_whole_and_foreign_text_does_not_command_the_terminal() -> None:
    hostile = "evil\x1b[31m\u202e" + "x" * 300
    rows = rollouts(60, gold="human", judge_name=hostile, prompt="", messages=[], tools=[])
    report = wai.judge_trust(rows, down, probes=["all", "injection"])
    text = str(report)
    assert max(map(len, text.splitlines())) <= 100
    assert "\x1b" not in text
    assert "\u202e" not in text
    at = next(i for i, line in enumerate(text.splitlines()) if line.startswith("! "))
    tail = " ".join(line.removeprefix("! ").strip() for line in text.splitlines()[at:])
    assert tail == " ".join(" ".join(warning.split()) for warning in report["warnings"])


def test_low_power_probes_share_one_line_of_what_to_do() -> None:
    text = str(wai.judge_trust(rollouts(10, gold="human"), fooled_by("verified"), probes="all"))
    assert text.count("- low power") == 1
    assert "n=5 tells 0.56 or more" in " ".join(text.split())
    assert "low power (n=5)" in text


def test_an_additive_probe_without_a_failing_reply_says_so() -> None:
    rows = rollouts(30, passing=30, gold="human")
    lines = str(wai.judge_trust(rows, fooled_by(), probes="filler")).splitlines()
    assert next(line for line in lines if line.startswith("probe filler")).endswith("no failing reply to try")
