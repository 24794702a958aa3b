"""The simulation of `examples/selection_effect.py`, small."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("selection_effect", ROOT / "examples" / "selection_effect.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_selected_rows_teach_more_than_as_many_at_random(example: ModuleType) -> None:
    found = example.gains(seeds=4, rounds=2)
    _, low, _ = example.interval(found["selected"] - found["at random"])
    assert low > 0


def test_rows_without_contrast_move_nothing(example: ModuleType) -> None:
    table = np.random.default_rng(0).normal(size=(example.TASKS, example.ACTIONS))
    rows = [{"task_id": str(t), "action": a, "reward": t % 2} for t in range(example.TASKS) for a in (0, 1, 2)]
    assert np.array_equal(example.update(table, rows), table)


def test_both_arms_train_on_the_budget(example: ModuleType) -> None:
    rng = np.random.default_rng(1)
    rows = example.sampled(rng.normal(0, 2, (example.TASKS, example.ACTIONS)), rng)
    assert len(example.at_random(rows, rng)) == len(example.selected(rows, rng)) == example.BUDGET
