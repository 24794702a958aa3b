"""Exit codes that answer a question: a search that found nothing, files that differ, packages that are old."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from whileai.simulations.rows.names import words_in
from whileai.simulations.rows.programs import SEARCHES, only_reads
from whileai.simulations.rows.runners import plain_words
from whileai.simulations.rows.shell import Command, read_script, script_text

_SEARCH_TOOLS = frozenset(["grep", "rg", "diff"])
_SAY_NOTHING = frozenset(["", "echo", "printf", "true", ":"])
_NOTHING_FOUND = (  # programs that exit with 1 when the answer is no
    SEARCHES
    | words_in(
        """
    diff cmp colordiff zdiff zcmp test [ [[ which type hash pgrep pidof expr comm
    """
    )
)
_GIT_ANSWERS = frozenset(["diff", "grep", "merge-base", "check-ignore", "show-ref", "ls-files", "diff-index"])
_FORMATTERS = frozenset(
    ["black", "isort", "prettier", "ruff", "rustfmt", "cargo", "gofmt", "yapf", "biome", "clang-format"]
)
_CHECKS_FORMAT = frozenset(["--check", "--diff", "--check-only", "-c", "-l", "--list-different", "--dry-run"])
_PACKAGES = frozenset(["npm", "pnpm", "yarn", "bun"])
_PACKAGE_ANSWERS = frozenset(["outdated", "audit"])
_TIMED_OUT = 124  # exit code of `timeout` when the command still ran
_STARTS_SERVER = re.compile(
    r"timeout\b[^|;&]{0,200}?\b(?:start|serve|server|dev|runserver|http\.server|uvicorn|gunicorn|watch|preview"
    r"|tail\b[^|;&]{0,40} -[fF])\b"
)
_ASKS_COMMAND = re.compile(r"command\s++-[vV]\b")


def is_answer(code: int, tool: str, arguments: Mapping[str, Any] | None) -> bool:
    """Whether the exit code of a call answers what was asked: of a search, a comparison, a look for old packages.

    Of a script the last command that says something decides, or a search that only readers follow in its pipeline.

    >>> [is_answer(1, "bash", {"command": c}) for c in ("cmp a b", "grep x log | head", "make && cmp a b", "make")]
    [True, True, True, False]
    """
    if tool.lower() in _SEARCH_TOOLS:
        return code == 1
    pipeline = last_pipeline(script_text(arguments) if arguments else "")
    if not pipeline:
        return False
    if _answers(pipeline[-1], code):
        return True
    return any(_answers(command, code) for command in pipeline) and all(map(only_reads, pipeline))


def last_pipeline(script: str) -> list[Command]:
    """The commands of the last pipeline of a script that says something: `echo` and `true` at its end do not.

    >>> [command.program for command in last_pipeline("make && grep x log | head; echo done")]
    ['grep', 'head']
    """
    made = read_script(script)
    while made and made[-1].program in _SAY_NOTHING and not _ASKS_COMMAND.match(made[-1].text):
        made.pop()
    start = len(made) - 1
    while start > 0 and made[start - 1].joiner in ("|", "|&"):
        start -= 1
    return made[max(start, 0) :]


def _answers(command: Command, code: int) -> bool:
    program = command.program
    if code == _TIMED_OUT:
        return _STARTS_SERVER.match(command.text) is not None
    if code != 1:
        return False
    if program in _NOTHING_FOUND or _ASKS_COMMAND.match(command.text):
        return True
    rule = _ANSWERING.get(program)
    return rule is not None and rule(plain_words(command.arguments), command.arguments)


_Rule = Callable[[list[str], list[str]], bool]
_ANSWERING: dict[str, _Rule] = {
    "git": lambda plain, _: not _GIT_ANSWERS.isdisjoint(plain[:2]),
    **dict.fromkeys(_FORMATTERS, lambda _, words: not _CHECKS_FORMAT.isdisjoint(words)),
    **dict.fromkeys(("nc", "ncat", "netcat"), lambda _, words: any(re.match(r"-\w*z", word) for word in words)),
    **dict.fromkeys(_PACKAGES, lambda plain, _: not _PACKAGE_ANSWERS.isdisjoint(plain[:1])),
}
