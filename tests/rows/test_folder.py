from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from samples import sample
from whileai.simulations import load_rows
from whileai.simulations.errors import ReadError

EPISODE = "formats/prime-rl/rollouts/step_20/train/all/traces.jsonl"


def put(path: Path, *rows: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_files_are_read_in_order_of_their_names_with_numbers_by_value(tmp_path: Path) -> None:
    for name in ("b/10.jsonl", "b/9.jsonl", "a.jsonl", "B.jsonl"):
        put(tmp_path / name, {"task_id": name})
    assert [row["task_id"] for row in load_rows(tmp_path)] == ["B.jsonl", "a.jsonl", "b/9.jsonl", "b/10.jsonl"]


def test_files_without_rows_are_skipped_with_a_note(tmp_path: Path) -> None:
    put(tmp_path / "rows.jsonl", {"task_id": 1})
    put(tmp_path / "metadata.json", {"task_id": "no row", "reward": 1})
    put(tmp_path / "other.json", {"foo": 1})
    put(tmp_path / ".hidden.jsonl", {"task_id": 2})
    (tmp_path / "README.md").write_text("# Rollouts, and more\nof them\n")
    (tmp_path / "plot.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    reader = load_rows(tmp_path)
    assert list(reader) == [{"task_id": 1}]
    assert reader.notes == ["skipped files that hold no rows: README.md, metadata.json, other.json, plot.png"]
    assert reader.bytes_read == reader.bytes_total


def test_a_folder_where_nothing_holds_rows_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="no file in it holds rows"):
        list(load_rows(tmp_path))
    put(tmp_path / "other.json", {"foo": 1})
    with pytest.raises(ReadError, match=r"no file in it holds rows; .*other\.json"):
        list(load_rows(tmp_path))


def test_a_damaged_file_of_a_folder_is_bad_not_skipped(tmp_path: Path) -> None:
    put(tmp_path / "a.jsonl", {"task_id": 1})
    (tmp_path / "b.parquet").write_bytes(b"PAR1 and no more")
    reader = load_rows(tmp_path)
    with pytest.warns(UserWarning, match=r"b\.parquet"):
        assert list(reader) == [{"task_id": 1}]
    assert reader.n_bad == 1


def test_prime_rl_reads_all_and_not_effective(tmp_path: Path) -> None:
    episodes = sample(EPISODE)
    rows = list(load_rows(episodes))
    for step in ("step_20", "step_3"):
        for kind in ("all", "effective"):
            (tmp_path / "rollouts" / step / "train" / kind).mkdir(parents=True)
            shutil.copy(episodes, tmp_path / "rollouts" / step / "train" / kind / "traces.jsonl")
    reader = load_rows(tmp_path)
    assert len(list(reader)) == 2 * len(rows)
    assert [Path(file).parts[-4] for file in reader.files] == ["step_3", "step_20"]
    repeats = [f"rollouts/{step}/train/effective/traces.jsonl" for step in ("step_3", "step_20")]
    assert reader.notes == [f"skipped files whose rows are in a file beside them: {', '.join(repeats)}"]
    assert reader.bytes_read == reader.bytes_total


SAMPLE = {"task_id": "test/0", "completion": "    return 1"}
GRADED = [("samples.jsonl_results.jsonl", SAMPLE | {"result": "passed", "passed": True})] + [
    (name, {"date": "2026-11-30", "eval": {"test/0": [{"task_id": "test/0", "base_status": "pass"}]}})
    for name in ("samples_eval_results.json", "samples.eval_results.json")
]


@pytest.mark.parametrize(("name", "graded"), GRADED)
@pytest.mark.parametrize("how", ["folder", "glob", "list"])
def test_samples_with_their_graded_copy_beside_them_are_read_once(tmp_path: Path, name, graded, how: str) -> None:
    both = [put(tmp_path / "samples.jsonl", SAMPLE), put(tmp_path / name, graded)]
    put(tmp_path / "other.jsonl", SAMPLE | {"task_id": "other"})
    other = tmp_path / "other.jsonl"
    reader = load_rows({"folder": tmp_path, "glob": str(tmp_path / "*.json*"), "list": [*both, other]}[how])
    assert sorted((row["task_id"], row["reward"]) for row in reader) == [("other", None), ("test/0", 1)]
    assert reader.notes == ["skipped files whose rows are in a file beside them: samples.jsonl"]


def test_samples_that_were_asked_for_are_read_though_a_graded_copy_lies_beside_them(tmp_path: Path) -> None:
    put(tmp_path / "samples.jsonl_results.jsonl", SAMPLE)
    assert [row["reward"] for row in load_rows(put(tmp_path / "samples.jsonl", SAMPLE))] == [None]


def test_rows_of_a_folder_in_a_layout_that_is_not_read_are_told(tmp_path: Path) -> None:
    put(tmp_path / "a.jsonl", {"task_id": 1})
    put(tmp_path / "b.json", {"results": [{"task_id": 2}]})
    reader = load_rows(tmp_path)
    assert list(reader) == [{"task_id": 1}]
    assert reader.notes == [
        "b.json was not read: no known format: found keys 'results'; the list under 'results' looks like rows: "
        "pass that list"
    ]


@pytest.mark.parametrize("name", ["env_id", "env"])
def test_rollouts_of_several_environments_are_tasks_of_their_own(tmp_path: Path, name: str) -> None:
    rollout = {"example_id": 0, "prompt": "2+3?", "completion": "5", "reward": 1.0}
    for env in ("add", "shop"):
        put(tmp_path / env / "metadata.json", {name: env})
        put(tmp_path / env / "results.jsonl", rollout, rollout)
    ids = [(row["task_id"], row["rollout_index"]) for row in load_rows(tmp_path)]
    assert ids == [("add/0", 0), ("add/0", 1), ("shop/0", 0), ("shop/0", 1)]
    assert {row["task_id"] for row in load_rows(tmp_path / "shop")} == {"0"}


def test_files_of_one_format_are_several_whatever_their_names(tmp_path: Path) -> None:
    rollout = {"example_id": 0, "prompt": "2+3?", "completion": "5", "reward": 1.0}
    for env, name in (("add", "results.jsonl"), ("shop", "rollouts.json")):
        put(tmp_path / env / "metadata.json", {"env_id": env})
        put(tmp_path / env / name, rollout)
    put(tmp_path / "shop" / "rows_a.jsonl", {"task_id": "x"})
    assert [row["task_id"] for row in load_rows(tmp_path)] == ["add/0", "shop/0", "x"]
    assert [row["task_id"] for row in load_rows(tmp_path / "shop")] == ["0", "x"]


def test_a_tau2_run_folder_gives_the_rows_of_its_one_file_form(tmp_path: Path) -> None:
    whole = json.loads(sample("formats/tau2-bench/results.json").read_bytes())
    runs = whole["simulations"]
    for run in runs:
        put(tmp_path / "simulations" / f"{run['id']}.json", run)
    put(tmp_path / "results.json", whole | {"simulations": [], "simulation_index": [{"id": run["id"]} for run in runs]})
    assert list(load_rows(tmp_path)) == list(load_rows(sample("formats/tau2-bench/results.json")))


def test_several_lm_eval_files_prefix_ids_with_the_task_and_one_does_not() -> None:
    folder = sample("formats/lm-eval")
    ids = {row["task_id"] for row in load_rows(folder)}
    assert {name.split("/")[0] for name in ids} == {"shop_mc", "shop_add"}
    one = next(folder.glob("samples_shop_mc*"))
    assert all("/" not in row["task_id"] for row in load_rows(one))


def test_a_swe_agent_folder_reads_trajectories_in_subfolders(tmp_path: Path) -> None:
    for path in sample("formats/swe-agent").glob("*.traj"):
        (tmp_path / path.stem).mkdir()
        shutil.copy(path, tmp_path / path.stem / path.name)
        put(tmp_path / path.stem / f"{path.stem}.pred", {"model_name_or_path": "m", "model_patch": ""})
    reader = load_rows(tmp_path)
    assert len(list(reader)) == reader.formats["swe-agent"] == 3


@pytest.mark.parametrize("name", ["verifiers/results", "verifiers/v1", "hf-datasets/saved"])
def test_a_run_folder_gives_the_rows_of_its_data_file(name: str) -> None:
    folder = sample(f"formats/{name}")
    data = next(path for path in folder.iterdir() if path.suffix in (".jsonl", ".arrow"))
    assert list(load_rows(folder)) == list(load_rows(data))


def test_a_dataset_dict_gives_its_splits_in_order(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    made = datasets.DatasetDict(
        {s: datasets.Dataset.from_list([{"task_id": s, "reward": 1.0}]) for s in ("train", "a")}
    )
    made.save_to_disk(tmp_path / "saved")
    want = [{"task_id": s, "reward": 1.0, "split": s} for s in ("train", "a")]
    assert list(load_rows(tmp_path / "saved")) == list(load_rows(made)) == want


def test_a_shard_list_cannot_lead_out_of_its_folder(tmp_path: Path) -> None:
    put(tmp_path / "outside.jsonl", {"task_id": "outside"})
    put(tmp_path / "in" / "state.json", {"_data_files": [{"filename": "../outside.jsonl"}, {"filename": "gone.arrow"}]})
    with pytest.raises(ReadError, match=r"state\.json names gone\.arrow"):
        load_rows(tmp_path / "in")


def test_spans_of_a_trace_may_lie_in_several_files(tmp_path: Path) -> None:
    lines = sample("formats/otel-genai/traces_attributes.jsonl").read_bytes().splitlines(keepends=True)
    scopes = [json.loads(line)["resourceSpans"] for line in lines]
    for number, spans in enumerate(resource for resources in scopes for resource in _one_by_one(resources)):
        put(tmp_path / f"{number}.json", {"resourceSpans": [spans]})
    whole = [row["messages"] for row in load_rows(sample("formats/otel-genai/traces_attributes.jsonl"))]
    assert [row["messages"] for row in load_rows(tmp_path)] == whole


def _one_by_one(resources: list[dict]) -> list[dict]:
    return [
        resource | {"scopeSpans": [scope | {"spans": [span]}]}
        for resource in resources
        for scope in resource["scopeSpans"]
        for span in scope["spans"]
    ]
