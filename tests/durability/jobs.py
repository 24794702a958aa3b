"""Jobs that write files, each with what must hold after it was killed and after it was run again.

A job is prepared in a folder of its own, run in another process, killed, looked at, run again, and looked at again.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import whileai.simulations as wai
from registry.rollouts import rollouts
from registry.server import Registry
from run.run_agents import POLICY, TOOLS, looked_up
from whileai.cli.main import main
from whileai.simulations.page.serve.labels import LabelsFile
from whileai.simulations.registry import http

KEY = "wk-test-7f3a9c1e"
UNDER_WAY = 4  # calls of a judge or an agent at once, which a kill may cost


def command(*arguments: object) -> None:
    with mock.patch.object(sys, "argv", ["wai", *map(str, arguments)]), mock.patch.object(sys, "stdout", _nowhere()):
        status = _status()
    assert status == 0


def _status() -> Any:
    try:
        main()
    except SystemExit as ended:
        return ended.code or 0
    return 0


def _nowhere() -> Any:
    return open(os.devnull, "w")


def lines(path: Path) -> list[dict[str, Any]]:
    """The whole lines of a file that only grows; the last may be cut."""
    if not path.exists():
        return []
    *whole, _ = path.read_bytes().split(b"\n")
    return [json.loads(line) for line in whole]


def noted(path: Path, word: object) -> None:
    """Add a line to a log in one system call, so that a kill cuts none."""
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(handle, f"{word}\n".encode())
    os.close(handle)


def log(path: Path) -> list[str]:
    return path.read_text().split() if path.exists() else []


@dataclass
class Write:
    """`write_rows` over a file that is there, or into a new one."""

    suffix: str = ".jsonl"
    old: bool = True
    name: str = "write"
    n: int = 6_000

    def rows(self, mark: str) -> list[dict[str, Any]]:
        return [{"task_id": f"{mark}{i}", "reward": i % 2, "final_text": "word " * 40} for i in range(self.n)]

    def prepare(self, folder: Path) -> None:
        (folder / "want").mkdir()
        (folder / "out").mkdir()
        wai.write_rows(self.rows("new"), folder / "want" / f"r{self.suffix}")
        if self.old:
            wai.write_rows(self.rows("old")[:50], folder / "out" / f"r{self.suffix}")
            (folder / "old").write_bytes((folder / "out" / f"r{self.suffix}").read_bytes())

    def run(self, folder: Path) -> None:
        wai.write_rows(self.rows("new"), folder / "out" / f"r{self.suffix}")

    def after_kill(self, folder: Path) -> None:
        target, want = folder / "out" / f"r{self.suffix}", (folder / "want" / f"r{self.suffix}").read_bytes()
        if target.exists():
            assert target.read_bytes() in (want, (folder / "old").read_bytes() if self.old else want)
        else:
            assert not self.old

    def after_again(self, folder: Path) -> None:
        target = folder / "out" / f"r{self.suffix}"
        assert target.read_bytes() == (folder / "want" / target.name).read_bytes()
        assert os.listdir(target.parent) == [target.name]


@dataclass
class Judge:
    """`run_judge` with a checkpoint."""

    name: str = "judge"
    n: int = 150

    def prepare(self, folder: Path) -> None:
        pass

    def run(self, folder: Path) -> None:
        def judge(row: dict[str, Any]) -> dict[str, Any]:
            time.sleep(0.002)
            noted(folder / "calls", row["task_id"])
            return {"reward": row["task_id"] % 2, "reason": str(row["task_id"])}

        rows = [{"task_id": i, "final_text": "Done."} for i in range(self.n)]
        found = wai.run_judge(
            rows, judge, concurrency=UNDER_WAY, checkpoint=folder / "kept.jsonl", progress=False, version="1"
        )
        found.save(folder / "graded.jsonl")

    def _kept(self, folder: Path) -> list[str]:
        found = [line["verdict"]["reason"] for line in lines(folder / "kept.jsonl") if "verdict" in line]
        assert len(found) == len(set(found))
        return found

    def after_kill(self, folder: Path) -> None:
        assert len(log(folder / "calls")) - len(self._kept(folder)) <= UNDER_WAY

    def after_again(self, folder: Path) -> None:
        assert sorted(map(int, self._kept(folder))) == list(range(self.n))
        assert len(log(folder / "calls")) <= self.n + UNDER_WAY
        graded = list(wai.load_rows(folder / "graded.jsonl"))
        assert [(row["task_id"], row["reward"]) for row in graded] == [(i, i % 2) for i in range(self.n)]
        assert sorted(os.listdir(folder)) == ["calls", "graded.jsonl", "kept.jsonl"]


@dataclass
class Grade:
    """`wai grade`: verdicts beside the output, then the output."""

    name: str = "grade"
    n: int = 120

    def prepare(self, folder: Path) -> None:
        rows = [{"task_id": i, "prompt": f"Ask {i}", "final_text": "Done."} for i in range(self.n)]
        wai.write_rows(rows, folder / "rows.jsonl")
        calls = folder / "calls"
        (folder / "judge.py").write_text(
            "from pathlib import Path\nimport time\nfrom durability.jobs import noted\n"
            f"def judge(row):\n    time.sleep(0.002)\n    noted(Path({str(calls)!r}), row['task_id'])\n"
            "    return {'reward': row['task_id'] % 2, 'reason': str(row['task_id'])}\n"
        )

    def run(self, folder: Path) -> None:
        command("grade", folder / "rows.jsonl", "--judge", f"{folder / 'judge.py'}:judge", "-o", folder / "out.jsonl")

    def after_kill(self, folder: Path) -> None:
        kept = [line for line in lines(folder / "out.jsonl.checkpoint") if "verdict" in line]
        assert len(log(folder / "calls")) - len(kept) <= 8
        if (folder / "out.jsonl").exists():
            assert len(list(wai.load_rows(folder / "out.jsonl"))) == self.n

    def after_again(self, folder: Path) -> None:
        graded = list(wai.load_rows(folder / "out.jsonl"))
        assert [(row["task_id"], row["reward"]) for row in graded] == [(i, i % 2) for i in range(self.n)]
        assert len(log(folder / "calls")) <= self.n + 8
        assert {path for path in os.listdir(folder) if path.startswith(".")} == set()


@dataclass
class Simulate:
    """`simulate` with a checkpoint."""

    name: str = "simulate"
    n: int = 40

    def prepare(self, folder: Path) -> None:
        pass

    def run(self, folder: Path) -> None:
        def agent(ask: str) -> Any:
            time.sleep(0.004)
            noted(folder / "calls", "call")
            return looked_up(ask)

        agent.__name__, agent.version = "looked_up", "1"  # type: ignore[attr-defined]
        data = wai.simulate(
            agent, tools=TOOLS, system_prompt=POLICY, simulator=False, budget=self.n, concurrency=UNDER_WAY,
            checkpoint=folder / "kept.jsonl",
        )  # fmt: skip
        wai.write_rows(data.trajectories, folder / "rows.jsonl")

    def after_kill(self, folder: Path) -> None:
        kept = [line for line in lines(folder / "kept.jsonl") if "row" in line]
        assert len({line["key"] for line in kept}) == len(kept)
        assert len(log(folder / "calls")) - len(kept) <= UNDER_WAY

    def after_again(self, folder: Path) -> None:
        rows = list(wai.load_rows(folder / "rows.jsonl"))
        assert len({(row["scenario_id"], row.get("rollout_index")) for row in rows}) == len(rows) == self.n
        assert len(log(folder / "calls")) <= self.n + UNDER_WAY
        assert sorted(os.listdir(folder)) == ["calls", "kept.jsonl", "rows.jsonl"]


@dataclass
class Select:
    """`wai select -o` over a file that is there; with workers, those end too."""

    workers: int = 1
    name: str = "select"

    def prepare(self, folder: Path) -> None:
        (folder / "out").mkdir()
        wai.write_rows(rollouts(150), folder / "rows.jsonl")
        command("select", folder / "rows.jsonl", "-o", folder / "want.jsonl", "--target", 400)
        wai.write_rows([{"task_id": "old"}], folder / "out" / "r.jsonl")
        (folder / "old").write_bytes((folder / "out" / "r.jsonl").read_bytes())

    def run(self, folder: Path) -> None:
        command(
            "select",
            folder / "rows.jsonl",
            "-o",
            folder / "out" / "r.jsonl",
            "--target",
            400,
            "--workers",
            self.workers,
        )

    def after_kill(self, folder: Path) -> None:
        held = (folder / "out" / "r.jsonl").read_bytes()
        assert held in ((folder / "old").read_bytes(), (folder / "want.jsonl").read_bytes())

    def after_again(self, folder: Path) -> None:
        assert (folder / "out" / "r.jsonl").read_bytes() == (folder / "want.jsonl").read_bytes()
        assert os.listdir(folder / "out") == ["r.jsonl"]


@dataclass
class PushFolder:
    """`push_rows` of a second version into a folder, and its publication."""

    name: str = "push to a folder"
    rows: list[dict[str, Any]] = field(default_factory=lambda: rollouts(60), repr=False)

    def prepare(self, folder: Path) -> None:
        wai.push_rows(self.rows[:100], folder / "refunds", agent="bot", publish=True)

    def run(self, folder: Path) -> None:
        wai.push_rows(self.rows, folder / "refunds", agent="bot", publish=True, holdout=0.3)

    def _versions(self, folder: Path) -> list[int]:
        """The versions there are, each whole by its own description."""
        found = []
        for path in sorted((folder / "refunds").glob("v*")):
            said = json.loads((path / "dataset.json").read_bytes())
            for file in said["manifest"]["files"]:
                assert hashlib.sha256((path / file["path"]).read_bytes()).hexdigest() == file["sha256"]
            found.append(int(path.name[1:]))
        published = json.loads((folder / "refunds" / "published.json").read_bytes())
        held = json.loads((folder / "refunds" / f"v{published['version']}" / "dataset.json").read_bytes())
        assert held["datasetId"] == published["datasetId"]
        return found

    def after_kill(self, folder: Path) -> None:
        assert self._versions(folder) in ([1], [1, 2])

    def after_again(self, folder: Path) -> None:
        assert self._versions(folder) == [1, 2]
        assert sorted(os.listdir(folder / "refunds")) == ["published.json", "v1", "v2"]
        assert json.loads((folder / "refunds" / "published.json").read_bytes())["version"] == 2
        n = sum(len(list(wai.load_rows(path))) for path in (folder / "refunds" / "v2" / "data").glob("*.jsonl"))
        assert n == len(self.rows)


@dataclass
class PushHttp:
    """`push_rows` to a registry, in parts of 4 KiB; the registry lives on in this process."""

    name: str = "push to a registry"
    rows: list[dict[str, Any]] = field(default_factory=lambda: rollouts(60), repr=False)
    url: str = ""
    registry: Registry | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "registry": None}

    def prepare(self, folder: Path) -> None:
        (folder / "temporary").mkdir()
        self.registry = Registry(folder / "registry", key=KEY).__enter__()
        self.url = self.registry.url

    def run(self, folder: Path) -> None:
        http.PART_BYTES = 4096
        with mock.patch("tempfile.tempdir", str(folder / "temporary")):
            wai.push_rows(self.rows, "refunds", target=self.url, api_key=KEY, publish=True, agent="bot")

    def after_kill(self, folder: Path) -> None:
        """What is there is whole: the store refuses a dataset whose parts do not make its files."""
        assert self.registry is not None
        for record in (held := self.registry.store.datasets()):
            for file in record["manifest"]["files"]:
                content = self.registry.store.content(record["datasetId"], file["path"])
                assert content is not None
                assert hashlib.sha256(content).hexdigest() == file["sha256"]
        assert len(held) <= 1

    def after_again(self, folder: Path) -> None:
        assert self.registry is not None
        self.after_kill(folder)
        [record] = self.registry.store.datasets()
        sent = self.registry.sent()
        self.registry.__exit__()
        assert record["published"]
        assert sum(file["rows"] or 0 for file in record["manifest"]["files"]) == len(self.rows)
        assert len(sent) == len(set(sent))
        assert os.listdir(folder / "temporary") == []


@dataclass
class Labels:
    """Labels as `wai serve` keeps them: none that was acknowledged is lost."""

    name: str = "labels"
    n: int = 60

    def prepare(self, folder: Path) -> None:
        pass

    def run(self, folder: Path) -> None:
        keys = {f"t#{i}" for i in range(self.n)}
        kept = LabelsFile(str(folder / "r.labels.jsonl"))
        done = {line["key"] for line in kept.given()}
        for key in sorted(keys - done):
            kept.add({"key": key, "label": 1, "annotator": "ann"}, keys)
            noted(folder / "told", key)
        kept.close()

    def after_kill(self, folder: Path) -> None:
        held = [line["key"] for line in lines(folder / "r.labels.jsonl")]
        assert set(log(folder / "told")) <= set(held)
        assert len(held) - len(log(folder / "told")) <= 1

    def after_again(self, folder: Path) -> None:
        held = [line["key"] for line in lines(folder / "r.labels.jsonl")]
        assert sorted(held) == sorted(f"t#{i}" for i in range(self.n))
