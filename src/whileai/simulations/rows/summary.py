"""Summaries of test runners, and whether they count failures."""

from __future__ import annotations

import re

_COUNT_FAILED = re.compile(r"\b[1-9]\d*+ (?:failed|failures?|errors?)\b", re.IGNORECASE)
_COUNT_RUN = re.compile(
    r"\b\d++ (?:passed|passing|examples?|assertions?)\b|\btests? (?:completed|passed|failed)\b", re.I
)
_GREEN_LINE = re.compile(  # a summary without failures
    r"^[ \t=]*+(?:[1-9]\d{0,8} passed\b[^\n]{0,60}+$|Tests?:?[ \t]++[1-9]\d{0,8} passed\b|test result: ok\b|OK"
    r" \([^\n]{0,40}+\)$"
    r"|Failed: 0, Passed: [1-9])",
    re.MULTILINE,
)
_RULE = re.compile(r"(?<!=)={3,}+ ")
_RULED_FAILED = re.compile(r"\b[1-9]\d*+ failed\b", re.IGNORECASE)
_RED_LINE = re.compile(  # a line that only a failed run prints, by runner
    r"^[ \t]*+(?:FAIL(?:[ \t]++[\w./@-]++(?:[ \t][^\n]{0,40}+)?+)?+$"  # go, jest
    r"|--- FAIL: |FAILED \((?:failures|errors)=|test result: FAILED|npm ERR! Test failed|not ok [1-9]"
    r"|(?:\[\w++\][ \t]++)?+Tests run:[^\n]{0,60}?(?:Failures|Errors): [1-9]"  # surefire
    r"|Tests?:?[ \t]++[^\n]{0,60}?\b[1-9]\d{0,8} failed\b"  # jest, vitest
    r"|Tests: [^\n]{0,60}?(?:Failures|Errors): [1-9]"  # phpunit
    r"|(?:✘ |Failed! {1,2}- )[^\n]{0,20}?Failed: {1,8}[1-9]|[1-9]\d{0,8} failing$|[1-9]\d{0,8} tests? failed\b"
    r"|[1-9]\d{0,8} (?:failed|errors?) in \d[\d.:]*+ ?s"  # pytest -q
    r"|\d{1,3}% tests passed, [1-9]\d{0,8} tests? failed"  # ctest
    r"|(?:\[\w++\][ \t]++)?+BUILD FAIL(?:URE|ED)\b|[\w.-]{1,40}+: FAIL code [1-9]|(?:# )?fail"
    r" [1-9]\d{0,8}$"  # mvn, tox, node
    r"|[1-9]\d{0,8} fail$"  # bun
    r"|Executed [1-9]\d{0,8} tests?, with [1-9])",
    re.MULTILINE,
)


def red_summary(text: str) -> bool:
    """Whether a test runner's summary in a text counts failures, or one of its lines says that the run failed.

    >>> [red_summary(t) for t in ("1 failed, 3 passed", "--- FAIL: TestA", "2 passed, 0 failed", "1 failed login")]
    [True, True, False, False]
    """
    lowered = text.lower()
    if "fail" not in lowered and " error" not in lowered and "not ok" not in lowered:
        return False
    return _counts_failures(text) or _RED_LINE.search(text) is not None


def _counts_failures(text: str) -> bool:
    """Whether a line counts failures beside passes or after a rule (`=====`)."""
    at = 0
    while found := _COUNT_FAILED.search(text, at):
        end = text.find("\n", found.end())
        end = len(text) if end < 0 else end
        line = text[text.rfind("\n", at, found.start()) + 1 : end]
        if _COUNT_RUN.search(line):
            return True
        if (rule := _RULE.search(line)) and _RULED_FAILED.search(line, rule.end()):
            return True
        at = end
    return False


def green_summary(text: str) -> bool:
    """Whether a test runner's summary in a text counts passes and no failure.

    >>> green_summary("Error: retry 1 logged\\n3 passed"), green_summary("Error: no such test")
    (True, False)
    """
    return "pass" in text.lower() and _GREEN_LINE.search(text) is not None and not red_summary(text)
