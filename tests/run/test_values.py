from __future__ import annotations

import re
from typing import Any

import jsonschema
import pytest

from tables import each_of
from whileai.simulations.run.patterns import matching, sample_in, shaped_like
from whileai.simulations.run.values import value_for

SCHEMAS: list[dict[str, Any]] = [
    {"type": "string", "enum": ["a", "b"]},
    {"const": 5},
    {"type": "string", "format": "date"},
    {"type": "string", "format": "date-time"},
    {"type": "string", "format": "email"},
    {"type": "string", "format": "uuid"},
    {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{4}(-x)?$"},
    {"type": "string", "maxLength": 4},
    {"type": "integer", "minimum": 7, "maximum": 8},
    {"type": "integer", "minimum": 1000},
    {"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 6},
    {"type": "number", "maximum": 0.5, "minimum": 0},
    {"type": ["integer", "null"]},
    {"anyOf": [{"type": "null"}, {"type": "boolean"}]},
    {"type": "array", "items": {"type": "integer"}, "minItems": 3},
    {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}, "required": ["a"]},
]


@each_of("schema", SCHEMAS, ids=str)
@each_of("name", ["order_id", "amount", "thing", "start_date"])
def test_a_value_is_valid_under_its_schema(schema: dict[str, Any], name: str) -> None:
    for number in range(20):
        value = value_for(name, schema, number)
        jsonschema.validate(value, schema, format_checker=jsonschema.FormatChecker())
        assert value == value_for(name, schema, number)


@pytest.mark.parametrize(
    "pattern",
    [r"^\d{4}$", r"^#W\d{7}$", r"[A-Z]{3}|[a-z]{2}", r"^(ORD|INV)-\d+$", r"^\w{3,5}\.txt$", r"^[^a-z]{2}$", r"a\.b?"],
)
def test_a_text_matches_its_pattern(pattern: str) -> None:
    for number in range(20):
        made = matching(pattern, number)
        assert made is not None
        assert re.search(pattern, made)


@pytest.mark.parametrize(
    "pattern", [r"(?=a)b", r"(", r"[", r"\bword", "x" * 300], ids=["ahead", "open", "set", "edge", "long"]
)
def test_a_pattern_that_says_more_is_left_alone(pattern: str) -> None:
    assert matching(pattern, 1) is None


def test_a_sample_gives_its_shape() -> None:
    assert re.fullmatch(r"W-[1-9]\d{3}", shaped_like("W-1042", 1))
    assert sample_in("The user id, such as 'sara_doe_496'.") == "sara_doe_496"
    assert sample_in("The order.") is None
