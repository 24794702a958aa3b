from __future__ import annotations

import pytest

from tables import each_of
from whileai.simulations.score.checklist.vocabulary import Stance, WorldState
from whileai.simulations.score.dimensions import build_dimensions


def tool(name: str, *parameters: str) -> dict:
    return {"name": name, "parameters": {"properties": {parameter: {} for parameter in parameters}}}


def test_the_axes_come_in_the_order_of_the_grid() -> None:
    axes = build_dimensions([tool(" get "), tool("pay"), tool("get"), {"description": "no name"}], "Be brief and kind.")
    assert list(axes) == ["tool", "rule", "stance", "world_state", "tool_condition", "history"]
    assert axes["tool"] == ["get", "pay", "unrelated", "multi_tool"]
    assert axes["rule"] == ["Be brief and kind."]
    assert axes["stance"] == list(Stance)
    assert axes["history"][-1] == "repeat visit"


@each_of("name", ["id", "ORDER_ID", "orderId", "path", "file_path", "filePath", "sku", "Number", "user_ref"])
def test_a_parameter_that_names_a_record_gives_the_world_states(name: str) -> None:
    assert build_dimensions([tool("get"), tool("look", "q", name)])["world_state"] == list(WorldState)


@each_of("name", ["city", "email", "customer_name", "order_number", "query", "valid", "identity", "keys"])
def test_other_parameters_do_not(name: str) -> None:
    assert build_dimensions([tool("get", name)])["world_state"] == ["unspecified"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"order_id": {}}},
        {"type": "array", "items": {"type": "object", "properties": {"order_id": {}}}},
        {"properties": {"deeper": {"properties": {"order_id": {}}}}},
    ],
)
def test_a_record_named_inside_an_object_counts(schema: dict) -> None:
    assert build_dimensions([{"name": "get", "input_schema": {"properties": {"filter": schema}}}])["world_state"] != [
        "unspecified"
    ]


def test_a_schema_that_holds_itself_ends() -> None:
    properties: dict = {"inner": {}}
    properties["inner"]["properties"] = properties
    assert build_dimensions([{"name": "get", "parameters": {"properties": properties}}])["world_state"] == [
        "unspecified"
    ]
