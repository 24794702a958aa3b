"""Whether a tool call failed: one predicate for the whole package."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from whileai.simulations.rows.content import filled, one_of
from whileai.simulations.rows.exits import is_answer
from whileai.simulations.rows.names import checks_by_name
from whileai.simulations.rows.reading import is_content, is_setting, shows_files
from whileai.simulations.rows.runners import runs_tests
from whileai.simulations.rows.shell import COMMAND_FIELDS, read_script, script_text
from whileai.simulations.rows.summary import green_summary, red_summary
from whileai.simulations.rows.values import is_mapping

_FAILED_STATUS = frozenset(
    [
        "error",
        "failed",
        "failure",
        "timeout",
        "permission_denied",
        "denied",
        "not_found",
        "rejected",
        "unknown_tool",
        "blocked",
        "unauthorized",
        "invalid",
    ]
)
_LONGEST_STATUS = 64  # characters; a longer text is no status word
_DONE_ALREADY = frozenset({"already_done", "already_acted_on"})
_ACTED_ALREADY = frozenset({"already_acted_on"})
_STATUS_CODE = re.compile(r"(?:http[ _-]?)?[45]\d\d|exit_-?[1-9]\d*", re.IGNORECASE)
_ERROR_WORD = re.compile(r"\W*+(?:error|traceback|failed|denied|timeout|exception)\b", re.IGNORECASE)
_EXITED = re.compile(
    r"^\W{0,3}(?:(?:the )?(?:process|command|program) )?(?:exited with (?:exit )?|(?:finished|failed) with exit |exit )"
    r"(?:code|status):? [1-9]",
    re.IGNORECASE | re.MULTILINE,
)
_TELLING_KEYS = frozenset(
    [
        "status",
        "reason",
        "error",
        "success",
        "ok",
        "failed",
        "isError",
        "is_error",
        "stale",
        "exit_code",
        "returncode",
        "code",
    ]
)
_EXIT_KEYS = frozenset({"exit_code", "returncode"})
_CODE_KEYS = _EXIT_KEYS | {"code"}
_SCRIPTS = frozenset(COMMAND_FIELDS)
_COUNTS = ("failed", "failures", "n_failed", "num_failed")


def call_failed(
    result: Any,
    *,
    tool: str = "",
    arguments: Mapping[str, Any] | None = None,
    step: Mapping[str, Any] | None = None,
) -> bool:
    """True when the result of a tool call (or its step) says that the call failed.

    A status word that names no failure (`pending`, `paid`) is the tool's own word. A search that exits with 1 found
    nothing, which is an answer. Being in the requested state already (`already_done`) is no failure.

    >>> call_failed({"status": "not_found"}), call_failed({"status": "pending"}), call_failed("Error: no such order")
    (True, False, True)
    """
    if step is not None and (
        step.get("failed") is True or ("error" in step and filled(step["error"])) or _status_failed(step.get("status"))
    ):
        return True
    if isinstance(result, str):
        return _text_failed(result, tool, arguments)
    return is_mapping(result) and _dict_failed(result, tool, arguments)


def _text_failed(text: str, tool: str, arguments: Mapping[str, Any] | None) -> bool:
    if text.lstrip()[:1] == "{":
        try:
            parsed = json.loads(text)
        except (ValueError, RecursionError):
            parsed = None
        if isinstance(parsed, dict):
            return _dict_failed(parsed, tool, arguments)
    if is_garbled(text):
        return True
    if _ERROR_WORD.match(text) and not is_setting(text):
        return not (green_summary(text) or is_content(text, tool, arguments))
    if "xit" in text and _EXITED.search(text) and _runs_tests(tool, arguments):
        return True
    return red_summary(text) and not is_content(text, tool, arguments)


def is_garbled(text: str) -> bool:
    """Whether a result is no data but noise, as a world writes it under the fault `malformed`.

    >>> is_garbled("<<garbled resp0nse"), is_garbled("garbled text")
    (True, False)
    """
    lowered = text.lower()
    return "garbled" in lowered and ("<<garbled" in lowered or "garbled resp" in lowered)


def _dict_failed(result: Mapping[str, Any], tool: str, arguments: Mapping[str, Any] | None) -> bool:
    told = _TELLING_KEYS.intersection(result)
    if told:
        status = result.get("status")
        if isinstance(status, str) and status.lower() in _DONE_ALREADY:
            return False
        if one_of(result.get("reason"), _ACTED_ALREADY):
            return False
        for key in told:
            if (says_failed := _SAYS_FAILED.get(key)) is not None and says_failed(result[key]):
                return True
        code = None if _CODE_KEYS.isdisjoint(told) else exit_code(result)
        if code and not is_answer(code, tool, arguments):
            return True
    texts = [value for value in result.values() if isinstance(value, str)]
    if texts and any(map(is_garbled, texts)):
        return True
    if _EXIT_KEYS.isdisjoint(told):
        return _runs_tests(tool, arguments) and (_counts_failures(result) or any(map(red_summary, texts)))
    # `pytest || true` exits with 0, `grep failed log` only shows another's run
    return any(map(red_summary, texts)) and not shows_files(tool, arguments)


def _counts_failures(result: Mapping[str, Any]) -> bool:
    counts = (result.get(name) for name in _COUNTS)
    return any(isinstance(count, int) and count > 0 for count in counts)


def _runs_tests(tool: str, arguments: Mapping[str, Any] | None) -> bool:
    if not arguments or _SCRIPTS.isdisjoint(arguments):
        return checks_by_name(tool)
    return any(map(runs_tests, read_script(script_text(arguments))))


def _status_failed(status: Any) -> bool:
    if isinstance(status, str):
        return _word_failed(status) if len(status) <= _LONGEST_STATUS else "permission" in status.lower()
    return isinstance(status, int) and not isinstance(status, bool) and 400 <= status < 600


@lru_cache(maxsize=512)
def _word_failed(status: str) -> bool:
    word = status.strip().lower()
    return word in _FAILED_STATUS or "permission" in word or bool(_STATUS_CODE.fullmatch(word))


_SAYS_FAILED: Mapping[str, Callable[[Any], bool]] = {  # by key
    "status": _status_failed,
    **dict.fromkeys(("error", "stale"), filled),
    **dict.fromkeys(("success", "ok"), lambda value: value is False),
    **dict.fromkeys(("failed", "isError", "is_error"), lambda value: value is True),
}


def exit_code(result: Any) -> int | None:
    """The exit code a result holds, None when it holds none.

    >>> exit_code({"exit_code": 2}), exit_code({"code": 200}), exit_code("2")
    (2, None, None)
    """
    for name in ("exit_code", "returncode", "code") if is_mapping(result) else ():
        code = result.get(name)
        if code is not None:
            if isinstance(code, bool) or not isinstance(code, int) or (name == "code" and 200 <= code < 400):
                return None
            return code
    return None
