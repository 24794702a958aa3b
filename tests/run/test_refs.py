"""Schemas with references, and what is checked inside an argument."""

from __future__ import annotations

from typing import Any

import whileai.simulations as wai
from tables import each_of
from whileai.simulations.run.checked import refused
from whileai.simulations.run.refs import inlined
from whileai.simulations.run.schema import declared
from whileai.simulations.run.values import value_for

BOX: dict[str, Any] = {
    "name": "ship_box",
    "parameters": {
        "type": "object",
        "additionalProperties": False,
        "$defs": {
            "Size": {"enum": ["S", "M"]},
            "Address": {
                "type": "object",
                "properties": {"street": {"type": "string"}, "lines": {"type": "array", "items": {"type": "string"}}},
                "required": ["street"],
                "additionalProperties": False,
            },
        },
        "properties": {
            "to": {"$ref": "#/$defs/Address"},
            "size": {"allOf": [{"$ref": "#/$defs/Size"}], "description": "How large."},
            "back": {"anyOf": [{"$ref": "#/$defs/Address"}, {"type": "null"}]},
        },
        "required": ["to", "size"],
    },
}
GOOD: dict[str, Any] = {"to": {"street": "1 Elm Avenue"}, "size": "S"}


@each_of(
    ("arguments", "said"),
    [
        (GOOD, None),
        ({**GOOD, "back": None}, None),
        ({**GOOD, "back": {"street": "2"}}, None),
        ({**GOOD, "size": "XL"}, {"size": "must be one of S, M"}),
        ({**GOOD, "to": "Bristol"}, {"to": "must be of type object"}),
        ({**GOOD, "to": {}}, {"to.street": "is missing"}),
        ({**GOOD, "to": {"street": "1", "town": "x"}}, {"to.town": "is no field of it"}),
        ({**GOOD, "to": {"street": "1", "lines": ["a", 5]}}, {"to.lines[1]": "must be of type string"}),
        ({**GOOD, "back": 5}, {"back": "must be of type object or of type null"}),
        ({**GOOD, "fast": True}, {"fast": "is no parameter of this tool"}),
    ],
)
def test_a_call_is_checked_through_references_and_inside_its_arguments(arguments: Any, said: Any) -> None:
    found = refused(declared([BOX])["ship_box"], arguments)
    assert (None if found is None else found["invalid"]) == said


def test_asks_hold_values_that_the_references_allow() -> None:
    data = wai.simulate(wai.seeded_agent([BOX], rate=0), tools=[BOX], simulator=False, budget=20)
    calls = [step for row in data for step in row["steps"]]
    assert calls
    assert not any(step["result"].get("status") == "rejected" for step in calls)
    assert {step["arguments"]["size"] for step in calls} == {"S", "M"}
    assert "$ref" in str(data.declared_tools)  # an endpoint is given the schema as it was declared


def test_a_schema_that_holds_itself_ends() -> None:
    node = {"type": "object", "properties": {"name": {}, "kids": {"type": "array", "items": {"$ref": "#/$defs/N"}}}}
    found = inlined({"properties": {"root": {"$ref": "#/$defs/N"}}, "$defs": {"N": node}})
    assert found["properties"]["root"]["properties"]["kids"]["items"] == {}
    wide = {f"D{n}": {"properties": {x: {"$ref": f"#/$defs/D{n + 1}"} for x in "abcdefgh"}} for n in range(12)}
    assert len(str(inlined({"properties": {"root": {"$ref": "#/$defs/D0"}}, "$defs": wide}))) < 200_000


def test_a_reference_to_nothing_allows_any_value() -> None:
    assert inlined({"properties": {"a": {"$ref": "https://example.com/s.json"}, "b": {"$ref": "#/$defs/No"}}}) == {
        "properties": {"a": {}, "b": {}}
    }


def test_all_parts_of_a_schema_shape_its_value() -> None:
    parts = [{"type": "object", "properties": {"a": {"enum": [1]}}}, {"properties": {"b": {"enum": [2]}}}]
    assert value_for("x", {"allOf": parts}) == {"a": 1, "b": 2}
