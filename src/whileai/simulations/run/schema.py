"""A tool as asks and the world need it: its verb and its object, its parameters, which of them names a record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from whileai.simulations.rows.names import may_change, name_words, says_delete, words_in
from whileai.simulations.rows.values import is_mapping
from whileai.simulations.run.acting import acts
from whileai.simulations.run.patterns import sample_in
from whileai.simulations.run.refs import inlined
from whileai.simulations.run.tool import schema_of
from whileai.simulations.score.dimensions.tools import read_tools

_IDENTIFIERS = words_in("id path file filename name key ref reference number repo asin sku uuid slug handle code")
_SURE = ("id", "uuid", "asin", "sku", "ref", "reference", "number", "code")  # ends of a parameter that names a record
_PATHS = words_in("path file filename filepath")
_FREE = words_in("query q search text body content message reason title subject sql statement command note comment")
SQL_WORDS = words_in("sql database db warehouse postgres mysql sqlite bigquery snowflake")
_MAKES = words_in(
    "create add insert new register open book schedule place submit post compose draft generate make reserve order buy"
    " purchase write log file invite enroll upload send email message notify publish record issue"
)
DEEDS = words_in("refund return exchange cancellation payment transfer charge")  # "issue a refund" is refunding
_PREPOSITIONS = words_in("to for from with by in on of at as into")


@dataclass(frozen=True)
class Declared:
    """One tool, read once."""

    name: str
    description: str
    properties: Mapping[str, Mapping[str, Any]]
    required: tuple[str, ...]
    returns: Any
    samples: tuple[str, ...] = ()  # identifiers that tools with this kind of record show as examples
    closed: bool = False  # whether it takes its own parameters alone

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of its name without a namespace, lower case."""
        words = name_words(self.name.replace("__", ".").replace("/", ".").replace(":", ".").split(".")[-1])
        return tuple(word for word in words if not word.isdigit()) or ("use",)

    @cached_property
    def verb(self) -> str:
        """Its verb, as far as its name begins with one."""
        return self.words[0]

    @cached_property
    def nouns(self) -> tuple[str, ...]:
        """What is left of the name behind the verb: ("order",), ("flight", "status")."""
        return self.words[1:]

    @cached_property
    def changes(self) -> bool:
        """Whether a call of it may change the world: the same question the graders ask."""
        return may_change(self.name)

    @cached_property
    def acts(self) -> bool:
        """Whether it does something, as its name and its description say; `weather` does not."""
        return acts(self.words, self.description)

    @cached_property
    def looks(self) -> bool:
        """Whether it only looks, as people see it: a query runs and changes nothing, a weather tool has no verb."""
        return not self.changes or self.asks or not self.acts

    @cached_property
    def asks(self) -> bool:
        """Whether it runs queries on a database."""
        return self.verb in ("run", "execute", "query") and not SQL_WORDS.isdisjoint(self.words)

    @cached_property
    def deletes(self) -> bool:
        """Whether a call of it removes a record."""
        return says_delete(self.name)

    @cached_property
    def makes(self) -> bool:
        """Whether a call of it brings a new record into the world: a verb that makes, and no name for what is made.

        `issue_refund(order_id)` makes nothing that anybody looks up: the order is refunded.
        """
        if not self.changes or self.verb not in _MAKES or not DEEDS.isdisjoint(self.nouns[-1:]):
            return False
        return self.subject is None or self.noun != singular(" ".join(self.kind))

    @cached_property
    def made(self) -> str:
        """What kind of record a tool that makes brings into the world."""
        return singular(" ".join(self.kind)) if self.kind else self.noun

    @cached_property
    def lists(self) -> bool:
        """Whether it answers with several records."""
        if not self.looks:
            return False
        many = any(word.endswith("s") and not word.endswith(("ss", "us", "is", "ws")) for word in self.kind[-1:])
        searches = not {"list", "search", "find", "browse"}.isdisjoint(self.words)
        return (searches and (many or not self.kind or "query" in self.properties)) or (many and self.subject is None)

    @cached_property
    def kind(self) -> tuple[str, ...]:
        """The words that name what it is about: what stands before a preposition, without "id" and the like."""
        words = self.nouns
        cut = next((place for place, word in enumerate(words) if place and word in _PREPOSITIONS), len(words))
        return tuple(word for word in words[:cut] if word not in ("id", "ids", "search", "lookup", "by"))

    @cached_property
    def subject(self) -> str | None:
        """The parameter that names the record a call is about, None when there is none.

        A required one before an optional one, a sure identifier (`order_id`) before a word that may be one (`name`).
        """
        ranked = [(self._rank(name), place, name) for place, name in enumerate(self.properties)]
        best = min(((rank, place, name) for rank, place, name in ranked if rank < 9), default=None)
        return best[2] if best else None

    def _rank(self, name: str) -> int:
        schema = self.properties[name]
        if schema.get("type") not in (None, "string", "integer", "number") or "enum" in schema:
            return 9
        words = name_words(name)
        late = 0 if name in self.required or not self.required else 4
        if not words:
            return 9
        if words[-1] in _SURE and (len(words) > 1 or words[-1] in ("id", "uuid", "asin", "sku")):
            related = len(words) == 1 or not {words[0], singular(words[0])}.isdisjoint(
                (*self.nouns, *map(singular, self.nouns))
            )
            return late + (0 if related else 1) if related or not late else 9
        if words[-1] in _PATHS:
            return late + 1
        if words[-1] in _SURE:
            return late + 2
        return late + 3 if len(words) == 1 and words[0] in _IDENTIFIERS - _FREE and not self._maker else 9

    @cached_property
    def _maker(self) -> bool:
        return self.changes and self.verb in _MAKES

    @cached_property
    def noun(self) -> str:
        """What kind of record its subject is: "order" of `order_id`, of `get_order(id)`; "file" of a path."""
        words = name_words(self.subject) if self.subject else ()
        if words and words[-1] in _PATHS:
            return "file"
        if len(words) > 1:
            return " ".join(words[:-1])
        return singular(" ".join(self.kind)) if self.kind else (words[0] if words else self.verb)


def declared(tools: Iterable[Any] | None) -> dict[str, Declared]:
    """The tools by name, in order; the first of two with one name stays, one without a name is left out.

    >>> order = declared([{"name": "cancel_order", "parameters": {"properties": {"order_id": {}}}}])["cancel_order"]
    >>> order.verb, order.noun, order.subject, order.changes
    ('cancel', 'order', 'order_id', True)
    """
    read_tools(tools)  # refuses what is no sequence of tools
    found: dict[str, Declared] = {}
    for one in tools or ():
        schema = schema_of(one)
        if schema["name"] and schema["name"] not in found:
            found[schema["name"]] = _read(schema)
    samples: dict[str, list[str]] = {}
    for one in found.values():
        samples.setdefault(one.noun, []).extend(_samples(one))
    return {name: replace(one, samples=tuple(samples[one.noun])) for name, one in found.items()}


def _samples(tool: Declared) -> Iterator[str]:
    """The identifier in the description of a tool's subject, and in an example of what the tool returns."""
    if tool.subject is None:
        return
    said = sample_in(str(tool.properties[tool.subject].get("description") or ""))
    shown = [said] if said else []
    if is_mapping(tool.returns) and "properties" not in tool.returns:
        keys = (tool.subject, tool.noun.replace(" ", "_"), "id", f"{tool.noun}_id")
        shown += [str(tool.returns[key]) for key in keys if isinstance(tool.returns.get(key), int | str)]
    yield from (text for text in shown if any(map(str.isdecimal, text)) and " " not in text)


def _read(schema: Mapping[str, Any]) -> Declared:
    parameters = inlined(schema["parameters"])
    properties = parameters.get("properties")
    required = parameters.get("required")
    held = (
        {str(name): one if is_mapping(one) else {} for name, one in properties.items()}
        if is_mapping(properties)
        else {}
    )
    return Declared(
        name=schema["name"],
        description=schema["description"],
        properties=held,
        required=tuple(str(name) for name in required if name in held) if isinstance(required, list | tuple) else (),
        returns=inlined(returns) if is_mapping(returns := schema.get("returns")) else returns,
        closed=parameters.get("additionalProperties") is False,
    )


def singular(noun: str) -> str:
    """A noun in the singular, by its ending.

    >>> [singular(noun) for noun in ("orders", "flight status", "cities", "addresses")]
    ['order', 'flight status', 'city', 'address']
    """
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if noun.endswith(("sses", "xes", "ches", "shes")):
        return noun[:-2]
    if noun.endswith("s") and not noun.endswith(("ss", "us", "is", "news", "series")):
        return noun[:-1]
    return noun
