"""What the records of a made-up world hold: the same record reads the same through every tool."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from whileai.simulations.rows.names import name_words, words_in
from whileai.simulations.rows.values import is_bool, is_mapping
from whileai.simulations.run import pools
from whileai.simulations.run.draw import pick
from whileai.simulations.run.patterns import shaped_like
from whileai.simulations.run.schema import Declared
from whileai.simulations.run.texts import named
from whileai.simulations.run.values import value_for

_FIELDS: tuple[tuple[frozenset[str], tuple[str, ...]], ...] = (
    (words_in("order shipment purchase"), ("item", "total", "state")),
    (words_in("flight train"), ("flight_number", "departure_time", "price")),
    (words_in("event meeting calendar"), ("title", "start_time", "end_time")),
    (words_in("weather forecast"), ("conditions", "temperature", "humidity")),
    (words_in("ticket issue case bug incident task"), ("title", "state", "priority")),
    (words_in("invoice payment transaction refund charge"), ("amount", "due_date", "state")),
    (words_in("product item article inventory"), ("item", "price", "in_stock")),
    (words_in("booking reservation appointment"), ("customer_name", "date", "state")),
    (words_in("stock price quote"), ("price", "currency")),
    (words_in("balance funds"), ("balance", "currency")),
    (words_in("web page article news"), ("title", "url")),
    (words_in("restaurant hotel cafe venue"), ("place_name", "rating")),
    (words_in("availability room"), ("rooms_left", "price")),
    (words_in("file document note"), ("path", "content")),
    (words_in("customer user account employee contact profile patient member"), ("customer_name", "email", "state")),
)  # fmt: skip
_DEFAULT_FIELDS = ("name", "state", "updated_date")
_STATES = words_in("status state")
_KIND_STATES = (
    (words_in("order orders shipment delivery"), pools.ORDER_STATES),
    (words_in("customer user account employee contact profile patient member"), ("active", "verified")),
)
_PRIORITIES = ("low", "normal", "high")
_MONEY = words_in("amount total price cost sum balance value")
_SURE = ("ok", "success", "succeeded")  # fields of an answer that say how the call went


class Record:
    """One record: values by field name, drawn when first asked for, then what happened to it."""

    def __init__(self, kind: str, name: str, *parts: object, facts: Mapping[str, float] | None = None) -> None:
        self.kind = kind
        self.name = name
        self.changed: dict[str, Any] = {}
        self._facts = facts or {}
        self._parts = (*parts, kind, name)

    def value(self, field: str, schema: Mapping[str, Any]) -> Any:
        """The value of a field: what it was changed to, its identifier, else what its schema and its name suggest."""
        words = set(name_words(field))
        if field in self.changed and self._allowed(field, schema):
            return self.changed[field]
        if words & _STATES and "state" in self.changed:
            return self.changed["state"] if self._allowed("state", schema) else value_for(field, schema, *self._parts)
        if self.name and self._is_name(field):
            whole = schema.get("type") in ("integer", "number") or isinstance(schema.get("example"), int)
            return int(self.name) if whole and self.name.isdecimal() else self.name
        if (fact := self._fact(words)) is not None and schema.get("type") not in ("string", "boolean"):
            return fact
        if not schema:
            schema = _guessed(words)
        if "example" in schema:
            return self._like(field, schema["example"])
        if words & _STATES and not schema.get("enum"):
            states = next((pool for kinds, pool in _KIND_STATES if kinds.intersection(self.kind.split())), pools.STATES)
            return pick(states, *self._parts, "state")
        if "priority" in words and not schema.get("enum"):
            return pick(_PRIORITIES, *self._parts, field)
        return value_for(field, schema, *self._parts, noun=self.kind)

    def other(self, *parts: object) -> Record:
        """Another record of the kind, one that a list shows beside it."""
        return Record(self.kind, "", *self._parts, *parts)

    def values(self, fields: Iterable[str], told: Mapping[str, Any]) -> dict[str, Any]:
        """Several fields that were not told yet."""
        return {field: self.value(field, {}) for field in fields if field not in told}

    def _allowed(self, field: str, schema: Mapping[str, Any]) -> bool:
        values = schema.get("enum")
        return not isinstance(values, list) or self.changed[field] in values

    def _is_name(self, field: str) -> bool:
        kind = self.kind.replace(" ", "_")
        return field.lower() in (kind, "id", f"{kind}_id", f"{kind}id", f"{kind}_number", f"{kind}_ref")

    def _fact(self, words: set[str]) -> int | float | None:
        for name, number in self._facts.items():
            asked = _MONEY if name in "$€£" else {name, name[:-1], "age"}
            if words & asked:
                return number
        return None

    def _like(self, field: str, example: Any) -> Any:
        """A value of the kind an example is of."""
        if is_bool(example) or example is None or field.lower() in _SURE:
            return example
        if isinstance(example, int | float):
            return value_for(
                field,
                {"type": "integer" if isinstance(example, int) else "number", "examples": [example]},
                *self._parts,
            )
        if not isinstance(example, str):
            return example
        if example in pools.ORDER_STATES:
            return pick(pools.ORDER_STATES, *self._parts, "state")
        if set(name_words(field)) & _STATES:
            return example
        if any(map(str.isdecimal, example)) and " " not in example and "@" not in example and "/" not in example:
            dated = len(example) >= 8 and example[:4].isdecimal() and example[4:5] == "-"
            return (
                value_for(field, {"format": "date-time" if "T" in example else "date"}, *self._parts)
                if dated
                else shaped_like(example, *self._parts, field)
            )
        return named(field, self.kind, *self._parts) or example


def _guessed(words: set[str]) -> Mapping[str, Any]:
    """The schema of a field that nobody declares, by its name."""
    if words & {"price", "total", "amount", "balance", "cost"}:
        return {"type": "number"}
    if words & {"line", "rating", "left", "temperature", "humidity", "stock", "count", "quantity"}:
        return {"type": "integer"}
    return {"format": "date-time"} if "time" in words else {}


def fields_of(tool: Declared) -> tuple[str, ...]:
    """The fields a record of a tool's kind has, where nobody declares them."""
    words = {*tool.noun.split(), *tool.words, *(word.removesuffix("s") for word in tool.nouns)}
    if tool.lists and "code" in words:
        return ("path", "line_number")
    if tool.lists and words & {"file", "document"}:
        return ("path", "updated_date")
    return next((fields for known, fields in _FIELDS if words & known), _DEFAULT_FIELDS)


def shaped(returns: Any, record: Record, given: Mapping[str, Any]) -> Any:
    """An answer in the shape a tool declares, an example or a JSON schema, filled from a record.

    A field with the name of an argument says what the argument said.
    """
    if is_mapping(returns) and _is_schema(returns):
        return _by_schema("", returns, record, given)
    return _by_example("", returns, record, given)


def _is_schema(returns: Mapping[str, Any]) -> bool:
    return is_mapping(returns.get("properties")) or returns.get("type") in (
        "object", "array", "string", "number", "integer", "boolean",
    )  # fmt: skip


def _by_schema(name: str, schema: Mapping[str, Any], record: Record, given: Mapping[str, Any], at: str = "") -> Any:
    properties, items = schema.get("properties"), schema.get("items")
    if is_mapping(properties):
        return {
            str(key): _by_schema(str(key), one if is_mapping(one) else {}, record, given, at)
            for key, one in properties.items()
        }
    if schema.get("type") == "array" and is_mapping(items):
        others = [record, *(record.other(name, place) for place in (1, 2))]
        return [
            _by_schema(name, items, one, {} if place else given, f"{at}.{place}") for place, one in enumerate(others)
        ]
    return given[name] if name in given else record.value(name, schema)


def _by_example(name: str, example: Any, record: Record, given: Mapping[str, Any]) -> Any:
    if is_mapping(example):
        return {str(key): _by_example(str(key), one, record, given) for key, one in example.items()}
    if isinstance(example, list):
        others = [record, *(record.other(name, place) for place in range(1, len(example)))]
        return [
            _by_example(name, one, other, given if place == 0 else {})
            for place, (one, other) in enumerate(zip(example, others, strict=False))
        ]
    if name in given and type(given[name]) is type(example):
        return given[name]
    return record.value(name, {"example": example})
