"""Whether a reply was cut: the engine says so, the grader does, or its shape."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.content import one_of
from whileai.simulations.rows.endings.finished import reads_finished
from whileai.simulations.rows.text import STEP_FIELDS, reply
from whileai.simulations.rows.values import is_bool, is_mapping

TRUNCATION_MIN_CHARS = 200  # characters of the shortest reply that is read by its shape; convention

_LISTS = (list, tuple)  # a union of types is made anew each time it is written
_CUT_BY_ENGINE = frozenset({"length"})
_ENDED_BY_ENGINE = frozenset({"stop", "end_turn", "stop_sequence", "eos"})

_CUT = re.compile(r"\btruncat(?:ed|ion)\b|\bcut(?:s|ting)?[- ]?off\b")
_CLAUSE = re.compile(r"[.,;:!?()\n]|\b(?:but|because|since|so|though|although|however|yet|and|while)\b")
_NOT = re.compile(r"\b(?:not(?! (?:only|just|merely))|no|never|without|neither|nor|nothing|none)\b|n['’]t\b")
_REPLY = r"(?:replies|reply|answers?|responses?|completions?|generations?|sentences?|it)"
_SAID = rf"(?:{_REPLY}|text|outputs?|ending|turn|message)"
_OF_REPLY_BEFORE = re.compile(  # nothing, the reply, or a verb that says how it is
    rf"(?:\A|\b(?:{_SAID}|is|are|was|were|been|being|be|got|gets|get|looks?|seems?|appears?|ends|ended|clearly|only)\b|['’]s)"
    r"(?:[ ](?:to be|to have been|\w+ly|not only|just|as|mid[- ]\w+))*[ ]*\Z"
)
_OF_REPLY_AFTER = re.compile(rf"[ ]+(?:final )?{_SAID}\b")
_SUBJECT = re.compile(
    rf"\b(?:(?P<reply>{_REPLY})"
    r"|(?<!to the )(?<!for the )(?:tools?|logs?|files?|results?|users?|customers?|callers?|service|internet|power|water"
    r"|electricity|gas|phones?|accounts?|access|supply|diff|stdout|trace|history|context|prompts?|documents?|pages?"
    r"|titles?|names?|strings?|numbers?|decimals?|values?|conversation|dates?|knowledge|training))\b"
)
_CUT_DATE = re.compile(
    r"[ -]?(?:dates?|times?|points?|days?|deadlines?|hours?|periods?|polic(?:y|ies)|values?|thresholds?"
    r"|for|of|is|was)\b"
)
_TO_SIZE = re.compile(r" to (?!\d+ tokens)")


def is_truncated(row: Mapping[str, Any], min_chars: int = TRUNCATION_MIN_CHARS) -> bool:
    """Whether a row's reply was cut, by the first that decides.

    The engine's word (`finish_reason` "length", a step's `truncated`), the grader's (`reason`, else `grader_reason`,
    says truncated or cut off), then the shape of a reply of `min_chars` or more that does not read as
    finished, unless the engine says it stopped by itself. Overlong filtering: DAPO, Yu et al. 2025, arXiv:2503.14476.

    >>> is_truncated({"final_text": "Fine.", "finish_reason": "length"}), is_truncated({"reason": "not truncated"})
    (True, False)
    """
    finish = row.get("finish_reason")
    if one_of(finish, _CUT_BY_ENGINE) or _cut_step(row):
        return True
    reason = row.get("reason")
    if _says_cut(row.get("grader_reason") if reason is None or (isinstance(reason, str) and not reason) else reason):
        return True
    if one_of(finish, _ENDED_BY_ENGINE):
        return False
    final = reply(row)
    return final is not None and len(final.rstrip()) >= min_chars and not reads_finished(final)


def _cut_step(row: Mapping[str, Any]) -> bool:
    """Whether a step is marked as cut at the token cap."""
    for field in STEP_FIELDS:
        steps = row.get(field)
        if steps is None or not isinstance(steps, _LISTS):
            continue
        for step in steps:
            if (type(step) is dict or is_mapping(step)) and "truncated" in step:
                cut = step["truncated"]
                if is_bool(cut) and cut:
                    return True
    return False


def _says_cut(reason: Any) -> bool:
    """Whether a grader's reason says that the reply was cut; not that it was not, nor a date or another thing."""
    if not isinstance(reason, str):
        return False
    low = reason.lower()
    return ("truncat" in low or "cut" in low) and any(_cut_said(low, found) for found in _CUT.finditer(low))


def _cut_said(low: str, found: re.Match[str]) -> bool:
    start, end = found.span()
    head = low[max(0, start - 120) : start]
    clause = head[max((mark.end() for mark in _CLAUSE.finditer(head)), default=0) :].lstrip()
    if _NOT.search(clause):
        return False
    if _OF_REPLY_AFTER.match(low, end):
        return True
    if not _OF_REPLY_BEFORE.search(clause) or _CUT_DATE.match(low, end):
        return False
    *_, subject = (None, *_SUBJECT.finditer(clause))
    return not _TO_SIZE.match(low, end) if subject is None else subject["reply"] is not None
