"""What is written is read back by `datasets`, offline."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from export_rows import TOOLS, parallel, stepped
from whileai.simulations.exports import export_preference, export_training
from whileai.simulations.score.judging import build_preference_pairs


@pytest.fixture(scope="module")
def datasets() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        yield pytest.importorskip("datasets")


def read(datasets: Any, path: Path) -> list[dict[str, Any]]:
    loaded = datasets.load_dataset("json", data_files=str(path), split="train", cache_dir=str(path.parent / "cache"))
    return [dict(line) for line in loaded]


def without_none(line: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in line.items() if value is not None}


IMAGE = {"type": "image_url", "image_url": {"url": "cat.png"}}
ROWS = [
    stepped(),
    parallel(markers={"polite": 1}),
    stepped(0.5, steps=[{"tool": "refund", "arguments": {"id": [1, {"x": "y"}]}, "result": [1]}]),
    {"prompt": "Look", "messages": [{"role": "user", "content": [IMAGE]}], "final_text": "A cat."},
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("form", "mask_mode"), [("openai", "assistant"), ("trl", "assistant"), ("trl", "final"), ("fireworks", "assistant")]
)
def test_datasets_reads_the_lines_that_were_written(datasets: Any, form: str, mask_mode: str, tmp_path: Path) -> None:
    path = tmp_path / "train.jsonl"
    export_training(ROWS, path, format=form, mask_mode=mask_mode, tools=TOOLS)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [without_none(line) for line in read(datasets, path)] == lines


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("form", ["openai", "trl", "fireworks"])
def test_datasets_reads_the_pairs_that_were_written(datasets: Any, form: str, tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    rows = [
        stepped(1),
        stepped(0, final_text="No."),
        parallel(),
        parallel(reward=0, messages=[], steps=ROWS[0]["steps"]),
    ]
    export_preference(build_preference_pairs(rows)[0], path, format=form, tools=TOOLS)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert lines
    assert [without_none(line) for line in read(datasets, path)] == lines
