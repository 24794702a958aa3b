"""A policy as text, however it was given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from whileai.simulations.rows.content import content_text
from whileai.simulations.rows.values import is_mapping

Policy = str | Sequence[Any] | None  # a text, a list of text blocks, none


def policy_text(policy: Any, name: str = "policy") -> str:
    """The text of a policy: a text, a list of text blocks as some APIs take it, or None for no policy.

    Raises `TypeError` that names the argument for anything else, a path among it.

    >>> policy_text([{"type": "text", "text": "Be brief."}]), policy_text(None)
    ('Be brief.', '')
    """
    if policy is None or isinstance(policy, str):
        return policy or ""
    if isinstance(policy, list | tuple) and all(map(_is_text, policy)):
        return "\n\n".join(map(content_text, policy))
    raise TypeError(f"{name}= takes the text of a policy (or a list of text blocks), got {type(policy).__name__}")


def _is_text(block: Any) -> bool:
    return isinstance(block, str) or (is_mapping(block) and isinstance(block.get("text"), str))
