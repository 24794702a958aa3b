"""The pages of the docs and the README say what is so: their code runs, their commands are the ones of the project."""

from __future__ import annotations

import doctest
import os
import re
import shlex
from pathlib import Path

import printed
import pytest

from entry import wai

ROOT = Path(__file__).parents[1]
PAGES = sorted(path for path in (ROOT / "docs").glob("*.md") if ">>>" in path.read_text(encoding="utf-8"))
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.filterwarnings("ignore:.*could not be read:UserWarning")
@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_code_of_the_page_runs(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(page), module_relative=False, optionflags=FLAGS)
    assert result.attempted > 0
    assert result.failed == 0


def test_python_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    for code in re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL):
        exec(code, {})


@pytest.mark.parametrize("page", printed.PAGES, ids=[page.name for page in printed.PAGES])
def test_what_a_page_shows_of_a_command_or_a_program_is_what_it_prints(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    if page.name != "README.md":  # the README's run in processes of their own, as a reader's do
        monkeypatch.setattr(printed, "output_of", _output_here)
    text = page.read_text(encoding="utf-8")
    assert printed.renewed(text) == text


def _output_here(command: str) -> str:
    done = wai(*shlex.split(command)[1:])
    return done.stdout + done.stderr


def test_the_quick_start_takes_under_ten_seconds_and_prints_the_same_in_every_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (code, shown), *_ = printed.PROGRAM.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    for word in ("simulate", "grade", "pass_at", "judge_trust", "select", "export"):
        assert word in code
    for name in ("WHILEAI_API_KEY", "WHILEAI_JUDGE", "WHILEAI_SURROGATE", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    before = os.times()
    for number in ("1", "2"):
        monkeypatch.setenv("PYTHONHASHSEED", number)
        assert printed.output_of_program(code) == shown
    after = os.times()
    assert after.children_user - before.children_user < 2 * 10  # seconds of CPU, as the machine has other work


def test_ci_runs_the_test_command_of_the_readme() -> None:
    install, test = re.findall(r"```sh\n(.*?)\n```", (ROOT / "README.md").read_text(encoding="utf-8"))
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "wai report examples/" in install
    for step in test.split(" && "):
        assert step.replace(".venv", ".venv-ci") in ci


def test_links_of_the_pages_lead_somewhere() -> None:
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert "://" in target or (page.parent / target).exists(), f"{page.name}: {target}"
