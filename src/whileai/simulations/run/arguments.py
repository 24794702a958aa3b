"""What a person wants a tool called with: the arguments of one situation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.names import name_words, words_in
from whileai.simulations.run import pools
from whileai.simulations.run.draw import draw, pick, picks
from whileai.simulations.run.patterns import shaped_like
from whileai.simulations.run.schema import SQL_WORDS, Declared
from whileai.simulations.run.texts import sql
from whileai.simulations.run.values import value_for

_OPTIONAL_SHARE = 0.3  # chance that a person names a parameter that is not required; convention
_MOST_OPTIONAL = 2  # such parameters in one ask; convention
_UNSAID = words_in(  # parameters no person speaks of
    "limit offset page cursor token verbose debug format fields timeout encoding dry idempotency request session"
    " timezone locale sort include exclude max recursive force"
)
_EDITS = words_in("update change edit modify set patch move rename reschedule adjust amend")
_QUERIES = words_in("query sql statement q")
_AGAIN = 4  # attempts at a value that differs from the others of one call


def arguments_for(tool: Declared, *parts: object, known: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Arguments a call of a tool could have: the required ones, and now and then one that is not.

    `known` holds values of this situation that other tools are called with too: the same order, the same city.

    >>> from whileai.simulations.run.schema import declared
    >>> tools = declared([{"name": "get_order", "parameters": {"properties": {"id": {}}, "required": ["id"]}}])
    >>> list(arguments_for(tools["get_order"], 1))
    ['id']
    """
    made: dict[str, Any] = {}
    for name in _named(tool, *parts):
        if known and name in known:
            made[name] = known[name]
            continue
        for attempt in range(_AGAIN):
            value = value_of(tool, name, *parts, *([attempt] if attempt else []))
            if value not in made.values() or not isinstance(value, str):
                break
        made[name] = value
    return made


def value_of(tool: Declared, name: str, *parts: object) -> Any:
    """A value for one parameter of a tool; an identifier has the shape that the tools show of its kind."""
    schema = tool.properties[name]
    if name == tool.subject and tool.samples and _is_plain(schema):
        made = shaped_like(tool.samples[0], *parts, name)
        return int(made) if schema.get("type") in ("integer", "number") and made.isdecimal() else made
    if name in _QUERIES and not SQL_WORDS.isdisjoint(tool.words):
        return sql(*parts)
    if name == "reason" and tool.makes and _is_plain(schema):
        return pick(pools.OCCASIONS, *parts, name)
    return value_for(name, schema, *parts, noun=" ".join(tool.nouns) if name != tool.subject else tool.noun)


def _is_plain(schema: Mapping[str, Any]) -> bool:
    return not any(key in schema for key in ("enum", "pattern", "examples", "format", "const"))


def _named(tool: Declared, *parts: object) -> list[str]:
    """The parameters a person gives, in declared order."""
    required = set(tool.required)
    if not required and tool.subject:
        required.add(tool.subject)
    if tool.verb in _EDITS and required <= {tool.subject}:
        spare = [name for name in tool.properties if name not in required]
        required.update(picks(spare, 1, *parts, "changed"))
    if not required and len(tool.properties) <= _MOST_OPTIONAL:
        required.update(tool.properties)
    spare = [
        name
        for name in tool.properties
        if name not in required
        and _UNSAID.isdisjoint(name_words(name))
        and tool.properties[name].get("type") not in ("object", "boolean")
        and draw(*parts, "optional", name) < _OPTIONAL_SHARE
    ][:_MOST_OPTIONAL]
    return [name for name in tool.properties if name in required or name in spare]
