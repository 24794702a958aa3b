from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

import whileai.simulations as wai

ROWS = [
    {"task_id": t, "reward": int(r)} for t, rewards in {"a": "1100", "b": "1111", "c": "1000"}.items() for r in rewards
]


def written(path: Path, rows: list[dict] = ROWS) -> Path:
    path.write_text("\n\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return path


def read(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_list_is_selected_and_nothing_written() -> None:
    selected, report = wai.optimize([dict(row) for row in ROWS])
    assert (len(selected), report["mode"], "path" in report) == (8, "rl", False)


@pytest.mark.parametrize(("mode", "name"), [("rl", "batch.rl.jsonl"), ("SFT", "batch.sft.jsonl")])
def test_a_file_is_written_beside_its_source(tmp_path: Path, mode: str, name: str) -> None:
    source = written(tmp_path / "batch.jsonl")
    before = source.read_bytes()
    selected, report = wai.optimize(str(source), mode=mode)
    assert report["path"] == str(tmp_path / name)
    assert read(tmp_path / name) == selected
    assert source.read_bytes() == before


def test_output_names_the_file_and_its_folder_is_made(tmp_path: Path) -> None:
    source, out = written(tmp_path / "batch.jsonl"), tmp_path / "deep" / "er" / "picked.jsonl"
    report = wai.optimize(source, output=out)[1]
    assert (report["n_written"], out.exists(), (tmp_path / "batch.rl.jsonl").exists()) == (8, True, False)


def test_the_source_is_overwritten_only_when_output_names_it(tmp_path: Path) -> None:
    source = written(tmp_path / "batch.jsonl")
    wai.optimize(source, output=source)
    assert len(read(source)) == 8


def test_an_empty_selection_is_written_too(tmp_path: Path) -> None:
    source = written(tmp_path / "batch.jsonl", [{"task_id": "a", "reward": 1}] * 2)
    report = wai.optimize(source)[1]
    assert (report["n_written"], (tmp_path / "batch.rl.jsonl").read_text()) == (0, "")


def test_a_table_without_nesting_is_written_as_json_lines(tmp_path: Path) -> None:
    source = tmp_path / "table.csv"
    source.write_text("task_id,reward\na,1\na,0\n", encoding="utf-8")
    assert wai.optimize(source)[1]["path"].endswith("table.rl.jsonl")


def test_a_torn_record_is_an_error_and_writes_nothing(tmp_path: Path) -> None:
    source = written(tmp_path / "batch.jsonl")
    source.write_text(source.read_text()[:-6], encoding="utf-8")
    with pytest.raises(ValueError, match=r"batch\.jsonl"):
        wai.optimize(source)
    assert [path.name for path in tmp_path.iterdir()] == ["batch.jsonl"]


def test_a_missing_file_is_the_usual_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        wai.optimize(tmp_path / "none.jsonl")


@pytest.mark.parametrize(("tools", "reason"), [([{"name": "refund"}], "do_nothing"), ([], "unusable_label")])
def test_a_run_says_its_mode_and_whether_it_has_tools(tools: list, reason: str) -> None:
    row = {"prompt": "Refund order #4411 please", "final_text": "I noted it."}
    run = SimpleNamespace(trajectories=[row], mode="rl", profile=SimpleNamespace(tools=tools))
    assert wai.optimize(run)[1]["gates"][reason] == 1
    run.mode = "sft"
    assert wai.optimize(run)[1]["mode"] == "sft"
    assert wai.optimize(run, mode="rl")[1]["mode"] == "rl"


@pytest.mark.parametrize("band", [(0.9, 0.1), 0.5, (0.1, 0.2, 0.3), "ab"])
def test_what_is_no_band_is_refused(band: object) -> None:
    with pytest.raises(ValueError, match="band"):
        wai.optimize([], band=band)  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", ["dpo", "grpo", "sft "])
def test_an_unknown_mode_is_refused(mode: object) -> None:
    with pytest.raises(ValueError, match="mode must be one of 'rl', 'sft'"):
        wai.optimize([{"task_id": "a", "reward": 1}], mode=mode)


@pytest.mark.parametrize(("mode", "ran"), [(None, "rl"), ("SFT", "sft"), ("Rl", "rl"), ("explore", "rl")])
def test_known_modes_run(mode: str | None, ran: str) -> None:
    assert wai.optimize([{"task_id": "a", "reward": 1}], mode=mode)[1]["mode"] == ran
