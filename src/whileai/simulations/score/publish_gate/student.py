"""Which policy was measured, as a caller names it."""

from __future__ import annotations

import hashlib
from difflib import get_close_matches
from typing import Any

from whileai.simulations.rows.values import as_text, is_mapping
from whileai.simulations.schema.types import PolicyRef

_HASH_DIGITS = 16
_KEYS = ("name", "model", "prompt_hash", "version")


def student_of(policy: Any, model: str | None = None) -> dict[str, Any]:
    """The policy a caller names, as `{name, model, prompt_hash, version}`.

    A text is its system prompt, kept as a hash; a dict is read key by key, a `PolicyRef` taken as it is; `model` fills
    a missing model. Anything else is a `TypeError`.

    >>> student_of({"name": "student", "version": "v2"}, model="qwen3-4b")
    {'name': 'student', 'model': 'qwen3-4b', 'prompt_hash': None, 'version': 'v2'}
    """
    if policy is None:
        named = PolicyRef()
    elif isinstance(policy, PolicyRef):
        named = policy
    elif isinstance(policy, str):
        digest = hashlib.sha256(policy.encode("utf-8", "surrogatepass")).hexdigest()
        named = PolicyRef(prompt_hash=digest[:_HASH_DIGITS])
    elif is_mapping(policy):
        optional = {key: _text(policy.get(key)) for key in ("model", "prompt_hash", "version")}
        named = PolicyRef(name=as_text(policy.get("name")), **optional)
    else:
        raise TypeError(f"policy must be a system prompt, a dict or a PolicyRef, got a {type(policy).__name__}")
    return {
        "name": named.name,
        "model": named.model or _text(model),
        "prompt_hash": named.prompt_hash,
        "version": named.version,
    }


def checked_policy(policy: Any) -> Any:
    """The policy a caller gives; a dict that names nothing of one, or misspells a key, is a `ValueError`.

    >>> checked_policy({"nme": "student"})
    Traceback (most recent call last):
    ValueError: policy has no 'nme', it takes name, model, prompt_hash, version: did you mean name?
    """
    if not is_mapping(policy):
        return policy
    unknown = [key for key in policy if key not in _KEYS]
    for key in unknown:
        near = get_close_matches(str(key).lower(), _KEYS, n=1)
        if near or len(unknown) == len(policy):
            hint = f": did you mean {near[0]}?" if near else ""
            raise ValueError(f"policy has no {key!r:.80}, it takes {', '.join(_KEYS)}{hint}")
    return policy


def names_a_policy(student: dict[str, Any]) -> bool:
    """Whether a caller named anything.

    >>> names_a_policy(student_of(None)), names_a_policy(student_of("Be brief."))
    (False, True)
    """
    return any(student.values())


def _text(value: Any) -> str | None:
    return as_text(value) or None
