"""Whether a tool call failed: one predicate for the whole package."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.values import as_text

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
_DONE_ALREADY = frozenset({"already_done", "already_acted_on"})
_STATUS_CODE = re.compile(r"(?:http[ _-]?)?[45]\d\d|exit_-?[1-9]\d*", re.IGNORECASE)
_ERROR_WORD = re.compile(r"\W*(?:error|traceback|failed|denied|timeout|exception)\b", re.IGNORECASE)
_GARBLED = re.compile(r"<<garbled|garbled resp", re.IGNORECASE)
_TESTS_FAILED = re.compile(
    r"\b[1-9]\d* (?:failed|failures?|errors?)\b(?=.*\b\d+ (?:passed|passing)\b)|"
    r"\b\d+ (?:passed|passing)\b.*\b[1-9]\d* (?:failed|failures?|errors?)\b|"
    r"={3,} .*\b[1-9]\d* failed\b",
    re.IGNORECASE,
)
_SEARCH_COMMAND = re.compile(r"^\s*(?:[^|;&]*\|\s*)*(?:sudo\s+)?(?:git\s+)?(?:grep|egrep|fgrep|rg|diff)\b")
_COMMAND_FIELDS = ("command", "cmd", "script", "shell")


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
    if step is not None and (step.get("failed") is True or _names_error(step.get("error"))):
        return True
    if step is not None and _status_failed(step.get("status")):
        return True
    if isinstance(result, str):
        return _text_failed(result, tool, arguments)
    return isinstance(result, Mapping) and _dict_failed(result, tool, arguments)


def _text_failed(text: str, tool: str, arguments: Mapping[str, Any] | None) -> bool:
    if text.lstrip()[:1] == "{":
        try:
            parsed = json.loads(text)
        except (ValueError, RecursionError):
            parsed = None
        if isinstance(parsed, dict):
            return _dict_failed(parsed, tool, arguments)
    return bool(_ERROR_WORD.match(text) or _GARBLED.search(text) or _TESTS_FAILED.search(text))


def _dict_failed(result: Mapping[str, Any], tool: str, arguments: Mapping[str, Any] | None) -> bool:
    status = result.get("status")
    if (isinstance(status, str) and status.lower() in _DONE_ALREADY) or result.get("reason") == "already_acted_on":
        return False
    if _names_error(result.get("error")) or _status_failed(status):
        return True
    if result.get("success") is False or result.get("ok") is False or result.get("failed") is True:
        return True
    if result.get("isError") is True or result.get("is_error") is True or (result.get("stale") and True):
        return True
    if _exit_failed(result, tool, arguments):
        return True
    return any(isinstance(value, str) and _GARBLED.search(value) for value in result.values())


def _names_error(error: Any) -> bool:
    return bool(error) and error is not False


def _status_failed(status: Any) -> bool:
    if isinstance(status, int) and not isinstance(status, bool):
        return 400 <= status < 600
    if not isinstance(status, str):
        return False
    word = status.strip().lower()
    return word in _FAILED_STATUS or "permission" in word or bool(_STATUS_CODE.fullmatch(word))


def _exit_failed(result: Mapping[str, Any], tool: str, arguments: Mapping[str, Any] | None) -> bool:
    for name in ("exit_code", "returncode", "code"):
        code = result.get(name)
        if code is None:
            continue
        if isinstance(code, bool) or not isinstance(code, int) or code == 0:
            return False
        if name == "code" and 200 <= code < 400:
            return False
        return not (code == 1 and _searches(tool, arguments))
    return False


def _searches(tool: str, arguments: Mapping[str, Any] | None) -> bool:
    if tool.lower() in ("grep", "rg", "diff"):
        return True
    command = next((arguments[name] for name in _COMMAND_FIELDS if name in arguments), "") if arguments else ""
    if isinstance(command, list | tuple):
        command = " ".join(map(as_text, command))
    return isinstance(command, str) and bool(_SEARCH_COMMAND.match(command))
