"""One Ray of two workers for all tests of the folder."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Ray warns of its own deprecated settings, and leaves sockets to the collector."""
    here = f"{Path(__file__).parent}{os.sep}"
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning"))
            item.add_marker(pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"))
            item.add_marker(pytest.mark.xdist_group("ray"))


@pytest.fixture(scope="session")
def cluster() -> Iterator[Any]:
    ray = pytest.importorskip("ray", reason="ray is not installed: pip install 'whileai[ray]'")
    data = pytest.importorskip("ray.data", reason="ray[data] is not installed: pip install 'whileai[ray]'")
    os.environ.setdefault("RAY_AUTH_MODE", "disabled")
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        object_store_memory=80 * 2**20,
        log_to_driver=False,
        configure_logging=False,
    )
    data.DataContext.get_current().enable_progress_bars = False
    yield ray
    ray.shutdown()


def skewed(n: int = 720, seed: int = 0, passes: float = 0.5) -> list[dict[str, Any]]:
    """Rows of which every other is of one task; some ungraded, some with partial credit, messages of two shapes."""
    rng = random.Random(seed)
    rows: list[dict[str, Any]] = []
    for number in range(n):
        task = "big" if number % 2 else f"task-{rng.randrange(24)}"
        said = rng.choice(["It ships on Tuesday.", "I do not know.", f"Order {rng.randrange(30)} is on its way."])
        call = {"id": f"c{number}", "function": {"name": "look_up", "arguments": '{"order": 5}'}}
        messages: list[dict[str, Any]] = [{"role": "user", "content": f"Where is {task}?"}]
        if number % 3:
            messages += [
                {"role": "assistant", "content": None, "tool_calls": [call]},
                {"role": "tool", "tool_call_id": f"c{number}", "content": '{"status": "shipped"}'},
            ]
        messages.append({"role": "assistant", "content": said})
        row: dict[str, Any] = {
            "task_id": task,
            "prompt": f"Where is {task}?",
            "messages": messages,
            "final_text": said,
            "markers": {"polite": rng.random(), "brief": rng.randrange(2)},
            "category": rng.choice(["shipping", "refunds"]),
            "lineage": {"eval_run": str(number % 3)},
            "policy_version": "policy@abc",
            "finish_reason": "length" if number % 37 == 0 else "stop",
            "rollout_index": number,
        }
        if number % 11:
            row["reward"] = 0.5 if number % 13 == 0 else int(rng.random() < (0.3 if task == "big" else passes))
        rows.append(row)
    return rows


@pytest.fixture(scope="session")
def rows() -> list[dict[str, Any]]:
    return skewed()


@pytest.fixture(scope="session")
def path(rows: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    from whileai.simulations import write_rows

    found = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    write_rows(rows, found)
    return found


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are read in parts of about a sixth of the rows."""
    monkeypatch.setattr("whileai.simulations.distributed.source.PART_BYTES", 120_000)
