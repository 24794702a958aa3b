"""What a run holds and what comes next."""

from __future__ import annotations

import json
import time
import warnings
from pathlib import Path
from typing import Any

import pytest

import whileai
import whileai.simulations as wai
from scripted import Scripted

TOOLS = [
    {"type": "function", "function": {"name": "get", "description": "Get an order.", "parameters": {"type": "object"}}}
]
SECRET = "the seal was broken twice"


def row(task: int, attempt: int, reward: int, **fields: Any) -> dict[str, Any]:
    steps = [{"tool": "get", "arguments": {"id": f"O-{task}"}, "result": {"status": "paid", "n": attempt}}]
    return {
        "scenario_id": f"t{task}", "rollout_index": attempt, "prompt": f"Where is order O-{task}?", "steps": steps,
        "final_text": f"Order O-{task} is paid, attempt {attempt}.", "reward": reward,
        "privileged": {"reference": SECRET}, "lineage": {"system_prompt_chars": 9}, **fields,
    }  # fmt: skip


def run(**keywords: Any) -> wai.SimulationData:
    rows = [row(task, attempt, int((task + attempt) % 4 != 0)) for task in range(12) for attempt in range(4)]
    profile = wai.AgentProfile(tools=TOOLS, policy="Be brief.", name="support")
    return wai.SimulationData(rows, profile=profile, mode="rl", budget=48, stopped_because="budget", **keywords)


def holds(value: Any, text: str) -> bool:
    return text in json.dumps(value)


def test_it_iterates_over_rows_that_can_be_written_on() -> None:
    data = run()
    assert (len(data), next(iter(data)) is data.trajectories[0]) == (48, True)
    for held in data:
        held["gold_reward"] = 1
    assert data.trajectories[0]["gold_reward"] == 1


def test_rows_are_copies_without_what_only_the_teacher_knows() -> None:
    data = run()
    rows = data.rows
    assert isinstance(rows, wai.RowList)
    assert rows() is rows
    assert (rows.system_prompt, rows.tools) == ("Be brief.", TOOLS)
    assert holds(data.trajectories, SECRET)
    assert not holds(rows, SECRET)
    rows[0]["reward"] = 7
    rows[0]["steps"][0]["arguments"]["id"] = "other"
    assert data.trajectories[0]["reward"] == 0
    assert data.trajectories[0]["steps"][0]["arguments"]["id"] == "O-0"


def test_it_tells_what_it_is() -> None:
    data = run(warnings=["a\x1b[31m warning"], coverage={})
    assert repr(data) == "SimulationData(48 rows, mode='rl', 48 graded)"
    text = str(data)
    assert "graded 48 of 48: pass@1 0.750" in text
    assert "\x1b" not in text
    assert "! a" in text
    assert data.pass_at == wai.pass_at(data.trajectories)
    assert "data.grade" in str(wai.SimulationData([{"prompt": "a"}], profile=data.profile))
    assert "0 rows" in str(wai.SimulationData([], profile=wai.AgentProfile()))


def test_selection_is_by_mode_and_kept_in_search() -> None:
    data = run()
    picked = data.select()
    assert (picked.mode, all(r["reward"] == 1 for r in picked)) == ("sft", True)
    assert data.search["selection"] == picked.report
    again = data.select(mode="rl", band=(0.1, 0.9))
    assert (again.mode, again.report["band"], len(again)) == ("rl", [0.1, 0.9], 48)
    assert data.search["selection"]["mode"] == "rl"
    assert (again.system_prompt, again.tools) == ("Be brief.", TOOLS)
    assert str(again) == str(again.report)
    ungraded = wai.SimulationData([{"prompt": "a", "reward": 0.5}], profile=data.profile)
    with pytest.raises(RuntimeError, match=r"none of 1 row has a 0/1 reward.*grade"):
        ungraded.select()


def test_select_of_the_package_is_optimize_as_a_selection(tmp_path: Path) -> None:
    data = run()
    rows, report = wai.optimize(data)
    picked = whileai.select(data)
    assert isinstance(picked, whileai.Selection)
    assert (list(picked), dict(picked.report)) == (rows, dict(report))
    out = tmp_path / "kept.jsonl"
    whileai.select(data.trajectories, mode="rl", output=out)
    written = [json.loads(line) for line in out.read_text().splitlines()]
    assert [r["scenario_id"] for r in written] == [r["scenario_id"] for r in rows]
    assert not holds(written, SECRET)
    data.save(tmp_path / "all.jsonl")
    beside = whileai.select(tmp_path / "all.jsonl", mode="sft")
    assert beside.report["path"] == str(tmp_path / "all.sft.jsonl")


def test_export_of_a_selection_warns_of_what_the_file_lacks(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = run().select().export(tmp_path / "good.jsonl")
    assert (report["with_tools"], report["with_system"], report["warnings"]) == (12, 12, [])
    bare = whileai.select(run().trajectories, mode="sft")
    with pytest.warns(UserWarning, match="the file has no") as said:
        report = bare.export(tmp_path / "bare.jsonl")
    lines = [str(warning.message) for warning in said]
    assert any("tools=" in line for line in lines)
    assert any("system_prompt=" in line for line in lines)
    assert set(lines) <= set(report["warnings"])
    assert not holds((tmp_path / "bare.jsonl").read_text(), SECRET)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bare.export(tmp_path / "told.jsonl", tools=TOOLS, system_prompt="Be brief.")


def test_a_training_set_is_selected_and_exported(tmp_path: Path) -> None:
    data = run()
    report = data.training_set(tmp_path / "set.jsonl", target=5)
    assert (report["n_written"], report["selection"]["target"]) == (5, 5)
    lines = [json.loads(line) for line in (tmp_path / "set.jsonl").read_text().splitlines()]
    assert len(lines) == 5
    assert all(line["messages"][0] == {"role": "system", "content": "Be brief."} for line in lines)
    assert whileai.export is wai.export_training
    assert data.export(tmp_path / "all.jsonl")["n_written"] == 48


def test_saved_rows_come_back(tmp_path: Path) -> None:
    data = run(system_prompts={"abc": "Be brief."}, writer_model="template")
    path = data.save(tmp_path / "run.jsonl", meta=True)
    assert path == str(tmp_path / "run.jsonl")
    assert list(wai.load_rows(path)) == list(data.rows)
    meta = json.loads((tmp_path / "run.meta.json").read_text())
    assert (meta["profile"]["policy"], meta["mode"], meta["n_rows"]) == ("Be brief.", "rl", 48)
    assert (meta["writer_model"], meta["system_prompts"]) == ("template", {"abc": "Be brief."})
    assert not holds(meta, SECRET)
    data.save(tmp_path / "other.jsonl.gz")
    assert not (tmp_path / "other.meta.json").exists()


def test_leaks_are_searched_in_the_trajectories() -> None:
    data = run()
    data.trajectories[3]["final_text"] = f"I know: {SECRET}."
    assert data.leak_report()["n_leaked"] == 1
    assert data.leak_report(min_len=100)["n_checked"] == 0
    with pytest.raises(ValueError, match="privileged"):
        data.export()


def test_judges_are_compared_on_copies() -> None:
    data = run()
    for held in data:
        held.update(gold_reward=held["reward"], gold_kind="human")
    found = data.compare_judges({"good": lambda r: r["gold_reward"], "bad": lambda r: 1})
    assert found.best.name == "good"
    model = Scripted('{"reason": "", "score": 1}')
    data.compare_judges({"model": model})
    assert "Be brief." in model.user


def test_judges_compared_by_a_run_have_a_time_limit_too() -> None:
    data = run()
    del data.trajectories[2:]
    for compared in (data, wai.run_judge(data.trajectories, lambda row: 1)):
        found = compared.compare_judges({"slow": lambda row: time.sleep(5)}, timeout=0.05)
        assert found.best.unjudged == 2


def test_ranked_rows_come_best_first(tmp_path: Path) -> None:
    data = run()
    data.trajectories[0].update(prompt="ok", steps=[], final_text="Hello")
    ranked = data.rank(tmp_path / "ranked.jsonl")
    scores = [r["quality"] for r in ranked]
    assert scores == sorted(scores, reverse=True)
    assert data.trajectories[0]["quality"] == scores[-1]
    assert not holds((tmp_path / "ranked.jsonl").read_text(), SECRET)


def test_rows_for_a_teacher_are_the_failures() -> None:
    data = run()
    assert {r["reward"] for r in data.sft_rows()} == {0}
    data.trajectories[0]["reward"] = None
    assert len(data.sft_rows(failures_only=False)) == 47


def test_rows_are_pushed_to_a_folder(tmp_path: Path) -> None:
    data = run()
    entry = data.push("orders", gate=False, target=tmp_path / "orders")
    assert {"datasetId", "gate", "holdout", "holdout_tasks", "card"} <= set(entry)
    for file in (tmp_path / "orders").rglob("*"):
        assert not file.is_file() or SECRET not in file.read_text()
    with pytest.raises(ValueError, match="agent="):
        data.push("orders", publish=True, target=tmp_path / "orders")
    picked = data.select(mode="rl")
    assert picked.push("picked", target=tmp_path / "picked")["name"] == "picked"
    scored = data.grade(judge=lambda r: r["reward"])
    assert scored.push("scored", target=tmp_path / "scored")["name"] == "scored"


def test_scored_copies_have_what_the_run_has(tmp_path: Path) -> None:
    scored = run().grade(judge=lambda r: r["reward"])
    scored.save(tmp_path / "scored.jsonl")
    assert not holds((tmp_path / "scored.jsonl").read_text(), SECRET)
    assert scored.export(tmp_path / "train.jsonl")["with_tools"]
    assert scored.leak_report()["n_checked"] == 48
    assert scored.rank()[0]["quality"] >= scored.rank()[-1]["quality"]
    assert scored.select(mode="sft").mode == "sft"
