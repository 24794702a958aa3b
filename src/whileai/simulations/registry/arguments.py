"""The arguments of a push; a refusal names the argument, the value and what is accepted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from whileai.simulations.errors import keys_found, meant

MODES = ("explore", "sft", "rl", "adaptive")
PURPOSES = ("train", "holdout", "eval")


def checked_facts(*, mode: Any, purpose: Any, **texts: Any) -> dict[str, Any]:
    """What the caller says of the dataset, each a text or None.

    >>> checked_facts(mode="rl", purpose="train", agent="")
    {'mode': 'rl', 'purpose': 'train', 'agent': None}
    """
    if mode is not None and mode not in MODES:
        raise ValueError(f"mode must be one of {', '.join(MODES)}, got {mode!r:.80}{meant(mode, MODES)}")
    if purpose not in PURPOSES:
        raise ValueError(f"purpose must be one of {', '.join(PURPOSES)}, got {purpose!r:.80}{meant(purpose, PURPOSES)}")
    for argument, text in texts.items():
        if text is not None and not isinstance(text, str):
            raise ValueError(f"{argument} must be text, got {keys_found(text)}")
    return {"mode": mode, "purpose": purpose, **{key: text or None for key, text in texts.items()}}


def check_together(
    facts: Mapping[str, Any],
    fraction: float | None,
    *,
    gate: bool,
    publish: bool,
    endorsed: Sequence[str],
    strict_hacks: bool,
) -> None:
    """A `ValueError` when arguments do not go together."""
    if publish and not facts["agent"]:
        raise ValueError("publish=True needs agent=: a public dataset says whose rollouts it holds")
    if fraction is not None and facts["purpose"] != "train":
        raise ValueError(
            f"holdout= splits rows to train on, and purpose is {facts['purpose']!r}: leave one of them out"
        )
    if (endorsed or strict_hacks) and not gate:
        given = "strict_hacks" if strict_hacks else "endorsed"
        raise ValueError(f"{given}= does nothing without gate=True: pass it, or leave {given} out")


def checked_rows(rows: Any) -> list[dict[str, Any]]:
    """The rows of a source, each a dict; at least one."""
    from whileai.simulations.rows.table import row_items

    items = row_items(getattr(rows, "trajectories", rows))
    for number, row in enumerate(items, 1):
        if not isinstance(row, Mapping):
            raise ValueError(f"row {number} must be a dict, got {keys_found(row)}")
    if not items:
        raise ValueError("there are no rows to push")
    return items
