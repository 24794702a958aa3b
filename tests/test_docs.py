"""The pages of the docs and the README say what is so: their code runs, their commands are the ones of the project."""

from __future__ import annotations

import doctest
import os
import re
import shlex
from pathlib import Path
from typing import Any

import from_pages
import printed
import pytest

import whileai
import whileai.simulations
from entry import wai
from tables import each_of
from whileai.simulations.rows import formats

ROOT = Path(__file__).parents[1]
PAGES = sorted(path for path in (ROOT / "docs").rglob("*.md") if ">>>" in path.read_text(encoding="utf-8"))
SHOWING = [
    page for page in printed.PAGES if any(mark in page.read_text(encoding="utf-8") for mark in ("$ wai", "prints\n"))
]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.filterwarnings("ignore:.*could not be read:UserWarning")
@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
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


@pytest.mark.parametrize("page", SHOWING, ids=[str(page.relative_to(ROOT)) for page in SHOWING])
def test_what_a_page_shows_of_a_command_or_a_program_is_what_it_prints(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    if page.name != "README.md":  # the README's run in processes of their own, as a reader's do
        monkeypatch.setattr(printed, "output_of", _output_here)
    text = page.read_text(encoding="utf-8")
    assert printed.renewed(text) == text


def _output_here(command: str) -> str:
    command, _, lines = command.partition(" | head -")
    done = wai(*shlex.split(command)[1:])
    return printed.headed(done.stdout + done.stderr, lines)


def test_the_quick_start_takes_under_ten_seconds_and_prints_the_same_in_every_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (code, shown), *_ = printed.PROGRAM.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    for word in ("simulate", "grade", "pass_at", "judge_trust", "select", "export"):
        assert word in code
    for name in ("WHILEAI_API_KEY", "WHILEAI_JUDGE", "WHILEAI_SURROGATE", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    before = os.times()
    monkeypatch.setenv("PYTHONHASHSEED", "1")  # the test of the README's page has another one, at random
    assert printed.output_of_program(code) == shown
    after = os.times()
    assert after.children_user - before.children_user < 10  # seconds of CPU, as the machine has other work


def test_ci_runs_the_test_command_of_the_readme() -> None:
    install, test = re.findall(r"```sh\n(.*?)\n```", (ROOT / "README.md").read_text(encoding="utf-8"))
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "wai report examples/" in install
    for step in test.split(" && "):
        assert step.replace(".venv", ".venv-ci") in ci


def test_links_of_the_pages_lead_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert "://" in target or (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_format_has_one_page() -> None:
    named = [name for tool in from_pages.TOOLS.values() for name in tool["formats"]]
    assert sorted(named) == sorted(module.NAME for module in formats.known())


def test_no_format_page_differs_from_its_table(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = {path.name: path.read_text(encoding="utf-8") for path in from_pages.FOLDER.glob("*.md")}
    shown = dict(block for page in stored.values() for block in printed.BLOCK.findall(page))
    monkeypatch.setattr(printed, "output_of", shown.__getitem__)  # what commands print is held above
    assert from_pages.pages() == stored


@each_of("tool", from_pages.TOOLS.values(), ids=from_pages.TOOLS)
def test_what_a_format_page_names_is_on_the_rows_of_its_sample(tool: dict[str, Any]) -> None:
    rows = from_pages.rows_of(tool)
    found = {key for row in rows for key, value in row.items() if value is not None}
    named = {key for _, on_row in tool["becomes"] for key in re.findall(r"`(\w+)`", on_row)}
    assert named <= found
    assert {row["lineage"]["format"] for row in rows} & {*tool["formats"], "openai-chat"}


def test_every_public_name_stands_once_in_the_api_reference() -> None:
    pages = (ROOT / "docs" / "api").glob("*.md")
    named = sorted(
        name for page in pages for name in re.findall(r"^::: (\S+)$", page.read_text(encoding="utf-8"), re.M)
    )
    public = [f"whileai.simulations.{name}" for name in whileai.simulations.__all__]
    assert named == sorted([*public, *(f"whileai.{name}" for name in whileai._HOMES)])


def test_every_page_is_in_the_navigation_of_the_site() -> None:
    docs = ROOT / "docs"
    listed = re.findall(r"^ +- (\S+\.md)$|^  - (index\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M)
    assert sorted("".join(pair) for pair in listed) == sorted(
        str(path.relative_to(docs)) for path in docs.rglob("*.md")
    )


def test_examples_of_contributing_hold() -> None:
    for code in re.findall(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.DOTALL):
        names: dict[str, Any] = {}
        exec(code, names)
        for name in ("sniff", "to_rows"):
            examples = doctest.DocTestParser().get_doctest(names[name].__doc__, names, name, None, 0)
            assert doctest.DocTestRunner().run(examples).failed == 0
