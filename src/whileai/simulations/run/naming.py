"""Which tool an ask names, and with which arguments, by the words of the ask alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from whileai.simulations.rows.names import name_words, words_in
from whileai.simulations.run.schema import DEEDS, Declared

_LOOKS = words_in("look check show see where status tell what which open pull find get read list when how")
_ENDING = re.compile(r"(?:ing|ation|ed|es|e|s)$")
_TOKEN = re.compile(r"#?[A-Za-z]*[-_]?\d[\w/-]*|[\w.-]+/[\w./-]+|[\w-]+\.(?:md|txt|csv|py|js|ts|json|yaml|yml|html)\b")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?")
_NUMBER = re.compile(r"(?<![\w.-])\d+(?:\.\d+)?(?![\w-])")
_QUOTED = re.compile(r"[\"“`]([^\"”`]+)[\"”`]")
_PLACE = re.compile(r"\b(?:in|to|from|for|at)\s+((?:[A-Z][\w'-]+)(?:\s[A-Z][\w'-]+)*)")
_ENOUGH = 2.0  # score of a tool that an ask names


def named_tool(message: str, tools: Iterable[Declared]) -> Declared | None:
    """The tool whose name and description share the most with a message, None when none shares enough.

    >>> from whileai.simulations.run.schema import declared
    >>> tools = declared([{"name": "get_order"}, {"name": "cancel_order"}]).values()
    >>> [getattr(named_tool(ask, tools), "name", None) for ask in ("Cancel my order", "Where is my order?", "Hello")]
    ['cancel_order', 'get_order', None]
    """
    words = name_words(message)
    said = {_stem(word) for word in words}
    looks = not _LOOKS.isdisjoint(words)
    best, most = None, _ENOUGH - 0.01
    for tool in tools:
        score = 100.0 if tool.name in message else _score(tool, said, looks=looks)
        if score > most:
            best, most = tool, score
    return best


def _score(tool: Declared, said: set[str], *, looks: bool) -> float:
    nouns = {_stem(word) for word in tool.nouns if len(word) > 2}
    own = {_stem(word) for word in name_words(tool.description) if len(word) > 3} - nouns
    score = 2.0 * len(nouns & said) + 0.25 * len(own & said)
    asked = not {_stem(word) for word in DEEDS.intersection(tool.nouns[-1:])}.isdisjoint(said)
    if (_stem(tool.verb) in said or asked) and tool.acts:
        score += 3.0
    elif not tool.changes and (looks or _stem(tool.verb) in said):
        score += 0.5
    elif tool.changes and score:
        score -= 0.5
    return score


def _stem(word: str) -> str:
    return _ENDING.sub("", word)[:6] if len(word) > 3 else word


def said_arguments(message: str, tool: Declared) -> dict[str, Any]:
    """The arguments of a tool that a message gives a value for.

    >>> from whileai.simulations.run.schema import declared
    >>> tool = declared([{"name": "cancel_order", "parameters": {"properties": {"order_id": {}}}}])["cancel_order"]
    >>> said_arguments("Please cancel order ORD-1234.", tool)
    {'order_id': 'ORD-1234'}
    """
    found: dict[str, Any] = {}
    taken: set[str] = set()
    order = sorted(tool.properties, key=lambda name: (name != tool.subject, name not in tool.required))
    for name in order:
        value = _value(message, name, tool, taken)
        if value is not None:
            found[name] = value
            taken.add(str(value))
    return {name: found[name] for name in tool.properties if name in found}


def _value(message: str, name: str, tool: Declared, taken: set[str]) -> Any:
    schema, words = tool.properties[name], set(name_words(name))
    if choices := schema.get("enum"):
        low = message.lower()
        return next(
            (one for one in choices if str(one).lower().replace("_", " ") in low or str(one).lower() in low), None
        )
    kind = schema.get("type")
    if kind in ("integer", "number"):
        number = _first(_NUMBER.findall(message), taken)
        return None if number is None else int(number) if kind == "integer" and "." not in number else float(number)
    if kind in ("array", "object", "boolean"):
        emails = (
            _EMAIL.findall(message) if kind == "array" and words & {"attendees", "emails", "to", "recipients"} else []
        )
        return emails or None
    if words & {"email", "mail", "to", "recipient"} and (email := _first(_EMAIL.findall(message), taken)):
        return email
    if words & {"date", "day", "time", "start", "end"} or schema.get("format") in ("date", "date-time"):
        return _first(_DATE.findall(message), taken)
    if name == tool.subject:
        return _first([token.rstrip(".-/") for token in _TOKEN.findall(message)], taken)
    if words & {"city", "location", "place", "origin", "destination", "country", "from"}:
        return _first(_PLACE.findall(message), taken)
    return (
        _first(_QUOTED.findall(message), taken) if name in tool.required or words & {"title", "body", "text"} else None
    )


def _first(values: list[str], taken: set[str]) -> str | None:
    return next((value for value in values if value not in taken), None)
