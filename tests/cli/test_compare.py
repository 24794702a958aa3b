"""`wai compare` as a person or a CI job runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from entry import wai
from whileai.simulations.distributed import delta


def run_file(folder: Path, name: str, passes: list[int], polite: list[int] | None = None, **extra: object) -> str:
    rows = [
        {"task_id": f"t{task}", "reward": int(r < n), "markers": {"polite": int(r < (polite or passes)[task])}, **extra}
        for task, n in enumerate(passes)
        for r in range(4)
    ]
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(folder / name)


@pytest.fixture
def runs(tmp_path: Path) -> tuple[str, str]:
    before, after = [1, 2, 1, 2, 1, 2, 1, 2], [3, 3, 2, 4, 3, 3, 2, 4]
    return run_file(tmp_path, "before.jsonl", before, [4] * 8), run_file(tmp_path, "after.jsonl", after, [1, 2] * 4)


def test_gain_prints_its_verdict_first_and_ends_with_status_zero(runs: tuple[str, str]) -> None:
    done = wai("compare", *runs, "--target", "pass_at_1", "--run-std", "0.01", "--run-std-runs", "5")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == "PASS"
    assert "+0.375" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100


def test_failed_guard_ends_with_status_one(runs: tuple[str, str]) -> None:
    done = wai("compare", *runs, "--target", "pass_at_1", "--guard", "polite")
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == "FAIL"
    assert "marker:polite" in done.stdout


def test_json_is_the_report_and_keeps_the_exit_status(runs: tuple[str, str]) -> None:
    done = wai("compare", *runs, "--guard", "polite", "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["ok"], found["regressions"]) == (1, False, ["marker:polite"])
    assert [entry["rows"] for entry in found["read"]] == [32, 32]


def test_groups_are_asked_for_by_a_row_key(tmp_path: Path) -> None:
    before = run_file(tmp_path, "a.jsonl", [1] * 8, shop="north")
    after = run_file(tmp_path, "b.jsonl", [3] * 8, shop="north")
    assert "by shop" in wai("compare", before, after, "--by", "shop").stdout


@pytest.mark.parametrize("option", [("--alpha", "2"), ("--run-std", "-1")])
def test_bad_argument_is_one_line_and_status_two(runs: tuple[str, str], option: tuple[str, str]) -> None:
    done = wai("compare", *runs, *option)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)


def test_unreadable_side_is_one_line_and_status_two(runs: tuple[str, str]) -> None:
    done = wai("compare", runs[0], runs[0] + ".gone")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)


def test_bad_records_are_said_beside_the_verdict(runs: tuple[str, str]) -> None:
    path = Path(runs[1])
    path.write_text(path.read_text(encoding="utf-8") + "not json\n", encoding="utf-8")
    lines = wai("compare", *runs).stdout.splitlines()
    assert "1 bad record left out; first: record 33" in " ".join(" ".join(lines[1:4]).split())
    assert max(map(len, lines)) <= 100


def test_side_without_rows_is_no_comparison(runs: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    done = wai("compare", runs[0], str(tmp_path / "empty.jsonl"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "no rows to compare" in done.stderr


def test_same_file_twice_is_refused(runs: tuple[str, str]) -> None:
    done = wai("compare", runs[0], runs[0])
    assert (done.returncode, done.stdout) == (2, "")
    assert "both sides are the same" in done.stderr


def test_fault_of_ours_is_no_verdict(runs: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delta, "compared", lambda *_, **__: {}[0])
    done = wai("compare", *runs)
    assert (done.returncode, done.stdout) == (3, "")
    assert "KeyError" in done.stderr
