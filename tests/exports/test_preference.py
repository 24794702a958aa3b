"""`export_preference`: pairs in three forms, ties, what is no pair."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from export_rows import TOOLS, stepped
from whileai.simulations.exports import export_preference
from whileai.simulations.rows.load import load_rows
from whileai.simulations.score.judging import build_preference_pairs

FORMATS = ("openai", "trl", "fireworks")


def row(reply: str, reward: float, **fields: Any) -> dict[str, Any]:
    return stepped(reward, final_text=reply, **fields)


def pairs() -> list[dict[str, Any]]:
    return build_preference_pairs([row("Refunded.", 1), row("No.", 0)])[0]


def written(entries: Any, path: Path, **options: Any) -> list[dict[str, Any]]:
    export_preference(entries, path, **options)
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_openai_lines_hold_the_ask_and_both_conversations_whole(tmp_path: Path) -> None:
    line = written(pairs(), tmp_path / "p.jsonl", tools=TOOLS)[0]
    assert line["prompt"] == "Refund order 9."
    assert [len(line[side]) for side in ("chosen", "rejected")] == [6, 6]
    assert (line["chosen"][-1]["content"], line["rejected"][-1]["content"]) == ("Refunded.", "No.")
    assert (line["chosen_score"], line["margin"], len(line["tools"])) == (1.0, 1.0, 2)


def test_trl_lines_hold_what_both_share_and_one_turn_a_side(tmp_path: Path) -> None:
    line = written(pairs(), tmp_path / "p.jsonl", format="trl", system_prompt="Be kind.")[0]
    assert [turn["role"] for turn in line["prompt"]] == ["system", "user", "assistant", "user", "assistant", "tool"]
    assert line["prompt"][4]["tool_calls"][0]["function"]["arguments"] == {"id": 9, "reference": "R-1"}
    assert line["chosen"] == [{"role": "assistant", "content": "Refunded."}]
    assert line["rejected"] == [{"role": "assistant", "content": "No."}]


def test_fireworks_lines_hold_input_and_outputs_only(tmp_path: Path) -> None:
    line = written(pairs(), tmp_path / "p.jsonl", format="fireworks", tools=TOOLS)[0]
    assert line.keys() == {"input", "preferred_output", "non_preferred_output"}
    assert line["input"].keys() == {"messages", "tools"}
    assert line["non_preferred_output"] == [{"role": "assistant", "content": "No."}]


def test_sides_part_at_the_first_turn_that_differs_whatever_the_ids_of_their_calls(tmp_path: Path) -> None:
    def side(number: str, call_id: str) -> dict[str, Any]:
        call = {"id": call_id, "name": "get", "arguments": {"id": number}}
        look = {"id": call_id + "0", "name": "look", "arguments": {}}
        return {
            "messages": [
                {"role": "user", "content": "Get 1."},
                {"role": "assistant", "content": None, "tool_calls": [look]},
                {"role": "tool", "tool_call_id": call_id + "0", "content": "ok"},
                {"role": "assistant", "content": None, "tool_calls": [call]},
                {"role": "tool", "tool_call_id": call_id, "content": "ok"},
                {"role": "assistant", "content": "Done."},
            ]
        }

    entry = {"prompt": "Get 1.", "chosen": side("1", "a"), "rejected": side("2", "b")}
    line = written([entry], tmp_path / "p.jsonl", format="trl")[0]
    assert len(line["prompt"]) == 3
    chosen, rejected = (line[name][0]["tool_calls"][0]["function"]["arguments"] for name in ("chosen", "rejected"))
    assert (chosen, rejected) == ({"id": "1"}, {"id": "2"})


def test_ties_are_dropped_unless_they_are_wanted(tmp_path: Path) -> None:
    same = {"prompt": "Hi", "chosen": {"final_text": "Yes."}, "rejected": {"final_text": "Yes."}}
    judged = {"prompt": "Hi", "chosen": {"final_text": "Yes."}, "rejected": {"final_text": "No."}, "tie": True}
    report = export_preference([same, judged, *pairs()], tmp_path / "p.jsonl")
    assert (report["n"], report["n_written"], report["ties_dropped"]) == (3, 1, 2)
    assert "2 ties left out" in report["warnings"][0]
    assert export_preference([same, judged], tmp_path / "p.jsonl", drop_ties=False)["n_written"] == 2


@pytest.mark.parametrize("form", ["trl", "fireworks"])
def test_sides_that_part_where_no_agent_speaks_are_left_out_and_said(form: str, tmp_path: Path) -> None:
    def told(result: str) -> dict[str, Any]:
        return {"prompt": "Hi", "steps": [{"tool": "get", "arguments": {}, "result": result}], "final_text": result}

    entry = {"prompt": "Hi", "chosen": told("1"), "rejected": told("2")}
    report = export_preference([entry], tmp_path / "p.jsonl", format=form)
    assert (report["n_written"], report["not_comparable"]) == (0, 1)
    assert "do not part at a turn of the agent" in report["warnings"][0]
    assert export_preference([entry], tmp_path / "p.jsonl")["n_written"] == 1


@pytest.mark.parametrize("form", FORMATS)
def test_load_rows_reads_the_pair_back_and_it_is_written_again_the_same(form: str, tmp_path: Path) -> None:
    first = written(pairs(), tmp_path / "p.jsonl", format=form, tools=TOOLS)
    back = list(load_rows(tmp_path / "p.jsonl"))
    assert (back[0]["chosen"][-1]["content"], back[0]["rejected"][-1]["content"]) == ("Refunded.", "No.")
    again = written(back, tmp_path / "q.jsonl", format=form)
    sides = ("chosen", "rejected") if form != "fireworks" else ("preferred_output", "non_preferred_output")
    assert [[line[side] for side in sides] for line in again] == [[line[side] for side in sides] for line in first]


def test_conversations_and_texts_are_sides_too(tmp_path: Path) -> None:
    prompt = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Sky?"}]
    entry = {"prompt": prompt, "chosen": "Blue.", "rejected": [{"role": "assistant", "content": "Red."}]}
    line = written([entry], tmp_path / "p.jsonl", format="trl")[0]
    assert (line["prompt"], line["chosen"][0]["content"]) == (prompt, "Blue.")


@pytest.mark.parametrize(
    ("entries", "named"),
    [
        ([{"prompt": "Hi", "reward": 1}], r"pair 1: 'chosen' must be a row.*found a NoneType in an entry with keys"),
        ([{"chosen": {"final_text": "a"}, "rejected": 5}], "pair 1: 'rejected' must be a row"),
        ([5], "row 1 must be a dict"),
    ],
    ids=["row", "number", "no dict"],
)
def test_entries_that_are_no_pairs_are_refused(entries: Any, named: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=named):
        export_preference(entries, tmp_path / "p.jsonl")
    assert not list(tmp_path.iterdir())


def test_pairs_with_their_report_and_unknown_formats_are_refused() -> None:
    with pytest.raises(ValueError, match="give the rows alone"):
        export_preference(build_preference_pairs([row("a", 1), row("b", 0)]))
    with pytest.raises(ValueError, match="format must be one of openai, trl, fireworks, got 'verifiers'"):
        export_preference(pairs(), format="verifiers")


def test_either_side_that_quotes_its_block_is_refused() -> None:
    secret = "the seal was broken twice"
    good = row("Refunded.", 1)
    bad = row(f"No: {secret}.", 0, privileged={"reference": secret})
    entry = {"prompt": "Refund order 9.", "chosen": good, "rejected": bad}
    with pytest.raises(ValueError, match=r"pair 1, rejected \(refund-9\): reference"):
        export_preference([entry])
    report = export_preference([entry], validate=False)
    assert report["privileged_leaks"]["n_leaked"] == 1


def test_the_report_has_every_key_and_prints(tmp_path: Path) -> None:
    report = export_preference(pairs(), tmp_path / "p.jsonl")
    assert list(report) == list(export_preference([]))
    assert report["tool_call_roundtrip"]["checked"] == 2
    assert str(report).startswith("openai: 1 line of 1 pair written to")
    assert report["warnings"][0].startswith("1 pair with tool calls and the file has no schema of them")
