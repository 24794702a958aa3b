"""What a result reports of a build or of checks that ran elsewhere: a build service, the checks of a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from whileai.simulations.rows.calls import Call
from whileai.simulations.rows.names import name_words

_RUNS = frozenset(["build", "builds", "ci", "pipeline", "pipelines", "workflow", "checks", "compile", "lint"])
_REPORTS = frozenset(
    ["check", "checks", "ci", "build", "builds", "pipeline", "workflow", "rollup", "statuscheckrollup", "lint"]
)
_OUTCOMES = frozenset(["status", "result", "conclusion", "state", "outcome"])
_GOOD = re.compile(r"\b(?:success(?:ful(?:ly)?)?|succeeded|pass(?:ed|es|ing)?|green)\b", re.IGNORECASE)
_BAD = re.compile(
    r"(?<!\b0 )(?<!\bno )\b(?:fail(?:ed|ures?|ing|s)?|errored|red|timed[ _]out|cancelled)\b(?!\W{1,3}0\b)",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:queued|pending|running|started|starting|triggered|scheduled|waiting|in[ _-]progress|requested|submitted)\b",
    re.IGNORECASE,
)
_MOST_VALUES = 200  # values read of one result
_MOST_CHARS = 200  # characters read of one value
_WORD_CHARS = 40  # characters of the longest outcome; a longer text may name a failure that is none
_DEEPEST = 4


def verdict(call: Call) -> bool | None:
    """Whether builds or checks went well by what a call returned, None when it reports none.

    A tool that builds by its name and came back has built, unless it says that the build has yet to end.

    >>> [verdict(Call("get_pr", result={"checks": word})) for word in ("success", "failure", "queued")]
    [True, False, None]
    """
    runs = not _RUNS.isdisjoint(name_words(call.name))
    said = list(islice(_outcomes(call.result, runs, runs), _MOST_VALUES))
    bad = list(filter(_BAD.search, said))
    if any(len(text) <= _WORD_CHARS for text in bad):
        return False
    if not bad and any(map(_GOOD.search, said)):
        return True
    return not call.failed if runs and call.answered and not any(map(_OPEN.search, said)) and not bad else None


def _outcomes(value: Any, runs: bool, inside: bool, depth: int = 0) -> Iterator[str]:
    """The words of outcome in a result; `runs` says that the tool itself builds, `inside` that its report is read."""
    if isinstance(value, str):
        if inside:
            yield value[:_MOST_CHARS]
    elif depth < _DEEPEST and isinstance(value, list | tuple):
        for item in value:
            yield from _outcomes(item, runs, inside, depth + 1)
    elif depth < _DEEPEST and isinstance(value, Mapping):
        for key, item in value.items():
            words = name_words(key) if isinstance(key, str) else ()
            told = not _REPORTS.isdisjoint(words) or (inside and not _OUTCOMES.isdisjoint(words))
            if told or not isinstance(item, str):
                yield from _outcomes(item, runs, inside or told, depth + 1)
