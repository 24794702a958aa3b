"""Which commands run tests, and which lint, type-check or build."""

from __future__ import annotations

import re

from whileai.simulations.rows.names import words_in
from whileai.simulations.rows.shell import Command

_PYTHON = re.compile(r"python[\d.]*+|pypy[\d.]*+|py")
_TEST_PROGRAMS = words_in(
    """
    pytest py.test unittest tox nox jest vitest mocha ava rspec phpunit pest ctest nosetests nose2 behave bats
    karma busted trial stestr testr cypress minitest tap prove
    """
)
_TEST_MODULES = words_in(
    """
    pytest unittest nose nose2 tox nox doctest behave twisted.trial
    """
)
_LINT_PROGRAMS = words_in(
    """
    ruff eslint mypy tsc flake8 pylint pyright basedpyright biome prettier black isort golangci-lint clippy
    rubocop stylelint shellcheck pre-commit oxlint standard xo tslint vue-tsc hadolint yamllint pycodestyle
    pydocstyle bandit ktlint checkstyle phpstan psalm swiftlint vulture ty import-linter lint-imports sqlfluff
    """
)
BUILD_PROGRAMS = words_in(
    """
    make cmake ninja bazel buck webpack vite rollup esbuild gcc g++ cc c++ clang clang++ javac rustc meson scons
    ant msbuild xcodebuild kotlinc ghc
    """
)
_TASK_RUNNERS = words_in(
    """
    npm pnpm yarn bun go cargo make mvn mvnw gradle gradlew dotnet deno bazel mix swift rake rails artisan
    composer sbt lein flutter dart zig playwright just task invoke inv ng turbo nx lerna hatch pdm poe stack cabal
    dune gmake ant cmake meson ninja rebar3 mage melos xcodebuild forge hardhat rye moon
    """
)
_TEST_WORD = re.compile(
    r"(?:run[_:-]?)?(?:unit|integration|e2e|all)?[_:-]?tests?(?:[_:-][\w:-]*+)?|specs?|t|nextest|verify|check"
    r"|(?-i:test[A-Z]\w*+|[a-z]\w*?Test)",
    re.IGNORECASE,
)
_CHECK_WORD = re.compile(
    r"lint|type-?check|clippy|^vet$|fmt|format|check|build|compile|^tsc$|^types$|assemble|^install$|^package$|^dist$",
    re.IGNORECASE,
)
_TEST_FILE = re.compile(r"(?:^|[/_.-])(?:run_?)?tests?(?:[/_.-]|$)|(?:^|/)(?:runtests|testall)", re.I)
_INTERPRETERS = words_in(
    """
    node ruby perl php bash sh zsh deno bun tsx ts-node Rscript lua source .
    """
)
_CI_READS = frozenset([("pr", "checks"), ("run", "view"), ("run", "watch"), ("run", "list")])


def is_python(program: str) -> bool:
    """Whether a program is a Python interpreter.

    >>> is_python("python3.11"), is_python("pytest")
    (True, False)
    """
    return _PYTHON.fullmatch(program) is not None


def runs_tests(command: Command) -> bool:
    """Whether a command runs tests: a test runner, a task named test, or a file named after tests.

    >>> from whileai.simulations.rows.shell import read_script
    >>> [runs_tests(read_script(s)[0]) for s in ("uv run pytest -q", "npm run test:unit", "cat test.log")]
    [True, True, False]
    """
    program, words = command.program, command.arguments
    if program in _TEST_PROGRAMS:
        return True
    if is_python(program) or program == "coverage":
        return _python_tests(words)
    if program == "gh":
        return tuple(words[:2]) in _CI_READS
    if program in ("docker", "podman"):
        return not _TEST_PROGRAMS.isdisjoint(words)
    if program in _TASK_RUNNERS:
        return any(_TEST_WORD.fullmatch(_task(word, program)) for word in plain_words(words)[:4])
    if program in _INTERPRETERS:
        first = next(iter(plain_words(words)), "")
        return first == "--test" or "--test" in words[:2] or bool(_TEST_FILE.search(first))
    return program != "test" and bool(_TEST_FILE.search(program))


def _task(word: str, program: str) -> str:
    """A task without the project it is of: Gradle's `:app:test`."""
    return word.rpartition(":")[2] if program.startswith("gradle") else word


def _python_tests(words: list[str]) -> bool:
    if "-m" in words:
        module = "".join(words[words.index("-m") + 1 :][:1])
        return module in _TEST_MODULES or module.partition(".")[0] in _TEST_MODULES or bool(_TEST_FILE.search(module))
    plain = plain_words(words)
    return bool(plain) and (bool(_TEST_FILE.search(plain[0])) or "test" in plain[1:2])


def runs_checks(command: Command) -> bool:
    """Whether a command lints, type-checks or builds.

    >>> from whileai.simulations.rows.shell import read_script
    >>> [runs_checks(read_script(s)[0]) for s in ("ruff check .", "npm run build", "python -m mypy src", "ls")]
    [True, True, True, False]
    """
    program, words = command.program, command.arguments
    if program in _LINT_PROGRAMS or program in BUILD_PROGRAMS:
        return True
    if is_python(program) and "-m" in words:
        module = "".join(words[words.index("-m") + 1 :][:1])
        return module in _LINT_PROGRAMS or module in ("compileall", "py_compile", "build")
    if program in _TASK_RUNNERS:
        return any(_CHECK_WORD.search(word) for word in plain_words(words)[:4] if "/" not in word)
    return bool(re.search(r"(?:^|[_.-])(?:lint|build|check|compile)(?:[_.-]|$)", program))


def plain_words(words: list[str]) -> list[str]:
    """The words that are no options.

    >>> plain_words(["-q", "a"])
    ['a']
    """
    return [word for word in words if not word.startswith("-")]
