from __future__ import annotations

import pytest

import whileai.simulations as wai
from tables import each_of


@each_of(
    "dims",
    [
        None,
        {},
        "x",
        *({"world_state": value} for value in ("entity exists", "Exists", "unknown", "unspecified", "", None)),
        *({"tool_condition": value} for value in ("success", "Success", "", "unspecified", None)),
        *({"history": value} for value in ("fresh", "prior_failure", "repeat visit", 5)),
    ],
)
def test_an_ordinary_world_hides_nothing(dims: object) -> None:
    assert wai.privileged_context(dims) == {}


@pytest.mark.parametrize(
    "hidden",
    [
        {"world_state": "Missing"},
        {"world_state": "on fire"},
        {"tool_condition": "stale_result"},
        {"history": "Partially completed"},
    ],
)
def test_what_is_out_of_the_ordinary_is_hidden_state_as_written(hidden: dict) -> None:
    assert wai.privileged_context(hidden)["hidden_state"] == hidden


@pytest.mark.parametrize("faults", [None, {}, {"note": "x"}, "timeout", [{"mode": "stale"}]])
def test_only_fault_plans_are_hidden_state(faults: object) -> None:
    assert wai.privileged_context({}, faults) == {}


def test_fault_plans_are_copied() -> None:
    faults = {"*": {"mode": "stale", "rate": 0.5}, "note": 1}
    block = wai.privileged_context({}, faults)
    assert block == {"hidden_state": {"faults": {"*": {"mode": "stale", "rate": 0.5}}}}
    block["hidden_state"]["faults"]["*"]["rate"] = 1.0
    assert faults["*"]["rate"] == 0.5


def test_the_reference_is_the_expected_outcome() -> None:
    dims = {"tool": "get_order", "tool_condition": "timeout"}
    block = wai.privileged_context(dims)
    assert block == {"hidden_state": {"tool_condition": "timeout"}, "reference": wai.expected_outcome(dims)}
