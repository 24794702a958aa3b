from __future__ import annotations

from enum import StrEnum

import pytest

from whileai.simulations.score.checklist.vocabulary import History, Stance, ToolCondition, WorldState, axis_value


@pytest.mark.parametrize("axis", [Stance, WorldState, ToolCondition, History])
def test_every_value_is_read_as_itself_in_any_case(axis: type[StrEnum]) -> None:
    assert [axis_value(axis, member.value.upper()) for member in axis] == list(axis)


@pytest.mark.parametrize(
    ("axis", "short", "member"),
    [
        (WorldState, "exists", WorldState.EXISTS),
        (WorldState, "missing", WorldState.MISSING),
        (WorldState, "already_done", WorldState.ALREADY_DONE),
        (WorldState, "duplicate", WorldState.DUPLICATE),
        (ToolCondition, "malformed", ToolCondition.MALFORMED),
        (ToolCondition, "stale", ToolCondition.STALE),
        (History, "partially completed", History.PARTIAL),
    ],
)
def test_short_forms_mean_the_same(axis: type[StrEnum], short: str, member: StrEnum) -> None:
    assert axis_value(axis, short) is member


@pytest.mark.parametrize("value", ["", "unspecified", "not missing", None, 0, ["missing"], {}])
def test_anything_else_is_no_value(value: object) -> None:
    assert axis_value(WorldState, value) is None
