"""Whether a tool call failed: one predicate for the whole package."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from whileai.simulations.rows.content import filled, one_of
from whileai.simulations.rows.shell import commands, script_text
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
_COUNT_FAILED = re.compile(r"\b[1-9]\d*+ (?:failed|failures?|errors?)\b", re.IGNORECASE)
_COUNT_PASSED = re.compile(r"\b\d++ (?:passed|passing)\b", re.IGNORECASE)
_RULE = re.compile(r"(?<!=)={3,}+ ")
_RULED_FAILED = re.compile(r"\b[1-9]\d*+ failed\b", re.IGNORECASE)
_BEFORE_NAME = r"[\s(){}]*+(?:(?:sudo|command|time|env|[A-Za-z_]\w*+=\S*+)\s++)*+"
_SAYS_NOTHING = re.compile(_BEFORE_NAME + r"(?:[|;&\n]?$|\#|(?:echo|printf|true|:)(?![^\s|;&]))")
_SEARCH = re.compile(
    _BEFORE_NAME + r"(?:git\s++(?:-[Cc]\s++\S++\s++|-\S++\s++)*+)?(?:[\w.~-]*+/)*+(?:[efz]?grep|rg|diff)(?![\w.-])"
)


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
    if step is not None and (step.get("failed") is True or filled(step.get("error"))):
        return True
    if step is not None and _status_failed(step.get("status")):
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
    return bool(_ERROR_WORD.match(text)) or _garbled(text) or _tests_failed(text)


def _garbled(text: str) -> bool:
    lowered = text.lower()
    return "garbled" in lowered and ("<<garbled" in lowered or "garbled resp" in lowered)


def _tests_failed(text: str) -> bool:
    """Whether a line is a test runner's summary that counts failures beside passes or after a rule (`=====`)."""
    lowered = text.lower()
    if " fail" not in lowered and " error" not in lowered:
        return False
    at = 0
    while found := _COUNT_FAILED.search(text, at):
        end = text.find("\n", found.end())
        end = len(text) if end < 0 else end
        line = text[text.rfind("\n", at, found.start()) + 1 : end]
        if _COUNT_PASSED.search(line):
            return True
        if (rule := _RULE.search(line)) and _RULED_FAILED.search(line, rule.end()):
            return True
        at = end
    return False


def _dict_failed(result: Mapping[str, Any], tool: str, arguments: Mapping[str, Any] | None) -> bool:
    if not _TELLING_KEYS.isdisjoint(result):
        status = result.get("status")
        if isinstance(status, str) and status.lower() in _DONE_ALREADY:
            return False
        if one_of(result.get("reason"), _ACTED_ALREADY):
            return False
        if filled(result.get("error")) or _status_failed(status):
            return True
        if result.get("success") is False or result.get("ok") is False or result.get("failed") is True:
            return True
        if result.get("isError") is True or result.get("is_error") is True or filled(result.get("stale")):
            return True
        if _exit_failed(result, tool, arguments):
            return True
    texts = [value for value in result.values() if isinstance(value, str)]
    if any(map(_garbled, texts)):
        return True
    if _EXIT_KEYS.isdisjoint(result) or not any(map(_tests_failed, texts)):
        return False
    return not _searches(tool, arguments)  # `pytest || true` exits with 0, `grep failed log` only shows another's run


def _status_failed(status: Any) -> bool:
    if isinstance(status, str):
        return _word_failed(status) if len(status) <= _LONGEST_STATUS else "permission" in status.lower()
    return isinstance(status, int) and not isinstance(status, bool) and 400 <= status < 600


@lru_cache(maxsize=512)
def _word_failed(status: str) -> bool:
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
    command = script_text(arguments) if arguments else ""
    telling = (part for part in reversed(commands(command)) if not _SAYS_NOTHING.match(part))
    return bool(_SEARCH.match(next(telling, "")))
