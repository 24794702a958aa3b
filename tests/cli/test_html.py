"""`--html`: the page that `wai report` and `wai compare` write."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from whileai.cli.html import checked_page
from whileai.cli.main import app
from whileai.simulations.errors import MissingExtraError

EXAMPLES = Path(__file__).parents[2] / "examples"
ROWS = 80  # of each example


@pytest.fixture
def runs(tmp_path: Path) -> tuple[str, str]:
    paths = tmp_path / "before.jsonl", tmp_path / "after.jsonl"
    for path, name in zip(paths, ("support_rollouts", "support_rollouts_tuned"), strict=True):
        lines = (EXAMPLES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text("".join(lines[:ROWS]), encoding="utf-8")
    return str(paths[0]), str(paths[1])


def wai(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def test_report_prints_as_ever_and_writes_the_same_page_every_time(runs: tuple[str, str], tmp_path: Path) -> None:
    page, again = tmp_path / "page.html", tmp_path / "again.html"
    done = wai("report", runs[0], "--html", str(page))
    assert done.exit_code == 0
    *report, last = done.stdout.splitlines()
    assert report == wai("report", runs[0]).stdout.splitlines()
    assert last.startswith(f"wrote {page}")
    assert f"{ROWS} rollouts to look at" in last
    as_json = wai("report", runs[0], "--json", "--html", str(again))
    found = json.loads(as_json.stdout)
    assert found["rows"] == ROWS
    text = page.read_text(encoding="utf-8")
    assert text.lstrip().lower().startswith("<!doctype html>")
    assert f"{found['pass_at']['pass_at_1']:.3f}" in text
    assert again.read_text(encoding="utf-8") == text


def test_pooled_files_tell_where_each_rollout_stands(tmp_path: Path) -> None:
    for name in "ab":
        rows = [{"task_id": t, "rollout_index": name, "reward": 1, "final_text": f"file {name}"} for t in "xyz"]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    page = tmp_path / "page.html"
    done = wai("report", str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl"), "--html", str(page))
    assert done.exit_code == 0
    assert f'"file":"{tmp_path / "b.jsonl"}","row":3' in page.read_text(encoding="utf-8")


def test_compare_writes_its_page_and_keeps_its_verdict_and_status(runs: tuple[str, str], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    plain, done = wai("compare", *runs), wai("compare", *runs, "--html", str(page))
    assert done.exit_code == plain.exit_code
    assert done.stdout.splitlines()[:-1] == plain.stdout.splitlines()
    assert plain.stdout.splitlines()[0].partition(" (")[0] in page.read_text(encoding="utf-8")


def test_hostile_rows_leave_no_markup_of_theirs(tmp_path: Path) -> None:
    attack = '</script><script>alert(1)</script><img src=x onerror="alert(2)">\u202e'
    rows = [
        {"task_id": attack + str(t), "prompt": attack, "final_text": attack, "reason": attack, "reward": r,
         "markers": {attack: r}, "rollout_index": i, "judge_name": attack}
        for t in range(3) for i, r in enumerate((0, 1, "\ud800"))
    ]  # fmt: skip
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    page = tmp_path / "page.html"
    assert wai("report", str(tmp_path / "rows.jsonl"), "--html", str(page)).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert "alert(1)" in text
    assert "<script>alert" not in text
    assert "<img src=x" not in text


def test_page_in_place_of_a_file_that_is_read_or_of_the_output_is_refused(runs: tuple[str, str]) -> None:
    before = Path(runs[0]).read_bytes()
    for command in (["report", runs[0]], ["compare", *runs]):
        assert "would be written over" in str(wai(*command, "--html", runs[0]).exception)
        assert "--html - would mix the page" in str(wai(*command, "--html", "-").exception)
    assert Path(runs[0]).read_bytes() == before


def test_page_in_a_folder_that_is_not_there_leaves_nothing(runs: tuple[str, str], tmp_path: Path) -> None:
    done = wai("report", runs[0], "--html", str(tmp_path / "none" / "page.html"))
    assert isinstance(done.exception, FileNotFoundError)
    assert {path.name for path in tmp_path.iterdir()} == {"before.jsonl", "after.jsonl"}


def test_without_jinja2_the_extra_is_named_before_anything_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"whileai\[report\]"):
        checked_page("page.html", ["rows.jsonl"])
    checked_page(None, ["rows.jsonl"])
