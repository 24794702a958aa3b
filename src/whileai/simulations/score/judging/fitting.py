"""A record that is too long, made to fit: the most telling steps first, then shorter values, the reply last of all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from whileai.simulations.score.judging.data import data_json, shortened

_MOST_FAULTS = 40  # failed steps kept in a record that is too long
_SHARE = 16  # a step that need not be kept shows at most this part of the limit a value
_GAP_CHARS = 32  # characters a step and the gap beside it take beyond its values
_LEAST = 16  # characters a shortened value keeps


@dataclass(slots=True)
class Step:
    """One entry of `steps`, and whether it is a call that failed."""

    values: dict[str, Any]
    failed: bool = False


def fitted_record(fields: dict[str, Any], steps: list[Step], limit: int) -> str:
    """The record of these fields (`final_text` among them) and steps as JSON of at most `limit` characters.

    >>> fitted_record({"situation": "x" * 50, "final_text": "Done."}, [], 60)
    '{"reduced": true, "final_text": "Done."}'
    """
    return next(text for shown in _smaller(fields, steps, limit) if len(text := data_json(shown)) <= limit or not shown)


def _smaller(fields: dict[str, Any], steps: list[Step], limit: int) -> Iterator[dict[str, Any]]:
    """The record, then ever smaller forms of it, the last of them empty."""
    final = fields["final_text"]
    yield _joined(fields, [step.values for step in steps])
    fields = {**fields, "reduced": True}
    sizes = list(_falling(limit))
    for most in (limit, *sizes):
        yield _with_room(fields, steps, most, limit)
    ends = _shown(steps, {place: _cut(steps[place].values, _LEAST) for place in _kept(steps)})
    for most in sizes:
        yield _joined(_cut(fields, most) | {"final_text": final}, ends)
    yield _joined(_cut(fields, _LEAST) | {"final_text": final}, ends[-2:])
    for most in sizes:
        yield {"reduced": True, "steps_left_out": len(steps), "final_text": shortened(final, most)}
    yield {"reduced": True, "final_text": shortened(final, _LEAST)}
    yield {}


def _joined(fields: dict[str, Any], steps: list[dict[str, Any]]) -> dict[str, Any]:
    """The record with its steps before the reply, which comes last."""
    before = {name: value for name, value in fields.items() if name != "final_text"}
    return {**before, "steps": steps, "final_text": fields["final_text"]}


def _with_room(fields: dict[str, Any], steps: list[Step], most: int, limit: int) -> dict[str, Any]:
    """The record of the steps that are always kept, values cut to `most`, and of as many others as there is room for.

    Of the others the latest come first, calls before words, their values cut shorter.
    """
    held = {place: _cut(steps[place].values, most) for place in _kept(steps)}
    room = limit - len(data_json(_joined(fields, _shown(steps, held))))
    others = [place for place in range(len(steps) - 1, -1, -1) if place not in held] if room > 0 else []
    for place in sorted(others, key=lambda place: "tool" not in steps[place].values):
        values = _cut(steps[place].values, min(most, limit // _SHARE))
        room -= len(data_json(values)) + _GAP_CHARS
        if room < 0:
            break
        held[place] = values
    return _joined(fields, _shown(steps, held))


def _shown(steps: list[Step], held: dict[int, dict[str, Any]]) -> list[dict[str, Any]]:
    """The steps that are held, in order, and where there are gaps how many are left out."""
    shown: list[dict[str, Any]] = []
    due = 0
    for place in [*sorted(held), len(steps)]:
        if place > due:
            shown.append({"steps_left_out": place - due})
        if place < len(steps):
            shown.append(held[place])
        due = place + 1
    return shown


def _kept(steps: list[Step]) -> list[int]:
    """The places of the first step, the first failed calls and the last two steps, in order."""
    failed = [place for place, step in enumerate(steps) if step.failed][:_MOST_FAULTS]
    places = {0, len(steps) - 2, len(steps) - 1, *failed}
    return [place for place in sorted(places) if 0 <= place < len(steps)]


def _falling(limit: int) -> Iterator[int]:
    """Lengths from half the limit down, each two thirds of the one before."""
    most = limit // 2
    while most > _LEAST:
        yield most
        most = most * 2 // 3
    yield _LEAST


def _cut(values: dict[str, Any], most: int) -> dict[str, Any]:
    """Values of at most `most` characters each; a list of names keeps those that fit and counts the others."""
    return {name: _cut_value(value, most) for name, value in values.items()}


def _cut_value(value: Any, most: int) -> Any:
    if isinstance(value, str):
        return shortened(value, most)
    text = json.dumps(value, ensure_ascii=False)
    if len(text) <= most or not isinstance(value, list | dict):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        shown = value[: max(1, most // 20)]
        shown = [shortened(name, max(_LEAST, most // len(shown))) for name in shown]
        return [*shown, f"and {len(value) - len(shown)} more"] if len(shown) < len(value) else shown
    return shortened(text, most)
