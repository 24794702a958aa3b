"""How a preference pair becomes a row: `prompt`, `chosen`, `rejected`, no reward."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from whileai.simulations.rows.formats.common import make_row
from whileai.simulations.rows.source import Source

Turns = list[dict[str, Any]]


def pair_row(
    record: Mapping[str, Any],
    source: Source,
    *,
    form: str,
    prompt: Turns,
    chosen: Turns,
    rejected: Turns,
    consumed: Collection[str] = (),
    **fields: Any,
) -> dict[str, Any]:
    """The row of a pair. What both sides begin with is the prompt, when there is none or they repeat it.

    >>> said = [("user", "Hi"), ("assistant", "Yes"), ("assistant", "No")]
    >>> ask, yes, no = [{"role": role, "content": content} for role, content in said]
    >>> row = pair_row({}, Source("pairs.jsonl"), form="x", prompt=[], chosen=[ask, yes], rejected=[ask, no])
    >>> [turn["content"] for turn in row["prompt"] + row["chosen"] + row["rejected"]], row["reward"]
    (['Hi', 'Yes', 'No'], None)
    """
    shared = _shared(chosen, rejected)
    if shared and (not prompt or chosen[0]["role"] in ("system", "user")):
        prompt, chosen, rejected = chosen[:shared], chosen[shared:], rejected[shared:]
    return make_row(
        record, source, form=form, consumed=consumed, prompt=prompt, chosen=chosen, rejected=rejected, **fields
    )


def _shared(chosen: Turns, rejected: Turns) -> int:
    """How many first turns the sides have in common; each keeps at least one turn of its own."""
    most = min(len(chosen), len(rejected)) - 1
    return next((at for at in range(most) if chosen[at] != rejected[at]), max(most, 0))
