"""The page of two runs."""

from __future__ import annotations

import json
from typing import Any

import whileai.simulations as wai
from page_rollouts import behind, blocks, rollouts, section
from whileai.simulations.page.document import compare_document
from whileai.simulations.page.held import Held
from whileai.simulations.score.delta.options import as_options
from whileai.simulations.web.view import rollout_name

READ = [
    {"source": f"runs/{name}.jsonl", "formats": {"row": 48}, "rows": 48, "bad": 0, "first_bad": None, "notes": []}
    for name in ("before", "after")
]


def compared(before: list[dict], after: list[dict], **asked: Any) -> tuple[dict[str, Any], Any]:
    report = wai.delta_report(before, after, **asked)
    sides = Held(), Held()
    for side, rows in zip(sides, (before, after), strict=True):
        side.add(rows)
    return dict(compare_document(*sides, report, READ)), report


def improved() -> list[dict]:
    rows = rollouts()
    for row in rows:
        if row["rollout_index"] == 2:
            row["reward"] = 1
        if row["rollout_index"] == 0 and int(row["task_id"][1:]) % 2:
            row["final_text"] = "Nothing to do."
    return rows


def test_verdict_stands_on_top_and_the_forest_holds_every_metric() -> None:
    document, report = compared(rollouts(), improved())
    assert document["title"] == "Comparison: before.jsonl, after.jsonl"
    assert report["headline_verdict"].startswith(document["headline"][0]["text"])
    assert [each["value"] for each in document["headline"][1:]] == [
        report["metrics"]["pass_at_1"]["mean_a"],
        report["metrics"]["pass_at_1"]["mean_b"],
    ]
    forest, numbers = blocks(document, "change", "intervals")
    entry = report["metrics"]["pass_at_1"]
    assert [row["label"] for row in forest["rows"]] == ["pass@1", "marker:brief"]
    assert [row["label"] for row in numbers["rows"]] == ["marker:seconds"]
    first = forest["rows"][0]
    assert (first["value"], first["low"], first["high"]) == (entry["delta"], *entry["ci95"])
    assert first["tone"] == "good"
    assert blocks(document, "change", "text")[0]["text"] == as_options(str(report))


def test_fixes_name_the_options_of_the_command() -> None:
    rows = [{**row, "markers": {"brief": row["reward"]}} for row in rollouts()]
    document, report = compared(rows, [{**row, "markers": {"brief": 0}} for row in rows], target="pass_at_1")
    assert "must_not_regress" in str(report["warnings"])
    fixes = [each["fix"] for each in document["warnings"]]
    assert "name it with --guard if it must hold" in fixes
    assert "must_not_regress" not in json.dumps(document)


def test_groups_floors_and_guards_are_shown_where_they_were_asked_for() -> None:
    document, report = compared(
        rollouts(), improved(), by="rollout_index", run_std=0.01, run_std_runs=5, must_not_regress=["brief"]
    )
    groups = blocks(document, "change", "intervals")[-1]
    assert {row["label"]: row["value"] for row in groups["rows"]} == {"0": 0.0, "1": 0.0, "2": 1.0, "3": 0.0}
    assert groups["rows"][0]["label"] == "3"  # it never passes
    facts = {item["label"]: item["value"] for item in blocks(document, "change", "facts")[0]["items"]}
    assert (facts["verdict"], facts["gate"]) == (report["headline_verdict"], "ok")
    assert "eval noise" in facts


def test_each_task_shows_both_of_its_rates_and_leads_to_the_rollouts_of_both_sides() -> None:
    document, _ = compared(rollouts(), improved())
    (scatter,) = blocks(document, "tasks", "scatter")
    point = next(each for each in scatter["points"] if each["label"] == "t0")
    assert (point["x"], point["y"]) == (0.5, 0.75)
    files = [item["file"] for item in behind(document, point["filter"])]
    assert files == ["before"] * 4 + ["after"] * 4
    assert section(document, "tasks")["lead"].startswith("12 of 12 tasks are up, 0 are down")
    row = next(each for each in blocks(document, "tasks", "table")[0]["rows"] if each["task"] == "t0")
    assert row["change"]["low"] < row["change"]["value"] == 0.25 < row["change"]["high"]


def test_a_warning_leads_to_the_section_that_shows_its_rows() -> None:
    fewer = [row for row in rollouts() if (row["task_id"], row["rollout_index"]) != ("t0", 3)]
    document, _ = compared(fewer, rollouts())
    assert next(each["section"] for each in document["warnings"] if "short of rollouts" in each["text"]) == "tasks"


def test_a_flag_that_fires_less_is_a_gain() -> None:
    document, _ = compared(rollouts(), improved())
    (row,) = blocks(document, "flags", "intervals")[0]["rows"]
    assert (row["label"], row["value"], row["tone"]) == ("lie.phantom_edit", -0.125, "good")
    assert row["high"] < 0


def test_rollouts_have_no_key_as_both_runs_answer_to_the_same_names() -> None:
    document, _ = compared(rollouts(), improved())
    assert {item["key"] for item in document["rollouts"]["items"]} == {None}
    assert document["queue"] == []
    json.dumps(document, allow_nan=False)


def test_runs_without_a_shared_task_or_grade_still_make_a_page() -> None:
    before = [{"task_id": "a", "final_text": "Yes."}]
    document, _ = compared(before, [{"task_id": "b", "final_text": "No."}])
    assert [each["id"] for each in document["sections"]] == ["change", "read"]
    assert document["headline"][1]["value"] is None


def test_rollouts_of_two_runs_are_told_apart_and_counted_by_side() -> None:
    document, _ = compared(rollouts(), improved())
    assert {rollout_name(item) for item in document["rollouts"]["items"][::48]} == {"t0 #0, before", "t0 #0, after"}
    labels = [entry["label"] for entry in document["filters"].values()]
    assert any(label.startswith("failures: ") and label.endswith(" after") for label in labels)
    assert "task t0: 4 before, 4 after" in labels
    assert "wai report FILE --html" in document["rollouts"]["rule"]
