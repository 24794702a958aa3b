"""The logprobs of one turn, read from a server's two answers: how long the prefix is, and each token after it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.values import is_mapping

_ROUNDING = 1e-4  # by which a logprob in half precision may come out above 0


def turn_logprobs(probe: Any, scored: Any) -> list[float]:
    """The logprob of each token of a turn, its end included, the blanks that a template puts after that left out.

    `probe` is the answer to the conversation before the turn, `scored` the one to the conversation with it. Answers
    that do not carry them are a `ValueError`.
    """
    prefix = _prefix_length(probe)
    entries = scored.get("prompt_logprobs") if is_mapping(scored) else None
    if not isinstance(entries, list):
        raise ValueError("the server returned no prompt_logprobs: it must be a vLLM server that gives them")
    if prefix >= len(entries):
        raise ValueError(
            f"prompt_logprobs has {len(entries)} tokens, the prefix alone {prefix}: nothing is left to score"
        )
    ids = scored.get("prompt_token_ids")
    known = ids if isinstance(ids, list) and len(ids) == len(entries) else None
    tokens = [_token(entries[place], None if known is None else known[place]) for place in range(prefix, len(entries))]
    while tokens and _is_blank(tokens[-1]):
        tokens.pop()
    if not tokens:
        raise ValueError("the turn has no token but blanks: nothing is left to score")
    return [_logprob(token) for token in tokens]


def _prefix_length(probe: Any) -> int:
    usage = probe.get("usage") if is_mapping(probe) else None
    length = usage.get("prompt_tokens") if is_mapping(usage) else None
    if type(length) is not int or length <= 0:
        raise ValueError(
            "the server gave no usage.prompt_tokens, without which prompt_logprobs cannot be cut to the turn"
        )
    return length


def _token(entry: Any, token_id: Any) -> Mapping[str, Any]:
    """The candidate that is the token itself: the one of its id, else the one ranked last."""
    if not is_mapping(entry) or not entry:
        raise ValueError("prompt_logprobs holds a position without a token")
    found = None
    if token_id is not None:
        found = entry.get(str(token_id), entry.get(token_id) if isinstance(token_id, int) else None)
    elif all(is_mapping(candidate) for candidate in entry.values()):
        found = max(entry.values(), key=lambda candidate: _rank(candidate.get("rank")))
    if not is_mapping(found):
        raise ValueError("prompt_logprobs holds a position without the token that stands there")
    return found


def _rank(rank: Any) -> float:
    return rank if isinstance(rank, int | float) and rank == rank else -math.inf


def _is_blank(token: Mapping[str, Any]) -> bool:
    decoded = token.get("decoded_token")
    return isinstance(decoded, str) and decoded.isspace()


def _logprob(token: Mapping[str, Any]) -> float:
    value = token.get("logprob")
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"prompt_logprobs holds a logprob that is no finite number: {value!r}")
    if value > _ROUNDING:
        raise ValueError(f"prompt_logprobs holds {value!r}, and the logarithm of a probability is at most 0")
    return min(float(value), 0.0)
