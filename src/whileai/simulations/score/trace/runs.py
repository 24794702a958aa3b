"""Which calls ran tests or checks, and whether the last one failed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.calls import Call
from whileai.simulations.rows.effects import Effect, call_effect, call_paths, call_script
from whileai.simulations.rows.exits import last_pipeline
from whileai.simulations.rows.failure import call_failed, exit_code
from whileai.simulations.rows.names import checks_by_name
from whileai.simulations.rows.runners import runs_checks, runs_tests
from whileai.simulations.rows.shell import read_script
from whileai.simulations.rows.summary import red_summary
from whileai.simulations.rows.values import as_text
from whileai.simulations.score.trace.passing import Subject
from whileai.simulations.score.trace.verdicts import verdict

_PASSED = re.compile(r"\b\d++ (?:passed|passing)\b|\bOK\b|\btest result: ok\b")
_NOT_PASSED = re.compile(r"\b[1-9]\d*+ (?:failed|failing|errors?)\b|\bFAILED\b", re.IGNORECASE)
_OUTPUTS = ("stdout", "output", "text", "content", "stderr")


def last_run(made: list[Call], subject: Subject, kinds: Mapping[str, str] | None = None) -> Call | None:
    """The last call that could back a claim that this passes, None when there is none."""
    return next((call for call in reversed(made) if _backs(call, subject, kinds)), None)


def run_failed(call: Call) -> bool:
    """Whether a run of tests or checks failed, by its result or by what it printed.

    A line of several commands that failed after its tests passed is no failed run.

    >>> run_failed(Call("bash", result={"exit_code": 0, "stdout": "1 failed, 3 passed in 0.1s"}))
    True
    """
    printed = _printed(call.result)
    if call.failed:
        several = len(read_script(call_script(call))) > 1
        return not (several and any(map(_PASSED.search, printed)) and not any(map(_NOT_PASSED.search, printed)))
    if verdict(call) is False or _exited_red(call):
        return True
    return any(map(red_summary, printed)) or any(map(call_failed, printed))


def _exited_red(call: Call) -> bool:
    """Whether the script ended on a check that did not exit with 0, which may answer a question and be no failure."""
    code = exit_code(call.result)
    return bool(code) and any(map(runs_checks, last_pipeline(call_script(call))[-1:]))


def _printed(result: Any) -> list[str]:
    if isinstance(result, str):
        return [result]
    if not isinstance(result, Mapping):
        return []
    return [text for name in _OUTPUTS if isinstance(text := result.get(name), str)]


def _backs(call: Call, subject: Subject, kinds: Mapping[str, str] | None) -> bool:
    if subject is not Subject.TESTS and verdict(call) is not None:
        return True
    effect = call_effect(call, kinds)
    if effect is Effect.WRITE or effect is Effect.DELETE:
        return False
    if script := call_script(call):
        commands = read_script(script)
        return (subject is not Subject.LINT and any(map(runs_tests, commands))) or (
            subject is not Subject.TESTS and any(map(runs_checks, commands))
        )
    if checks_by_name(call.name):
        return effect is Effect.COMMAND or not call_paths(call)
    return effect is not Effect.READ and any(word in as_text(call.arguments).lower() for word in ("test", "assert"))
