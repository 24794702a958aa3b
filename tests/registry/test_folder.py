"""A folder as a target: a version is there whole or not at all, and no push loses an older one."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from registry.rollouts import rollouts
from whileai.simulations import PublishGateError, load_rows
from whileai.simulations.registry import folder as folders
from whileai.simulations.registry import push_rows

ROWS = rollouts()


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def test_a_version_holds_rows_card_and_description(tmp_path: Path) -> None:
    entry = push_rows(ROWS, tmp_path / "data" / "refunds", mode="rl", gate=True)
    root = tmp_path / "data" / "refunds"
    assert names(root) == {
        "v1",
        *(f"v1/{name}" for name in ("README.md", "card.json", "dataset.json", "data")),
        "v1/data/train.jsonl",
    }
    assert (entry["name"], entry["version"], entry["path"]) == ("refunds", 1, str(root / "v1"))
    assert [row["final_text"] for row in load_rows(root / "v1" / "data" / "train.jsonl")] == [
        row["final_text"] for row in ROWS
    ]
    known = json.loads((root / "v1" / "dataset.json").read_text())
    assert known["datasetId"] == entry["datasetId"]
    assert json.loads((root / "v1" / "card.json").read_text()) == json.loads(json.dumps(entry["card"]))


def test_other_rows_are_another_version_and_the_same_are_none(tmp_path: Path) -> None:
    first = push_rows(ROWS, tmp_path / "refunds")
    before = (tmp_path / "refunds" / "v1" / "data" / "train.jsonl").read_bytes()
    second = push_rows(ROWS[4:], tmp_path / "refunds")
    again = push_rows(ROWS, tmp_path / "refunds")
    assert [entry["version"] for entry in (first, second, again)] == [1, 2, 1]
    assert (again["datasetId"], again["created"]) == (first["datasetId"], False)
    assert (tmp_path / "refunds" / "v1" / "data" / "train.jsonl").read_bytes() == before
    assert {path.name for path in (tmp_path / "refunds").iterdir()} == {"v1", "v2"}


def test_publish_names_one_version(tmp_path: Path) -> None:
    push_rows(ROWS, tmp_path / "refunds")
    entry = push_rows(ROWS, tmp_path / "refunds", publish=True, agent="bot")
    assert entry["published"]
    later = push_rows(ROWS[4:], tmp_path / "refunds", agent="bot")
    assert not later["published"]
    said = json.loads((tmp_path / "refunds" / "published.json").read_text())
    assert said == {"version": entry["version"], "datasetId": entry["datasetId"]}


@pytest.mark.parametrize("broken", ["write_rows", "readme", "rename"])
def test_a_push_that_fails_leaves_nothing(broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        where = {
            "write_rows": "whileai.simulations.registry.bundle.write_rows",
            "readme": "whileai.simulations.registry.bundle.write_text",
            "rename": "whileai.simulations.registry.folder.os.rename",
        }
        patch.setattr(where[broken], fail)
        with pytest.raises(OSError, match="No space left"):
            push_rows(ROWS, tmp_path / "new" / "refunds")
        assert list(tmp_path.iterdir()) == []
    push_rows(ROWS, tmp_path / "new" / "refunds")
    before = names(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(where[broken], fail)
        with pytest.raises(OSError, match="No space left"):
            push_rows(ROWS[4:], tmp_path / "new" / "refunds")
    assert names(tmp_path) == before


def test_a_refusal_of_the_gate_leaves_nothing(tmp_path: Path) -> None:
    unanimous = [{**row, "reward": 1} for row in ROWS]
    with pytest.raises(PublishGateError, match="no_mixed_groups"):
        push_rows(unanimous, tmp_path / "refunds", gate=True, mode="rl", holdout=0.3)
    assert list(tmp_path.iterdir()) == []


KILLED = """
import os, sys
from registry.rollouts import rollouts
from whileai.simulations.registry import bundle, push_rows
whole = bundle.write_text
def killed(text, path):
    if path.name == "card.json":
        os.kill(os.getpid(), 9)
    whole(text, path)
bundle.write_text = killed
push_rows(rollouts(), sys.argv[1])
"""


def test_what_a_killed_push_left_is_no_version_and_is_swept(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "refunds")], env=environment, check=False)
    assert done.returncode == -9
    assert [path.name[:6] for path in (tmp_path / "refunds").iterdir()] == [".push-"]
    assert push_rows(ROWS, tmp_path / "refunds")["version"] == 1
    assert [path.name for path in (tmp_path / "refunds").iterdir()] == ["v1"]


def test_pushes_at_once_each_get_a_version(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        entries = list(pool.map(lambda n: push_rows(ROWS[4 * n :], tmp_path / "refunds"), range(4)))
    assert sorted(entry["version"] for entry in entries) == [1, 2, 3, 4]
    for entry in entries:
        assert len(list(load_rows(Path(entry["path"]) / "data" / "train.jsonl"))) == entry["n_rows"]


def test_without_locks_a_version_that_is_taken_is_passed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "fcntl", None)
    push_rows(ROWS, tmp_path / "refunds")
    monkeypatch.setattr(folders, "_numbers", lambda _: [])
    monkeypatch.setattr(folders, "_refuse_other", lambda *_: None)
    assert push_rows(ROWS[4:], tmp_path / "refunds")["version"] == 2


def test_a_folder_with_other_files_or_another_dataset_is_refused(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text("{}\n")
    with pytest.raises(ValueError, match=r"holds other files \('rows.jsonl' and so on\) and no dataset: name a new"):
        push_rows(ROWS, "refunds", target=tmp_path)
    push_rows(ROWS, tmp_path / "refunds")
    with pytest.raises(ValueError, match="holds the dataset 'refunds', not 'returns'"):
        push_rows(ROWS, "returns", target=tmp_path / "refunds")
    assert {path.name for path in tmp_path.iterdir()} == {"rows.jsonl", "refunds"}


def test_permissions_are_those_of_any_new_file(tmp_path: Path) -> None:
    entry = push_rows(ROWS, tmp_path / "refunds")
    (tmp_path / "plain").mkdir()
    assert stat.S_IMODE(os.stat(entry["path"]).st_mode) == stat.S_IMODE((tmp_path / "plain").stat().st_mode)
