"""The arguments of a call as parts of a sentence: "from ZRH to BER on 2026-04-24 for 2 passengers"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.names import name_words, words_in
from whileai.simulations.run.phrasing.grammar import listed
from whileai.simulations.run.schema import Declared

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:00")
_PEOPLE = words_in("passengers guests people adults travelers seats rooms nights copies participants")
_ADDRESS = words_in("address street city state zip postcode postal country region")
_PERSON_WORDS = words_in(
    "patient passenger guest customer user assignee employee client contact member student traveler host person owner"
)
_PLACES = words_in("city town location place country region area")
_TEXTS = words_in("body content contents message text note notes comment description details instructions problem")
_TITLES = words_in("title name summary label")
_SEARCHED = words_in("query q search keyword keywords term pattern")
_SHIFTS = words_in("move reschedule postpone shift delay change push rebook")  # from one day to another
_MOVES = words_in("address deliver ship move send delivery forward redirect")
_STARTS, _ENDS = (
    words_in("start from begin since departure checkin after"),
    words_in("end to until checkout return before"),
)


def shown(value: Any) -> str:
    """A value as people type it.

    >>> shown(True), shown(["a", "b"]), shown("in_progress"), shown(4.5)
    ('yes', 'a and b', 'in_progress', '4.5')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return listed([shown(one) for one in value])
    if isinstance(value, Mapping):
        return ", ".join(f"{label(name)} {shown(one)}" for name, one in value.items())
    text = str(value)
    return f"{text[:10]} {text[11:16]}" if _MOMENT.fullmatch(text) else text


def label(name: str) -> str:
    """A parameter's name in words.

    >>> label("startTime"), label("customer_id")
    ('start time', 'customer id')
    """
    return " ".join(name_words(name)) or name


class Clauses:
    """The arguments that are not said yet; each is taken once."""

    def __init__(self, tool: Declared, arguments: Mapping[str, Any]) -> None:
        self._tool = tool
        self._left = dict(arguments)
        self._details: list[str] = []

    def take(self, *names: str) -> str:
        """The value of the first of some parameters that is left, `""` when none is."""
        for name in names:
            if name in self._left:
                return shown(self._left.pop(name))
        return ""

    def setting(self, name: str) -> str:
        """What a field is set to, `""` when the call sets it to nothing."""
        named = next((key for key in (name, f"new_{name}") if key in self._left), None)
        return "" if named is None else _worded(self._tool, named, _quoted(self._left.pop(named)))

    def settings(self) -> list[tuple[str, str]]:
        """Plain values to set, each with its label; taken, so that nothing says them again."""
        plain = [name for name, value in self._left.items() if not isinstance(value, Mapping | bool)]
        return [(label(name), _quoted(self._left.pop(name))) for name in plain]

    def rest(self) -> str:
        """What is left as clauses, with a blank before them; long texts become sentences of their own."""
        titles = [clause for name in list(self._left) if self._names(name) and (clause := self._clause(name))]
        said = [
            *titles,
            *self._ranges(),
            *self._address(),
            *(clause for name in list(self._left) if (clause := self._clause(name))),
        ]
        aside = [f"{label(name)}: {_worded(self._tool, name, shown(value))}" for name, value in self._left.items()]
        self._left.clear()
        if aside:
            said.append(f"({', '.join(aside)})")
        because = [clause for clause in said if clause.startswith("because ")]
        said = [clause for clause in said if clause not in because] + because
        return " " + " ".join(said) if said else ""

    def details(self) -> tuple[str, ...]:
        """The sentences that follow the request."""
        return tuple(self._details)

    def _ranges(self) -> list[str]:
        """A from and a to that belong together, in that order."""
        starts = [name for name in self._left if self._is(name, _STARTS | {"origin", "source"})]
        ends = [name for name in self._left if self._is(name, _ENDS | {"destination", "target", "dest"})]
        if not (starts and ends):
            return []
        return [
            f"from {self._with_kind(starts[0], self._left.pop(starts[0]))}",
            f"to {self._with_kind(ends[0], self._left.pop(ends[0]))}",
        ]

    def _address(self) -> list[str]:
        """A street, a city, a country as one place."""
        parts = [
            name
            for name in self._left
            if not _ADDRESS.isdisjoint(name_words(name)) and isinstance(self._left[name], str)
        ]
        if len(parts) < 2:
            return []
        return [f"to {', '.join(shown(self._left.pop(name)) for name in parts)}"]

    def _with_kind(self, name: str, value: Any) -> str:
        last = name_words(name)[-1:]
        return f"account {shown(value)}" if last == ("account",) else shown(value)

    def _names(self, name: str) -> bool:
        return not (_TITLES | {"subject"}).isdisjoint(name_words(name))

    def _is(self, name: str, known: frozenset[str]) -> bool:
        words = name_words(name)
        return not known.isdisjoint((*words[:1], "".join(words[:2]))) and not isinstance(self._left[name], Mapping)

    def _clause(self, name: str) -> str:
        """One argument as a clause, `""` when it goes into the brackets or into a sentence of its own."""
        words, value = set(name_words(name)), self._left[name]
        if isinstance(value, Mapping | bool):
            return ""
        clause = self._by_name(name, words, value)
        if clause is not None:
            del self._left[name]
        return clause or ""

    def _by_name(self, name: str, words: set[str], value: Any) -> str | None:
        text = shown(value)
        for said in (self._of_content(words, value, text), self._of_place(name, words, text)):
            if said is not None:
                return said
        return self._of_time(name, words, value, text)

    def _of_content(self, words: set[str], value: Any, text: str) -> str | None:
        """What a thing says, is called or is for; None for an argument of another kind."""
        tool = self._tool
        if "subject" in words:
            return f'with the subject "{text}"'
        if "text" in words and {"reminder", "alarm"} & set(tool.words):
            return f'that says "{text}"'
        if words & _PERSON_WORDS:
            return f"for {text}"
        if words & _TEXTS and isinstance(value, str):
            self._details.append(self._sentence(words, text))
            return ""
        if words & _TITLES and isinstance(value, str) and tool.changes:
            return f'{"titled" if words & {"title", "summary"} and "event" not in tool.nouns else "called"} "{text}"'
        if "reason" in words:
            return f"because {text}"
        if words & _SEARCHED:
            return f'for "{text}"'
        return None

    def _of_place(self, name: str, words: set[str], text: str) -> str | None:
        """Where a thing is, comes from or goes to; None for an argument of another kind."""
        tool = self._tool
        if words & _PLACES:
            moves = tool.changes and (words & {"new", "to"} or _MOVES.intersection(tool.words))
            return f"to {text}" if moves else f"in {_worded(tool, name, text)}"
        if "channel" in words and tool.changes:
            return f"to {text}"
        if "prompt" in words:
            return f'of "{text}"'
        if words & {"directory", "folder", "repo", "repository", "room", "channel", "branch"} and words.isdisjoint(
            ("head", "type")
        ):
            return f"in {'the ' if 'room' in words else ''}{_worded(tool, name, text)}"
        if "head" in words:
            return f"from {text}"
        if words == {"base"}:
            return f"into {text}"
        if words & {"email", "mail", "phone"} and tool.looks:
            return f"for {text}"
        if name_words(name)[:1] in (("origin",), ("from",), ("source",)):
            return f"from {text}"
        if name_words(name)[:1] in (("destination",), ("to",), ("recipient",), ("dest",)):
            return f"to {text}"
        if words & {"email", "recipient", "recipients"} and tool.verb in (
            "send",
            "email",
            "forward",
            "share",
            "invite",
        ):
            return f"to {text}"
        return None

    def _of_time(self, name: str, words: set[str], value: Any, text: str) -> str | None:
        """When, or how many."""
        tool = self._tool
        moved = tool.changes and (words & {"new"} or tool.verb in _SHIFTS) and not words & {"old", "from"}
        timed = _timed(words, text)
        if timed and moved and timed.startswith(("on ", "at ", "from ")):
            return f"to {text}"
        return timed or _counted(name, words, value, text)

    def _sentence(self, words: set[str], text: str) -> str:
        if words & {"description", "details", "problem"}:
            return f"This is about the following: {text}."
        return f'It should say: "{text}"' if self._tool.makes else f'Put this in: "{text}"'


def _worded(tool: Declared, name: str, text: str) -> str:
    """A choice of a schema in words: "living room" of living_room."""
    return text.replace("_", " ") if "enum" in tool.properties[name] else text


def _timed(words: set[str], text: str) -> str | None:
    if words & {"start", "begin"} or ("time" in words and not words & {"end", "zone"}):
        return f"{'at' if ':' in text else 'from'} {text}"
    if words & {"end", "until"}:
        return f"until {text}"
    if "at" in words and any(map(str.isdecimal, text)):
        return f"for {text}"
    if words & {"due", "deadline"}:
        return f"by {text}"
    if words & {"date", "day"} and "days" not in words and any(map(str.isdecimal, text)):
        return f"on {text}"
    return None


def _counted(name: str, words: set[str], value: Any, text: str) -> str | None:
    if words & _PEOPLE and isinstance(value, int):
        noun = label(name)
        return f"for {value} {noun[:-1] if value == 1 and noun.endswith('s') else noun}"
    if "party" in words and isinstance(value, int):
        return f"for {value} people" if value > 1 else "for one person"
    if words & {"attendees", "participants", "invitees", "members"}:
        return f"with {text}"
    if words & {"amount", "sum"}:
        return f"for {text}"
    if words & {"unit", "units", "currency", "format"}:
        return f"in {text}"
    if words & {"language", "lang"}:
        return f"into {text}" if "target" in words or "to" in words else f"in {text}"
    if words & {"ticker", "symbol", "topic"}:
        return f"for {text}"
    return None


def _quoted(value: Any) -> str:
    text = shown(value)
    return f'"{text}"' if " " in text and not text.startswith("+") and not any(map(str.isdecimal, text)) else text
