"""The document of a page: every number is that of the function it is named after, and leads to its rollouts."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import whileai.simulations as wai
from page_rollouts import behind, blocks, page, rollouts, section
from scan_rollouts import rollouts as scanned
from strategies import rows as odd_rows
from whileai.simulations.page.document import report_document
from whileai.simulations.page.fired import FLAGS
from whileai.simulations.page.held import Held
from whileai.simulations.page.parts import warned
from whileai.simulations.page.sections.trust import _facts as trust_facts
from whileai.simulations.score.checks import checks
from whileai.simulations.score.labels import attach_labels
from whileai.simulations.score.overview import overview


def filters_in(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["filter"]] if value.get("filter") else []
        return own + [name for each in value.values() for name in filters_in(each)]
    return [name for each in value for name in filters_in(each)] if isinstance(value, list | tuple) else []


def test_pass_rates_are_those_of_pass_at() -> None:
    rows = rollouts()
    document, expected = page(rows), wai.pass_at(rows)
    first, power, at = document["headline"]
    assert (first["label"], first["value"], first["n"]) == ("pass@1", expected.pass_at_1, 12)
    assert (first["low"], first["high"]) == expected.ci95
    assert (power["label"], power["value"]) == ("pass^4", expected.pass_pow_k)
    assert (at["label"], at["value"]) == ("pass@4", expected.pass_at_k)


def test_every_filter_named_is_there_and_no_other() -> None:
    document = page(rollouts())
    named = filters_in([document["sections"], document["headline"]])
    assert set(named) == set(document["filters"])
    assert all(entry["rollouts"] for entry in document["filters"].values())


def test_flags_have_the_rates_and_correlations_of_the_report_and_lead_to_their_evidence() -> None:
    rows = rollouts()
    document, expected = page(rows), wai.trace_flag_report(rows)["flags"]["lie.phantom_edit"]
    rates, paid = blocks(document, "flags", "intervals")
    assert [(row["label"], row["value"], row["tone"]) for row in rates["rows"]] == [
        ("lie.phantom_edit", expected["rate"], "bad")
    ]
    assert rates["rows"][0]["low"] < 0.25 < rates["rows"][0]["high"]
    assert round(paid["rows"][0]["value"], 3) == expected["reward_corr"]
    assert paid["rows"][0]["low"] < paid["rows"][0]["value"] < paid["rows"][0]["high"]
    found = behind(document, rates["rows"][0]["filter"])
    assert len(found) == document["filters"][rates["rows"][0]["filter"]]["total"] == 12
    for rollout in found:
        evidence = {flag["name"]: flag["evidence"] for flag in rollout["flags"]}["lie.phantom_edit"]
        assert any(evidence in turn["text"] for turn in rollout["turns"])


def test_phrases_have_the_hits_of_the_style_report_and_are_marked_as_they_were_written() -> None:
    rows = rollouts()
    rows[1]["final_text"] = "IT DEPENDS on the build."
    document, expected = page(rows), wai.style_report(rows)["markers"]["no_hedging"]
    row = next(row for row in blocks(document, "phrases", "intervals")[0]["rows"] if row["label"] == "hedging")
    assert row["value"] == pytest.approx(1 - expected["clean"])
    assert (row["low"], row["high"]) == pytest.approx((1 - expected["ci95"][1], 1 - expected["ci95"][0]))
    assert {"name": "phrase: hedging", "evidence": "IT DEPENDS"} in document["rollouts"]["items"][1]["flags"]


def test_markers_have_their_summaries_and_those_on_a_scale_of_their_own_a_table() -> None:
    rows = rollouts()
    document, expected = page(rows), wai.marker_summary(rows)
    rate = blocks(document, "markers", "intervals")[0]["rows"][0]
    assert (rate["label"], rate["value"]) == ("brief", expected["brief"]["mean"])
    assert {item["markers"]["brief"] for item in behind(document, rate["filter"])} == {0.0}
    assert section(document, "markers")["lead"].endswith("A name opens the rows below 1, or all when none is.")
    link = blocks(document, "markers", "intervals")[1]["rows"][0]
    assert link["low"] < link["value"] < link["high"]
    (table,) = blocks(document, "markers", "table")
    assert table["rows"][0]["mean"]["value"] == expected["seconds"]["mean"]


def test_scan_ranking_is_the_scans_and_its_filters_find_as_many_rows_as_it_counted() -> None:
    rows = scanned(asks=15)
    document, expected = page(rows), wai.hack_scan(rows)
    (ranking,) = blocks(document, "scan", "intervals")
    assert [(row["label"], row["value"]) for row in ranking["rows"]] == [
        (feature["name"], feature["rho"]) for feature in expected["features"]
    ]
    assert ranking["band"] == [-expected["tau"], expected["tau"]]
    names = {item["label"].partition(":")[0] for item in blocks(document, "scan", "facts")[1]["items"]}
    assert {row["label"].partition(":")[0] for row in ranking["rows"] if ":" in row["label"]} <= names
    filters = [document["filters"][row["filter"]] for row in ranking["rows"] if row["filter"]]
    assert len(filters) > 5
    assert [len(entry["rollouts"]) for entry in filters] == [entry["total"] for entry in filters]


def test_selection_account_is_that_of_select_for_rl() -> None:
    rows = [*rollouts(), *scanned(asks=6)]
    document = page(rows)
    _, expected = wai.optimize([dict(row) for row in rows], mode="rl", target=len(rows))
    (steps,) = blocks(document, "selection", "steps")
    account = expected["account"]
    assert [step["value"] for step in steps["rows"] if step["kind"] == "dropped"] == [
        n for n in account["dropped"].values() if n
    ]
    assert (steps["rows"][0]["value"], steps["rows"][-1]["value"]) == (account["given"], account["kept"])


def test_tasks_are_listed_with_their_rates_and_lead_to_all_of_their_rollouts() -> None:
    document = page(rollouts())
    (table,) = blocks(document, "difficulty", "table")
    by_task = {row["task"]: row for row in table["rows"]}
    assert (by_task["t3"]["passes"], by_task["t3"]["rollouts"], by_task["t3"]["rate"]["value"]) == (2, 4, 0.5)
    assert [item["attempt"] for item in behind(document, by_task["t3"]["filter"])] == ["0", "1", "2", "3"]
    (histogram,) = blocks(document, "difficulty", "histogram")
    assert sum(each["count"] for each in histogram["bins"]) == 12


def test_judge_trust_needs_labels_and_counts_each_cell() -> None:
    rows = rollouts()
    assert "trust" not in {each["id"] for each in page(rows)["sections"]}
    for number, row in enumerate(rows[:20]):
        row |= {"gold_reward": int(number % 8 == 0), "gold_kind": "human"}
    document, expected = page(rows), wai.judge_trust(rows)
    (table,) = blocks(document, "trust", "confusion")
    counts = expected["agreement"]["confusion"]
    cells = [[cell["count"] for cell in row] for row in table["cells"]]
    assert cells == [[counts["tp"], counts["fp"]], [counts["fn"], counts["tn"]]]
    wrong = behind(document, table["cells"][0][1]["filter"])
    assert {(item["label"], item["gold"]) for item in wrong} == {("pass", 0.0)}
    assert document["queue"][0]["why"] == ["the judge says pass, people say fail"]


def test_rows_without_a_grade_have_no_rates_and_say_what_to_do() -> None:
    document = page([{"task_id": "a", "final_text": "Yes."}, {"task_id": "b", "final_text": "No."}])
    assert document["headline"] == []
    assert [each["id"] for each in document["sections"]] == ["flags", "length", "read", "missing"]
    rows = blocks(document, "missing", "table")[0]["rows"]
    assert any("ungraded" in row["text"] and row["fix"] for row in rows)
    assert {item["label"] for item in document["rollouts"]["items"]} == {"ungraded"}


def test_no_rows_give_a_page_that_says_so() -> None:
    document = page([])
    assert document["rollouts"]["items"] == []
    assert section(document, "read")["lead"] == "0 rows of 0 tasks; 0 graded."


def test_flags_are_those_of_wai_check() -> None:
    rows = [
        {**row, "final_text": "I issued the refund.", "steps": [], "prompt": "Refund order 5"} for row in rollouts()
    ]
    found = {name: entry["n"] for name, entry in checks(rows)["checks"].items() if entry["n"]}
    assert found["conduct"] > 0
    document = page(rows)
    rates = {row["label"]: row["value"] * len(rows) for row in blocks(document, "flags", "intervals")[0]["rows"]}
    assert rates == pytest.approx({name: n for name, n in found.items() if name in FLAGS})


def test_no_verdict_is_no_failure() -> None:
    document = page([{**row, "reward": None} for row in rollouts()])
    assert document["warnings"][0]["text"] == "no row is graded, so there are no pass rates"
    assert document["warnings"][0]["fix"]
    reasons = [row["label"] for row in blocks(document, "review-reasons", "bars")[0]["rows"]]
    assert reasons == ["a flag fired, and there is no verdict"]


def test_rewards_beyond_1_are_headed_by_their_mean() -> None:
    document = page(
        [{**row, "reward": 2 * row["reward"] if i % 2 else row["reward"]} for i, row in enumerate(rollouts())]
    )
    assert [each["label"] for each in document["headline"]] == ["mean reward"]
    assert {item["label"] for item in document["rollouts"]["items"]} == {"pass", "fail", "other"}


def test_a_mean_of_rewards_from_0_to_1_is_drawn_from_0_to_1() -> None:
    halves = [{**row, "reward": row["reward"] / 2} for row in rollouts()]
    assert blocks(page(halves), "passes", "intervals")[-1]["domain"] == [0.0, 1.0]
    assert (
        blocks(page([{**row, "reward": 3 * row["reward"]} for row in halves]), "passes", "intervals")[-1]["domain"]
        is None
    )


def test_a_task_shows_its_ungraded_rollouts_too() -> None:
    rows = rollouts()
    rows[1] = {**rows[1], "reward": None}
    document = page(rows)
    bins = blocks(document, "difficulty", "histogram")[0]["bins"]
    assert sum(document["filters"][each["filter"]]["total"] for each in bins if each["filter"]) == len(rows)


def test_the_labels_that_may_explain_a_length_gap_are_said() -> None:
    entry = {"gap_long_minus_short": 0.2, "p_value": 0.01, "n": 50, "labels_may_explain": True}
    agreement = {"confusion": {"tp": 1, "fp": 1, "fn": 1, "tn": 1}}
    found = {"agreement": agreement, "skipped": {"n_gold": 4, "n_used": 4}, "n_labeled": 4, "gold_kind": "human"}
    facts = trust_facts({**found, "length_sensitivity": {"gold_1": entry}})
    assert [each["note"] for each in facts][-1] == "p 0.01; 50 rows; wrong labels would give such a gap as well"


def test_a_name_at_the_end_of_a_warning_is_no_fix() -> None:
    assert warned("after Holm still up: pass_at_1; still down: marker:polite", None)["fix"] is None


def test_warnings_stand_at_the_top_each_with_its_fix() -> None:
    warnings = page(rollouts())["warnings"]
    paid = next(each for each in warnings if "lie.phantom_edit" in each["text"])
    assert paid["section"] == "flags"
    assert paid["fix"] == "read its rollouts, and mend the judge before you train on it if it is what pays"


def test_a_warning_of_cut_rows_leads_to_them() -> None:
    warnings = page([{**row, "finish_reason": "length"} for row in rollouts()])["warnings"]
    assert next(each["section"] for each in warnings if "token cap" in each["text"]) == "length"


def test_rollouts_of_one_length_have_no_histogram_of_it() -> None:
    document = page([{"task_id": "a", "final_text": "Yes.", "reward": 1}])
    assert not blocks(document, "length", "histogram")


def test_verdicts_are_counted_by_file_where_there_are_several() -> None:
    held, rows = Held(), rollouts()
    for name, part in (("one.jsonl", rows[:8]), ("two.jsonl", rows[8:])):
        held.add(part, name)
    document = dict(report_document(held, overview(rows)))
    first, second = blocks(document, "read", "table")[0]["rows"]
    passed = sum(row["reward"] for row in rows[:8])
    assert (first["file"], first["rows"], first["pass"], first["fail"]) == ("one.jsonl", 8, passed, 8 - passed)
    assert document["filters"][second["filter"]]["total"] == len(rows) - 8
    assert not blocks(page(rows), "read", "table")


def test_labels_made_from_the_page_land_on_the_rows_they_were_given_for() -> None:
    rows = [*rollouts(tasks=3), {"task_id": "alone", "reward": 1}, {"prompt": "Hi", "final_text": "Ho.", "reward": 0}]
    items = page(rows)["rollouts"]["items"]
    labels = [{"key": item["key"], "label": position % 2, "annotator": "ana"} for position, item in enumerate(items)]
    labelled, report = attach_labels(copy.deepcopy(rows), labels)
    assert (report["matched"], report["unmatched"]) == (len(rows), 0)
    assert [row["gold_reward"] for row in labelled] == [position % 2 for position in range(len(rows))]


def test_rollouts_that_no_name_tells_apart_have_no_key_and_that_is_said() -> None:
    document = page([{"task_id": "a", "final_text": "Yes.", "reward": 1}] * 2)
    assert [item["key"] for item in document["rollouts"]["items"]] == [None, None]
    assert any("cannot be labelled" in each["text"] for each in document["warnings"])


def test_the_same_rows_give_the_same_page_and_are_not_changed() -> None:
    rows = rollouts()
    before = copy.deepcopy(rows)
    assert json.dumps(page(rows)) == json.dumps(page(rows))
    assert rows == before


@settings(max_examples=8)
@given(st.lists(odd_rows(), max_size=4))
def test_odd_rows_pass_through_as_data(rows: list[dict[str, Any]]) -> None:
    document = page(rows)
    assert json.loads(json.dumps(document, allow_nan=False))["rollouts"]["total"] == len(rows)
    assert set(filters_in([document["sections"], document["headline"]])) == set(document["filters"])
