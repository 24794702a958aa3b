"""What a judge's answer means: one contract for every judge, and no reward that the judge did not give."""

from __future__ import annotations

import math
import numbers
from typing import Any

from whileai.simulations.rows.values import as_text, is_bool
from whileai.simulations.score.judging.evidence import kept_text
from whileai.simulations.signature import public

Scale = tuple[float, float]
_RATING_KEYS = ("rating", "score", "reward")
_PLACES = 6  # decimals of a reward read off a scale; convention


@public
def normalize_judge_result(raw: Any, scale: Any = None) -> dict[str, Any]:
    """What one answer of a judge says, never a reward that it did not give.

    Returns `reward` (int 0 or 1, a float between them, or None), `reason` (text), `judge_status` (`ok`,
    `missing_reward`, `invalid_result`) and `judge_meta` (every other key of the answer, or what was wrong with it and,
    as `returned`, its text).
    An answer is a number or boolean, or a dict with `reward` (else `score`). With `scale=(low, high)` the number is a
    rating on it (`rating`, else `score`, else `reward`) that is mapped onto [0, 1] and kept in `judge_meta`. A number
    out of range is no reward. A scale that is no pair of numbers with low below high is a `ValueError`.

    >>> normalize_judge_result({"score": 0.3, "reason": "weak", "aspect": "tone"})
    {'reward': 0.3, 'reason': 'weak', 'judge_status': 'ok', 'judge_meta': {'aspect': 'tone'}}
    >>> normalize_judge_result(3, scale=(1, 5))
    {'reward': 0.5, 'reason': '', 'judge_status': 'ok', 'judge_meta': {'rating': 3.0, 'scale': [1.0, 5.0]}}
    >>> normalize_judge_result("pass")["judge_status"]
    'invalid_result'
    """
    return read_verdict(raw, checked_scale(scale))


def checked_scale(scale: Any) -> Scale | None:
    """The two ends of a rating scale as floats, None for none; anything else is a `ValueError`.

    >>> checked_scale([1, 5])
    (1.0, 5.0)
    """
    if scale is None:
        return None
    if isinstance(scale, tuple | list) and len(scale) == 2:
        low, high = (None if is_bool(end) else _number(end) for end in scale)
        if low is not None and high is not None and math.isfinite(_float(high) - _float(low)) and low < high:
            return float(low), float(high)
    raise ValueError(f"scale must be two numbers (low, high) with low below high, got {scale!r}")


def read_verdict(raw: Any, scale: Scale | None) -> dict[str, Any]:
    """`normalize_judge_result` with a scale that has been checked."""
    if scale is not None:
        return _rated(raw, scale)
    if isinstance(raw, dict):
        return _told(raw)
    number = _number(raw)
    return _invalid("", returned_type=_type(raw), **_kept(raw)) if number is None else _rewarded(number, "", {})


def failed_verdict(status: str, **meta: Any) -> dict[str, Any]:
    """The verdict of a call that gave none.

    >>> failed_verdict("timeout", timeout_s=2.0)
    {'reward': None, 'reason': '', 'judge_status': 'timeout', 'judge_meta': {'timeout_s': 2.0}}
    """
    return _verdict(None, "", status, meta)


def _told(raw: dict[Any, Any]) -> dict[str, Any]:
    key = "reward" if "reward" in raw else "score" if "score" in raw else None
    if key is None:
        return failed_verdict("missing_reward", returned_keys=sorted(map(as_text, raw)), **_kept(raw or None))
    reason, number = as_text(raw.get("reason")), _number(raw[key])
    if number is None:
        return _invalid(reason, reward_type=_type(raw[key]), **_kept(_beyond_reason(raw)))
    return _rewarded(number, reason, _rest(raw, ("reward", "score", "reason")))


def _rewarded(number: float, reason: str, meta: dict[Any, Any]) -> dict[str, Any]:
    if not 0 <= number <= 1:
        return _invalid(reason, reward_out_of_range=_float(number))
    return _verdict(int(number) if number == 0 or number == 1 else number, reason, "ok", meta)


def _rated(raw: Any, scale: Scale) -> dict[str, Any]:
    reason, rating, rest = "", raw, {}
    if isinstance(raw, dict):
        key = next((name for name in _RATING_KEYS if name in raw), None)
        reason, rating = as_text(raw.get("reason")), None if key is None else raw[key]
        if rating is None:
            keys = sorted(map(as_text, raw))
            return _verdict(None, reason, "missing_reward", {"returned_keys": keys, **_kept(_beyond_reason(raw))})
        rest = _rest(raw, (*_RATING_KEYS, "reason"))
    number = None if is_bool(rating) else _number(rating)
    if number is None:
        return _invalid(reason, reward_type=_type(rating), **_kept(_beyond_reason(raw)))
    low, high = scale
    if not low <= number <= high:
        return _invalid(reason, rating_out_of_scale=_float(number), scale=[low, high])
    share = round((number - low) / (high - low), _PLACES)
    meta = {**rest, "rating": float(number), "scale": [low, high]}
    return _verdict(int(share) if share == 0 or share == 1 else share, reason, "ok", meta)


def _kept(answer: Any) -> dict[str, str]:
    """The text of an answer that was no verdict; nothing when it said nothing."""
    return {} if answer is None else {"returned": kept_text(answer)}


def _beyond_reason(raw: Any) -> Any:
    """An answer less its reason, which is kept by itself; None when nothing is left."""
    if not isinstance(raw, dict):
        return raw
    return {key: value for key, value in raw.items() if key != "reason" and value is not None} or None


def _rest(raw: dict[Any, Any], read: tuple[str, ...]) -> dict[Any, Any]:
    """The keys of an answer that were not read; a `judge_meta` block is flattened in and wins."""
    rest = dict(raw)
    for key in read:
        rest.pop(key, None)
    if isinstance(rest.get("judge_meta"), dict):
        rest.update(rest.pop("judge_meta"))
    return rest


def _verdict(reward: float | None, reason: str, status: str, meta: dict[Any, Any]) -> dict[str, Any]:
    return {"reward": reward, "reason": reason, "judge_status": status, "judge_meta": meta}


def _invalid(reason: str, **meta: Any) -> dict[str, Any]:
    return _verdict(None, reason, "invalid_result", meta)


def _number(value: Any) -> float | None:
    """A number or boolean of Python or NumPy as a plain number; text and every other type is None."""
    kind = type(value)
    if kind is int or kind is float:
        return value  # type: ignore[no-any-return]
    if is_bool(value):
        return int(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float) or (kind.__module__ == "numpy" and isinstance(value, numbers.Real)):
        return int(value) if isinstance(value, numbers.Integral) else float(value)
    return None


def _float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _type(value: Any) -> str:
    return type(value).__name__
