"""The three ways a run is graded, and what trust in the judge says."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import whileai.simulations as wai
from scripted import Scripted
from tables import each_of

PASS, FAIL = '{"reason": "done", "score": 1}', '{"reason": "not done", "score": 0}'


def run(n: int = 6, **fields: Any) -> wai.SimulationData:
    rows = [
        {"scenario_id": f"t{i}", "prompt": f"ask {i}", "final_text": f"It is {i}.", "rollout_index": 0, **fields}
        for i in range(n)
    ]
    return wai.SimulationData(rows, profile=wai.AgentProfile(policy="Be brief.", tools=[], rubric="Says a number."))


def even(row: dict[str, Any]) -> dict[str, Any]:
    return {"reward": int(row["final_text"][6:-1]) % 2 == 0, "reason": "parity", "markers": {"short": 1.0}}


def labelled(n: int, wrong: int = 0) -> wai.SimulationData:
    data = run(n)
    for i, row in enumerate(data):
        row.update(gold_reward=(i + (i < wrong)) % 2 == 0, gold_kind="human")
        row["gold_reward"] = int(row["gold_reward"])
    return data


def test_a_callable_grades_in_place_and_gives_the_run() -> None:
    data = run()
    held = [id(row) for row in data]
    assert data.grade(even) is data
    assert [row["reward"] for row in data] == [1, 0, 1, 0, 1, 0]
    assert [id(row) for row in data] == held
    first = data.trajectories[0]
    assert (first["judge_name"], first["reason"], first["markers"]) == ("even", "parity", {"short": 1.0})
    assert first["lineage"]["source"] == "grade"
    assert [row["reward"] for row in data.rows] == [1, 0, 1, 0, 1, 0]


def test_equal_runs_graded_alike_stay_equal_and_a_second_pass_has_its_own_id() -> None:
    one, two = run().grade(even), run().grade(even)
    assert one.trajectories == two.trajectories
    first = one.trajectories[0]["lineage"]["scoring_run_id"]
    one.grade(even)
    again = one.trajectories[0]["lineage"]
    assert (again["scoring_run_id"] != first, again["prior_scoring_run_id"]) == (True, first)


def test_a_grader_that_fails_leaves_its_row_without_a_verdict() -> None:
    def picky(row: dict[str, Any]) -> float:
        if row["scenario_id"] == "t1":
            raise ValueError("no idea")
        return 0.5 if row["scenario_id"] == "t2" else 1

    data = run(3).grade(picky)
    assert [row["reward"] for row in data] == [1, None, 0.5]
    assert data.trajectories[1]["judge_status"] == "error"
    assert run(2).grade(lambda row: 7, scale=(0, 10)).trajectories[0]["reward"] == 0.7

    async def later(row: dict[str, Any]) -> bool:
        await asyncio.sleep(0)
        return True

    assert [row["reward"] for row in run(2).grade(later)] == [1, 1]


def test_a_judge_grades_copies_and_the_run_stays_as_it_was() -> None:
    data = run()
    before = json.dumps(data.trajectories)
    scored = data.grade(judge=even, version="2")
    assert isinstance(scored, wai.ScoredData)
    assert [row["reward"] for row in scored] == [1, 0, 1, 0, 1, 0]
    assert json.dumps(data.trajectories) == before
    assert scored.profile is data.profile
    assert scored.rows.system_prompt == "Be brief."
    assert scored.rows[0]["lineage"]["judge_version"] == "2"


def test_at_most_32_judges_are_under_way() -> None:
    under_way, most, lock = 0, 0, threading.Lock()

    def slow(row: dict[str, Any]) -> int:
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        time.sleep(0.002)
        with lock:
            under_way -= 1
        return 1

    run(120).grade(judge=slow, concurrency=500)
    assert 1 < most <= 32


def test_a_model_is_a_judge_by_its_object_and_sees_the_policy() -> None:
    model = Scripted(PASS)
    scored = run(2).grade(judge=model, rubric="Passes always.")
    assert [row["reward"] for row in scored] == [1, 1]
    assert scored.rows[0]["judge_meta"] == {"model": "test:scripted", "trust": "unmeasured"}
    assert "Passes always." in model.system
    assert "Be brief." in model.user


def test_a_model_grades_in_place_and_reports() -> None:
    data, model = run(4), Scripted(PASS, FAIL, "what?", PASS)
    report = data.grade(spec=model, concurrency=1, max_tokens=33)
    assert (report["graded"], report["n0"], report["n1"], report["unjudged"]) == (3, 1, 2, 1)
    assert (report["backend"], report["rubric"]) == ("test:scripted", "Says a number.")
    assert report["judge_version"] == data.trajectories[0]["lineage"]["judge_version"]
    assert [row["reward"] for row in data] == [1, 0, None, 1]
    assert data.judge_model == "test:scripted"
    assert set(model.budgets) == {33}
    assert "Says a number." in model.system
    assert any("unmeasured" in line for line in report["warnings"])
    assert any("no verdict" in line and "what?" in line for line in report["warnings"])
    assert "3 rows graded, 2 pass, 1 fail, 1 without a verdict" in str(report)
    assert set(data.grade_llm("Other.", spec=Scripted(PASS))["warnings"]) <= set(data.warnings)


def test_payload_chars_bounds_what_the_model_is_shown() -> None:
    short, long = Scripted(PASS), Scripted(PASS)
    data = run(1)
    data.trajectories[0]["final_text"] = "word " * 1000
    data.grade(spec=short, payload_chars=500)
    data.grade(spec=long)
    assert len(short.user) < len(long.user)


def test_without_a_model_that_is_named_the_error_says_how(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("WHILEAI_JUDGE", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ValueError, match="model"):
        run().grade()


def test_a_second_opinion_stands_beside_the_reward() -> None:
    data = run(2).grade(even, llm=Scripted(FAIL))
    assert [(row["reward"], row["llm_reward"], row["llm_reason"]) for row in data] == [
        (1, 0, "not done"),
        (0, 0, "not done"),
    ]
    assert data.judge_model is None
    report = data.llm_grade(spec=Scripted("nonsense"))
    assert (report["graded"], [row["llm_reward"] for row in data]) == (0, [None, None])
    assert "llm_reason" not in data.trajectories[0]


@pytest.mark.parametrize("trust", ["warn", "require"])
def test_a_judge_that_the_labels_bear_out_is_trusted(trust: str) -> None:
    scored = labelled(60).grade(judge=even, trust=trust)
    assert {row["judge_meta"]["trust"] for row in scored} == {"ok"}
    assert not [line for line in scored.warnings if "trust" in line]
    data = labelled(60)
    assert data.grade(even, trust=trust).warnings == []


def test_a_judge_that_the_labels_speak_against_is_said_or_refused() -> None:
    scored = labelled(60, wrong=30).grade(judge=even)
    assert {row["judge_meta"]["trust"] for row in scored} == {"not_ok"}
    assert any("trust in even" in line for line in scored.warnings)
    data = labelled(60, wrong=30)
    for keywords in ({"grader": even}, {"judge": even}, {"spec": Scripted(PASS)}):
        with pytest.raises(RuntimeError, match='trust="require" and nothing was graded'):
            data.grade(**keywords, trust="require")
        assert all("reward" not in row for row in data)
    assert any("trust in even" in line for line in data.grade(even).warnings)
    assert labelled(60, wrong=30).grade(even, trust="off").warnings == []
    assert "trust" not in labelled(60, wrong=30).grade(judge=even, trust="off").rows[0]["judge_meta"]


def test_an_unmeasured_rule_is_said_only_where_trust_is_required() -> None:
    assert run().grade(even).warnings == []
    assert any("unmeasured" in line for line in run().grade(judge=even).warnings)
    with pytest.raises(RuntimeError, match="attach_labels"):
        run().grade(even, trust="require")


@each_of(
    ("arguments", "error", "match"),
    [
        ({"grader": even, "judge": even}, ValueError, "not both"), ({"trust": "maybe"}, ValueError, "warn, require"),
        ({"grader": even, "rubric": "x"}, ValueError, "rubric="), ({"llm": False}, ValueError, "nothing to grade"),
        ({"grader": "openai:gpt-4o"}, TypeError, "judge= or spec="),
        ({"judge": even, "rubric": "x"}, ValueError, "a call"),
        ({"grader": even, "scale": (1, 0)}, ValueError, "scale"), ({"judge": "gpt-4o"}, ValueError, "openai:gpt-4o"),
        ({"spec": Scripted(PASS), "max_tokens": 0}, ValueError, "max_tokens"),
    ],
)  # fmt: skip
def test_bad_arguments_are_named(arguments: dict[str, Any], error: type[Exception], match: str) -> None:
    data = run(2)
    with pytest.raises(error, match=match):
        data.grade(**arguments)
    assert all("reward" not in row for row in data)


def test_the_graded_rows_are_written(tmp_path: Path) -> None:
    for name, keywords in (("a", {"grader": even}), ("b", {"judge": even}), ("c", {"spec": Scripted(PASS)})):
        data = run(2, privileged={"reference": "the secret answer"})
        data.grade(**keywords, path=tmp_path / name)
        rows = [json.loads(line) for line in (tmp_path / name).read_text().splitlines()]
        assert [row["reward"] for row in rows] in ([1, 0], [1, 1])
        assert all("privileged" not in row for row in rows)


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_graded(tmp_path: Path) -> None:
    data, model = run(2), Scripted(PASS)
    for name, error in (("no/rows.jsonl", FileNotFoundError), ("rows.csv", ValueError)):
        with pytest.raises(error):
            data.grade(spec=model, path=tmp_path / name)
    assert (model.asked, model.warm_ups) == ([], 0)


def test_rows_without_a_verdict_are_warned_of() -> None:
    def broken(row: dict[str, Any]) -> int:
        raise ValueError("no idea")

    assert any("2 of 2 rows have no verdict" in line and "no idea" in line for line in run(2).grade(broken).warnings)
    assert any("2 of 2 rows have no verdict" in line for line in run(2).grade(judge=broken).warnings)


def test_an_empty_run_is_graded_without_a_word() -> None:
    assert len(run(0).grade(even)) == 0
    assert run(0).grade(spec=Scripted(PASS))["graded"] == 0
