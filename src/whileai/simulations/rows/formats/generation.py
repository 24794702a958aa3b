"""What a tool tells of a generation: how it was sampled, why it ended, its log-probabilities and usage."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from whileai.simulations.rows.content import first_of
from whileai.simulations.rows.formats.common import reward_of
from whileai.simulations.rows.values import finite

_MAX_TOKENS_FIELDS = (
    "max_tokens", "max_completion_tokens", "max_output_tokens", "max_new_tokens", "max_gen_toks", "maxOutputTokens",
)  # fmt: skip


def sampling_of(settings: Any, model: Any = None) -> dict[str, Any] | None:
    """The `sampling` of a row, `{temperature, max_tokens, model}`, from a tool's generation settings; None for none.

    >>> sampling_of({"temperature": 0.7, "max_gen_toks": 64, "top_p": 1.0}, "shop-7b")
    {'temperature': 0.7, 'max_tokens': 64, 'model': 'shop-7b'}
    """
    known = settings if isinstance(settings, Mapping) else {}
    found = {
        "temperature": known.get("temperature"),
        "max_tokens": first_of(known, _MAX_TOKENS_FIELDS),
        "model": None if model is None else str(model),
    }
    if found["temperature"] is None and found["max_tokens"] is None:
        return None
    return {name: value for name, value in found.items() if value is not None}


_FINISH = {
    "stop": "stop", "end_turn": "stop", "stop_sequence": "stop", "completed": "stop", "eos": "stop",
    "length": "length", "max_tokens": "length", "max_output_tokens": "length", "model_length": "length",
    "model_context_window_exceeded": "length",
    "tool_calls": "tool", "tool_call": "tool", "tool_use": "tool", "function_call": "tool", "tool": "tool",
    "error": "error",
}  # fmt: skip


def finish_of(word: Any) -> str | None:
    """Why a generation ended, in our words (stop, length, tool, error); a word that is none of theirs is carried.

    >>> finish_of("max_tokens"), finish_of("tool_use"), finish_of("content_filter"), finish_of(None)
    ('length', 'tool', 'content_filter', None)
    """
    if isinstance(word, list | tuple):
        word = word[0] if word else None
    if not isinstance(word, str) or not word:
        return None
    return _FINISH.get(word.lower(), word)


def token_logprobs_of(logprobs: Any) -> list[float] | None:
    """The numbers of an OpenAI style `{content: [{logprob}]}`, in generation order; None when there are none.

    >>> token_logprobs_of({"content": [{"token": "a", "logprob": -0.5}]})
    [-0.5]
    """
    entries = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    if not isinstance(entries, list | tuple):
        return None
    found = [finite(entry.get("logprob")) for entry in entries if isinstance(entry, Mapping)]
    return [value for value in found if value is not None] or None


def joined_logprobs(parts: Collection[list[float] | None]) -> list[float] | None:
    """The log-probabilities of a whole episode: those of its generations in order, None unless each has some.

    >>> joined_logprobs([[-0.5], [-0.1]]), joined_logprobs([[-0.5], None])
    ([-0.5, -0.1], None)
    """
    known = [part for part in parts if part]
    return [value for part in known for value in part] if known and len(known) == len(parts) else None


def summed(usages: Collection[Any]) -> dict[str, int | float] | None:
    """The numeric fields of several usage objects added up; None when there are none.

    >>> summed([{"input_tokens": 3, "details": {}}, None, {"input_tokens": 4}])
    {'input_tokens': 7}
    """
    total: dict[str, int | float] = {}
    for usage in usages:
        for name, value in usage.items() if isinstance(usage, Mapping) else ():
            if (amount := reward_of(value)) is not None:
                total[name] = total.get(name, 0) + amount
    return total or None
