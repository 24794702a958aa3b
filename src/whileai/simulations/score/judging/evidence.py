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
_TEXT = frozenset({str})
_SCALARS = frozenset({str, int, float, bool, type(None)})
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
    if _is_json_at_once(meta) or is_json(meta):
        return meta
    rewritten: dict[Any, Any] = plain(meta, _ALL)
    return rewritten


def _is_json_at_once(meta: dict[Any, Any]) -> bool:
    """Whether the encoder takes it as it is, which is quicker than to look; a null may stand for a NaN."""
    try:
        return b"null" not in orjson.dumps(meta, option=_AS_IT_IS)
    except TypeError:
        return False


def is_json(value: Any, depth: int = 0) -> bool:
    """Whether a value is what JSON has, numbers finite; False of what is nested too deep to look.

    >>> is_json({"seen": [1, None]}), is_json({"seen": (1, 2)}), is_json([float("nan")])
    (True, False, False)
    """
    kind = type(value)
    if kind in _SCALARS:
        return kind is not float or math.isfinite(value)
    if depth > _DEEPEST or (kind is not list and (kind is not dict or not _TEXT.issuperset(map(type, value)))):
        return False
    for item in value if kind is list else value.values():
        if type(item) is not str and not is_json(item, depth + 1):
            return False
    return True
