from __future__ import annotations

import functools

import pytest

from tables import each_of
from whileai.simulations.score.dimensions.tools import read_tools

PARAMETERS = {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}
BARE = {"name": "get_order", "description": "Find.", "parameters": PARAMETERS, "returns": {"status": "ok"}}


def get_order(order_id: str, detailed: bool = False, *rest: int) -> dict:
    """Find one order

    by its id.
    """
    return {"order_id": order_id, "detailed": detailed, "rest": rest}


def test_the_three_shapes_of_a_schema_read_alike() -> None:
    anthropic = {**BARE, "input_schema": PARAMETERS}
    del anthropic["parameters"]
    (first, second, third) = read_tools([BARE, {"type": "function", "function": BARE}, anthropic])
    assert first == second == third
    assert (first.name, first.required, first.returns) == ("get_order", True, {"status": "ok"})


def test_a_function_is_read_by_its_signature_and_docstring() -> None:
    @functools.wraps(get_order)
    def decorated(*arguments: object) -> dict:
        return get_order(*arguments)  # type: ignore[arg-type]

    (plain, wrapped) = read_tools([get_order, decorated])
    assert (plain.name, plain.description, plain.required) == ("get_order", "Find one order", True)
    assert plain.properties == {"order_id": {}, "detailed": {}}
    assert plain == wrapped


@pytest.mark.parametrize("tools", [["get_order"], [5], [None], [dict], "get_order", {"name": "get_order"}, 5])
def test_anything_else_is_refused_by_the_name_of_the_argument(tools: object) -> None:
    with pytest.raises(TypeError, match=r"^tools= takes .*(str|int|NoneType|type|dict)"):
        read_tools(tools)


def test_odd_schemas_are_tools_that_declare_nothing() -> None:
    (odd,) = read_tools([{"name": 5, "parameters": [], "description": None, "function": "x"}])
    assert (odd.name, odd.description, odd.properties, odd.required) == ("5", "", None, False)
    assert read_tools(None) == []


@each_of(
    ("name", "reads"),
    [
        ("get_refund_status", True),
        ("lookup_transfer", True),
        ("listTransfers", True),
        ("github__get_pull_request", True),
        ("look_up_order", True),
        ("find_and_cancel_order", False),
        ("refund_status", False),
        ("status_update", False),
        ("cancel_order", False),
        ("", False),
    ],
)
def test_a_read_opens_with_a_verb_that_reads(name: str, reads: bool) -> None:
    assert read_tools([{"name": name}])[0].reads is reads
