"""What is kept of an answer that was no verdict, and evidence as files can hold it."""

from __future__ import annotations

import math
from typing import Any

import orjson

from whileai.simulations.models.redaction import without_keys
from whileai.simulations.reports import printable
from whileai.simulations.score.judging.data import data_json, plain, shortened

EVIDENCE_CHARS = 4000  # characters of an answer that are kept, its head and its tail; as of the request
_ALL = 2**62  # characters, and items: nothing is left out
_AS_IT_IS = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS
_DEEPEST = 8  # levels of a value that are looked at one by one; what is deeper is rewritten


def kept_text(answer: Any) -> str:
    """An answer as text: text as it is, anything else as JSON; of a long one the head and the tail.

    >>> kept_text("PASS"), kept_text({"verdict": float("nan")})
    ('PASS', '{"verdict": "nan"}')
    """
    text = answer if isinstance(answer, str) else data_json(plain(answer, EVIDENCE_CHARS))
    return without_keys(shortened(str(text), EVIDENCE_CHARS))


def unread(what: str, reply: str) -> str:
    """The reason of a judge whose model's reply could not be read, with the reply.

    >>> unread("no score in the reply", "Passed, I think.")
    "no score in the reply: 'Passed, I think.'"
    """
    return f"{what}: {printable(kept_text(reply))!r}"


def writable(meta: dict[Any, Any]) -> dict[Any, Any]:
    """What a judge said beside its verdict, as JSON can hold it, so that it costs no file of rows.

    Keys become text, sets sorted lists, NaN and infinities text, other objects their text; what JSON has stays.

    >>> writable({"criteria": {1: True}, "seen": {"b", "a"}, "margin": float("inf")})
    {'criteria': {'1': True}, 'seen': ['a', 'b'], 'margin': 'inf'}
    """
    if _is_json_at_once(meta) or _is_json(meta, 0):
        return meta
    rewritten: dict[Any, Any] = plain(meta, _ALL)
    return rewritten


def _is_json_at_once(meta: dict[Any, Any]) -> bool:
    """Whether the encoder takes it as it is, which is quicker than to look; a null may stand for a NaN."""
    try:
        return b"null" not in orjson.dumps(meta, option=_AS_IT_IS)
    except TypeError:
        return False


def _is_json(value: Any, depth: int) -> bool:
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:
        return True
    if kind is float:
        return math.isfinite(value)
    if depth > _DEEPEST:
        return False
    if kind is dict:
        return all(type(key) is str and _is_json(item, depth + 1) for key, item in value.items())
    return kind is list and all(_is_json(item, depth + 1) for item in value)
