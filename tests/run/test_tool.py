from __future__ import annotations

import datetime as dt
import decimal
import enum
import pathlib
import uuid
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypedDict

import jsonschema
import pytest

import whileai.simulations as wai
from tables import each_of
from whileai.simulations.run.tool import schema_of, tool_schemas


class Priority(enum.Enum):
    LOW = "low"
    HIGH = "high"


@dataclass
class Line:
    sku: str
    quantity: int = 1


class Place(TypedDict, total=False):
    city: str


def parameters_of(function: Any) -> dict[str, Any]:
    found: dict[str, Any] = wai.tool(function).schema["function"]["parameters"]
    return found


def test_a_tool_is_the_function_itself() -> None:
    def double(n: int) -> int:
        """Twice a number."""
        return 2 * n

    decorated = wai.tool(double)
    assert decorated is double
    assert decorated(4) == 8
    assert decorated.schema["type"] == "function"  # type: ignore[attr-defined]
    assert schema_of(decorated)["description"] == "Twice a number."


@each_of(
    ("annotation", "wanted"),
    [
        (str, {"type": "string"}),
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (bool, {"type": "boolean"}),
        (dict, {"type": "object"}),
        (list[str], {"type": "array", "items": {"type": "string"}}),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (Priority, {"type": "string", "enum": ["low", "high"]}),
        (int | None, {"type": "integer"}),
        (int | str, {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        (Annotated[str, "the customer's name"], {"type": "string", "description": "the customer's name"}),
        (Any, {}),
        (Place, {"type": "object", "properties": {"city": {"type": "string"}}}),
    ],
    ids=str,
)
def test_a_type_becomes_its_schema(annotation: Any, wanted: dict[str, Any]) -> None:
    def function(value):  # type: ignore[no-untyped-def]
        return value

    function.__annotations__["value"] = annotation
    assert parameters_of(function)["properties"]["value"] == wanted


def test_a_dataclass_is_an_object_with_its_required_fields() -> None:
    def order(line: Line) -> None:
        return None

    order.__annotations__["line"] = Line
    found = parameters_of(order)["properties"]["line"]
    assert found["required"] == ["sku"]
    assert found["properties"]["quantity"] == {"type": "integer"}


def test_defaults_and_described_parameters_are_in_the_schema() -> None:
    def search(query: str, limit: int = 5, *rest: str, **more: str) -> list:  # type: ignore[type-arg]
        """Search the shop.

        Longer text.

        Args:
            query: what to look for,
                in a few words
            limit (int): the most results
        """
        return []

    found = parameters_of(search)
    assert found["required"] == ["query"]
    assert found["properties"]["query"]["description"] == "what to look for, in a few words"
    assert found["properties"]["limit"] == {"type": "integer", "description": "the most results", "default": 5}
    assert list(found["properties"]) == ["query", "limit"]


def test_the_schema_is_a_valid_json_schema() -> None:
    def book(lines: list[Line], when: str, priority: Priority = Priority.LOW) -> None:
        """Book."""

    book.__annotations__.update(lines=list[Line], when=str, priority=Priority)
    jsonschema.Draft202012Validator.check_schema(parameters_of(book))
    jsonschema.validate({"lines": [{"sku": "a"}], "when": "now"}, parameters_of(book))


@pytest.mark.parametrize(
    "declared",
    [
        {"name": "ping", "description": "Ping.", "parameters": {"type": "object", "properties": {}}},
        {
            "type": "function",
            "function": {"name": "ping", "description": "Ping.", "parameters": {"type": "object", "properties": {}}},
        },
        {"name": "ping", "description": "Ping.", "input_schema": {"type": "object", "properties": {}}},
    ],
    ids=["bare", "openai", "anthropic"],
)
def test_the_three_shapes_have_one_normal_form(declared: dict[str, Any]) -> None:
    normal = {"name": "ping", "description": "Ping.", "parameters": {"type": "object", "properties": {}}}
    assert schema_of(declared) == normal
    assert tool_schemas([declared]) == [{"type": "function", "function": normal}]


@pytest.mark.parametrize("thing", [3, "get_order", int, None])
def test_what_is_no_function_is_refused(thing: Any) -> None:
    with pytest.raises(TypeError, match="tool takes a function"):
        wai.tool(thing)


class Model:
    """What a pydantic model has."""

    @classmethod
    def model_json_schema(cls) -> dict[str, Any]:
        """The schema it says."""
        size = {"enum": ["a", "b"], "type": "string"}
        return {"type": "object", "properties": {"size": {"$ref": "#/$defs/S"}}, "$defs": {"S": size}}


def test_a_model_says_its_own_schema() -> None:
    def send(box: Model, more: list[Model], none: Model | None = None) -> None:
        """Send."""

    found = schema_of(wai.tool(send))["parameters"]["properties"]
    box = {"type": "object", "properties": {"size": {"enum": ["a", "b"], "type": "string"}}}
    assert found == {"box": box, "more": {"type": "array", "items": box}, "none": box}


def test_one_annotation_that_cannot_be_resolved_costs_no_other() -> None:
    def send(box: Unknown, n: int, day: dt.date, size: Size) -> None:  # type: ignore[name-defined]  # noqa: F821
        """Send."""

    found = schema_of(wai.tool(send))["parameters"]["properties"]
    assert (found["box"], found["n"]) == ({}, {"type": "integer"})
    assert found["day"] == {"type": "string", "format": "date"}


def test_bytes_dates_and_their_like_have_a_format() -> None:
    def send(
        a: bytes, b: dt.date, c: dt.datetime, d: dt.time, e: uuid.UUID, f: decimal.Decimal, g: pathlib.Path
    ) -> None:
        """Send."""

    found = schema_of(wai.tool(send))["parameters"]["properties"]
    assert [found[name].get("format", found[name].get("contentEncoding")) for name in "abcdefg"] == [
        "base64", "date", "date-time", "time", "uuid", None, None,
    ]  # fmt: skip
    assert {one["type"] for one in found.values()} == {"string"}
