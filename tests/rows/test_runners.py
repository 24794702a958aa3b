"""Which commands run tests, and which lint, type-check or build."""

from __future__ import annotations

import pytest

from tables import each_of
from whileai.simulations.rows.runners import runs_checks, runs_tests
from whileai.simulations.rows.shell import read_script

TESTS = """pytest -q|python -m pytest|python3.11 -m unittest discover|unittest|npm test|npm t|pnpm test|yarn test
bun test|go test ./...
cargo test|uv run pytest|make test|tox -e py311|npx jest --ci|vitest run|mvn -q test|gradle test|./gradlew test
dotnet test|rspec
phpunit|ctest|npm run test:unit|python manage.py test|python tests/runtests.py|./run_tests.sh|bash test.sh|node --test
cargo nextest run|coverage run -m pytest|bundle exec rspec|python test_fix.py|deno test
docker run --rm img pytest""".replace("\n", "|")
NO_TESTS = """cat tests/test_a.py|ls tests|git diff tests|grep -rn test .|npm run build|echo pytest|pip install pytest
which pytest
vim test.py|rm test.py|mkdir tests|go build ./...|make|python latest.py|cd tests|touch test_a.py""".replace("\n", "|")


@each_of("script", TESTS.split("|"))
def test_it_runs_tests(script):
    assert runs_tests(read_script(script)[0])


@each_of("script", NO_TESTS.split("|"))
def test_it_runs_no_tests(script):
    assert not runs_tests(read_script(script)[0])


@each_of(
    "script", ["ruff check .", "npx eslint .", "mypy src", "tsc --noEmit", "npm run build", "cargo build", "make",
    "go vet ./...",
               "pre-commit run", "python -m mypy src", "./build.sh", "npm run lint:fix"],
)  # fmt: skip
def test_it_runs_checks(script):
    assert runs_checks(read_script(script)[0])


@pytest.mark.parametrize("script", ["cat build.log", "pytest -q", "git status", "ls", "rebuild", "npm test"])
def test_it_runs_no_checks(script):
    assert not runs_checks(read_script(script)[0])


@each_of(
    "script",
    [
        "uvx pytest", "conda run -n x pytest -q", "pytest.exe -q", "watch -n1 pytest", "watch -n 1 pytest", "rye test",
        "xcodebuild test", "prove -l t/", "forge test", "npx hardhat test", "moon run :test",
    ],
)  # fmt: skip
def test_runners_behind_other_programs_run_tests(script):
    assert any(map(runs_tests, read_script(script)))
