"""A value for a field, from its schema and its name: what a person would really put there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.names import name_words, words_in
from whileai.simulations.rows.values import is_mapping
from whileai.simulations.run import pools
from whileai.simulations.run.days import day, hour
from whileai.simulations.run.draw import below, pick
from whileai.simulations.run.patterns import matching, sample_in, shaped_like
from whileai.simulations.run.texts import email, named

_DEEPEST = 6  # objects inside objects that are filled
_DOCUMENTS = words_in("document report plan draft page article agenda label heading keyword tag project data context")
_SHALLOW = 2  # objects inside objects of which a person also fills fields that are not required; convention
_FORMATS = {
    **{form: form for form in ("date-time", "date", "time", "email", "uri", "uuid")},
    "datetime": "date-time",
    "url": "uri",
    "idn-email": "email",
}
_FORMAT_WORDS: tuple[tuple[frozenset[str], str], ...] = (
    (words_in("datetime timestamp"), "date-time"),
    (words_in("date day birthday deadline"), "date"),
    (words_in("time hour"), "time"),
    (words_in("email mail recipient recipients attendee attendees cc bcc invitee"), "email"),
    (words_in("url uri link website"), "uri"),
    (words_in("uuid"), "uuid"),
)
_LARGE = 10**15  # beyond it a bound of a schema bounds nothing


def value_for(name: str, schema: Mapping[str, Any], *parts: object, noun: str = "", depth: int = 0) -> Any:
    """A value a schema accepts, chosen by the name of its field; the same one for the same parts.

    `const`, `enum`, `examples`, `format` and `pattern` come before the name. `noun` is what an identifier identifies.

    >>> value_for("unit", {"enum": ["celsius"]}), value_for("order_id", {"type": "string"}, 1)[:4]
    ('celsius', 'ORD-')
    """
    schema = _one_of(schema, *parts, name)
    if "const" in schema:
        return schema["const"]
    if values := _listed(schema.get("enum")):
        return pick(values, *parts, name)
    examples = _listed(schema.get("examples")) or _listed([schema["example"]] if "example" in schema else None)
    kind = _kind(schema, name)
    if kind == "boolean":
        return True
    if kind in ("integer", "number"):
        return _number(name, schema, examples, kind, *parts)
    if kind == "array":
        return _list(name, schema, examples, parts, depth)
    if kind == "object":
        return _filled(schema, parts, depth)
    return _text(name, schema, examples, noun, *parts)


def _one_of(schema: Mapping[str, Any], *parts: object) -> Mapping[str, Any]:
    for key in ("anyOf", "oneOf"):
        branches = [one for one in _listed(schema.get(key)) if is_mapping(one) and one.get("type") != "null"]
        if branches:
            return _one_of({**{name: one for name, one in schema.items() if name != key}, **branches[0]}, *parts)
    parts_of = [one for one in _listed(schema.get("allOf")) if is_mapping(one)]
    if not parts_of:
        return schema
    whole: dict[str, Any] = {name: one for name, one in schema.items() if name != "allOf"}
    for one in parts_of:
        held = [each.get("properties") for each in (whole, one)]
        merged = {name: each for of in held if is_mapping(of) for name, each in of.items()}
        whole |= {**one, **({"properties": merged} if merged else {})}
    return _one_of(whole, *parts)


def _listed(values: Any) -> list[Any]:
    return [value for value in values if value is not None] if isinstance(values, list | tuple) else []


def _kind(schema: Mapping[str, Any], name: str) -> str:
    kind = schema.get("type")
    if isinstance(kind, list | tuple):
        kind = next((one for one in kind if one != "null"), None)
    if isinstance(kind, str):
        return kind.lower()
    if "properties" in schema:
        return "object"
    return "array" if "items" in schema else "string"


def _list(name: str, schema: Mapping[str, Any], examples: list[Any], parts: tuple[object, ...], depth: int) -> Any:
    if examples and isinstance(examples[0], list):
        return pick(examples, *parts, name)
    items = schema.get("items")
    if depth >= _DEEPEST:
        return []
    one = singular_name(name)
    least = schema.get("minItems")
    n = max(1 + below(2, *parts, name, "n"), least if isinstance(least, int) else 0)
    made = [value_for(one, items if is_mapping(items) else {}, *parts, place, depth=depth + 1) for place in range(n)]
    return [value for place, value in enumerate(made) if value not in made[:place]] if n <= 2 else made


def singular_name(name: str) -> str:
    """The name of one of several: "attendee" of "attendees"."""
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name


def _filled(schema: Mapping[str, Any], parts: tuple[object, ...], depth: int) -> dict[str, Any]:
    properties = schema.get("properties")
    if not is_mapping(properties) or depth >= _DEEPEST:
        return {}
    return {
        str(name): value_for(str(name), one if is_mapping(one) else {}, *parts, depth=depth + 1)
        for name, one in properties.items()
        if depth < _SHALLOW or name in _listed(schema.get("required"))
    }


def _bound(schema: Mapping[str, Any], *keys: str) -> float | None:
    found = next((schema[key] for key in keys if isinstance(schema.get(key), int | float)), None)
    return found if found is not None and not isinstance(found, bool) and abs(found) < _LARGE else None


_NUMBERS: tuple[tuple[frozenset[str], int, int], ...] = (
    (words_in("amount price total cost subtotal balance fee value refund"), 12, 240),
    (words_in("party quantity qty count seats nights guests passengers people adults rooms copies"), 1, 4),
    (words_in("limit size top max results per"), 5, 20),
    (words_in("page offset retries attempts"), 1, 3),
    (words_in("days day ago"), 2, 28),
    (words_in("hours hour"), 1, 9),
    (words_in("minutes minute duration"), 20, 60),
    (words_in("year"), 2025, 2026),
    (words_in("left"), 1, 9),
    (words_in("rating stars score"), 3, 5),
    (words_in("percent percentage discount humidity"), 5, 60),
    (words_in("temp temperature"), 4, 27),
    (words_in("lat latitude"), 38, 60),
    (words_in("lon lng longitude"), 2, 24),
    (words_in("stock inventory available"), 3, 80),
    (words_in("zip postcode"), 10115, 99998),
    (words_in("line"), 3, 240),
    (words_in("id number ref"), 1200, 9899),
)


def _number(name: str, schema: Mapping[str, Any], examples: list[Any], kind: str, *parts: object) -> int | float:
    low, high = 1, 20
    words = set(name_words(name))
    for known, bottom, top in _NUMBERS:
        if words & known:
            low, high = bottom, top
            break
    if examples and isinstance(examples[0], int | float) and not isinstance(examples[0], bool):
        around = examples[0]
        low, high = int(around * 0.6), max(int(around * 1.4), int(around * 0.6) + 1)
    least, most = _bound(schema, "minimum", "exclusiveMinimum"), _bound(schema, "maximum", "exclusiveMaximum")
    if least is not None and (low < least or high < least):
        low, high = int(least) + 1, max(int(least) + 1 + high - low, int(least) + 1)
        low = int(least) if "exclusiveMinimum" not in schema else low
    if most is not None and high > most:
        high = int(most) - (1 if "exclusiveMaximum" in schema else 0)
        low = min(low, high)
    number = low + below(high - low + 1, *parts, name)
    step = _bound(schema, "multipleOf")
    if kind == "integer":
        return number - number % int(step) if step and step >= 1 and number >= step else number
    cents = words & {"amount", "price", "total", "cost", "subtotal", "balance", "fee", "lat", "latitude", "lon", "lng"}
    exact = bool(cents) and (most is None or number + 1 <= most)
    return round(number + below(100, *parts, name, "cents") / 100, 2) if exact else number


def _text(name: str, schema: Mapping[str, Any], examples: list[Any], noun: str, *parts: object) -> str:
    texts = [value for value in examples if isinstance(value, str)]
    words = name_words(name)
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and (made := _patterned(pattern, name, noun, *parts)) is not None:
        return made
    described = sample_in(str(schema.get("description") or ""))
    sample = next((text for text in [*texts, *([described] if described else [])] if any(map(str.isdecimal, text))), "")
    if sample and " " not in sample and "@" not in sample and not _is_dated(sample):
        return shaped_like(sample, *parts, name)
    if texts:
        return pick(texts, *parts, name)
    text = _formatted(name, str(schema.get("format") or "").lower(), words, *parts) or named(name, noun, *parts)
    text = text or pick(pools.TOPICS if set(words) & _DOCUMENTS else pools.CHOICES, *parts, name)
    most = schema.get("maxLength")
    return text[:most] if isinstance(most, int) and most > 0 else text


def _patterned(pattern: str, name: str, noun: str, *parts: object) -> str | None:
    """A text that a pattern matches: what its name would get if that does, else one made for the pattern."""
    likely = [named(name, noun, *parts), pick(pools.AIRPORTS, *parts, name), pick(pools.TICKERS, *parts, name)]
    try:
        found = next((text for text in likely if re.fullmatch(pattern, text)), None)
    except re.error:
        return None
    return found if found is not None else matching(pattern, *parts, name)


def _is_dated(sample: str) -> bool:
    return len(sample) >= 8 and sample[:4].isdecimal() and sample[4] in "-/"


def _formatted(name: str, form: str, words: tuple[str, ...], *parts: object) -> str:
    """A text in the format a schema asks for, else in the one the name of the field suggests; `""` for neither."""
    kind = _FORMATS.get(form) or _format_of(words)
    if kind == "date-time":
        return f"{day((), *parts)}T{hour(words, *parts)}:00"
    if kind == "date":
        return day(words, *parts)
    if kind == "time":
        return hour(words, *parts)
    if kind == "email":
        return email(*parts, name)
    if kind == "uri":
        return f"https://www.{pick(pools.COMPANIES, *parts, name).lower()}.com/{pick(pools.FOLDERS, *parts, name)}"
    if kind == "uuid":
        marks = "".join(pick("0123456789abcdef", *parts, name, place) for place in range(32))
        return f"{marks[:8]}-{marks[8:12]}-4{marks[13:16]}-a{marks[17:20]}-{marks[20:]}"
    return ""


def _format_of(words: tuple[str, ...]) -> str:
    said = set(words)
    if words[-2:] == ("start", "time"):
        return "date-time"
    if words[-2:] in (("check", "in"), ("check", "out")):
        return "date"
    return next((kind for known, kind in _FORMAT_WORDS if said & known), "")
