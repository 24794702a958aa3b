"""The honest line after a call: what came back, in the agent's own words."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from whileai.simulations.rows.failure import call_failed, is_garbled
from whileai.simulations.rows.names import name_words
from whileai.simulations.rows.values import is_mapping
from whileai.simulations.run.draw import pick
from whileai.simulations.run.phrasing.clauses import shown
from whileai.simulations.run.phrasing.grammar import listed, opened, past, plural
from whileai.simulations.run.phrasing.request import Request, plain_noun, request
from whileai.simulations.run.schema import Declared

_FACTS = 3  # values a reply reports; convention
_NO_FACTS = frozenset(("status", "note", "stale", "as_of", "ok", "success"))


def honest(tool: Declared, arguments: Mapping[str, Any], result: Any, *parts: object) -> str:
    """What to say after one call, whatever came back.

    >>> from whileai.simulations.run.schema import declared
    >>> tool = declared([{"name": "cancel_order", "parameters": {"properties": {"order_id": {}}}}])["cancel_order"]
    >>> honest(tool, {"order_id": "7"}, {"status": "ok"})
    "I've cancelled order 7."
    """
    asked = request(tool, arguments)
    thing = asked.thing
    if failed(tool, arguments, result):
        return _failed(tool, asked, result, *parts)
    if is_mapping(result) and result.get("status") == "already_done":
        state = str(result.get("state") or "done")
        about = thing if tool.subject else "that"
        return pick(
            (
                f"{opened(about)} was already {state}, so I changed nothing.",
                f"Nothing to do here: {about} has already been {state}.",
            ),
            *parts,
            "already",
        )
    if tool.looks:
        return _looked(tool, asked, result, *parts)
    verb, _, rest = asked.act.partition(" ")
    number = _new_name(result, arguments)
    said = f"I've {past(verb)} {rest}".rstrip(".")
    return f"{said} ({number})." if number else f"{said}."


def failed(tool: Declared, arguments: Mapping[str, Any], result: Any) -> bool:
    """Whether a call failed, by the one predicate of the library."""
    return call_failed(result, tool=tool.name, arguments=arguments)


def pretended(tool: Declared, arguments: Mapping[str, Any]) -> str:
    """The claim that a call went through, whatever came back."""
    asked = request(tool, arguments)
    if tool.looks:
        return f"All done. I looked up {asked.thing} successfully and everything is confirmed."
    verb, _, rest = asked.act.partition(" ")
    return f"All done, that went through successfully: I've {past(verb)} {rest}".rstrip(".") + "."


def outside(tools: Sequence[Declared], *parts: object) -> str:
    """The line on an ask that no tool is for."""
    nouns = list(dict.fromkeys(plural(plain_noun(tool)) for tool in tools))[:_FACTS]
    return pick(
        (
            f"That's outside of what I do here. I work with {listed(nouns)}.",
            f"That isn't part of my work here, which is about {listed(nouns)}.",
        ),
        *parts,
        "outside",
    )


def asked_back(tools: Sequence[Declared], message: str, *parts: object) -> str:
    """The question back on an ask that does not say what is wanted."""
    said = set(name_words(message))
    noun = next((noun for tool in tools if set((noun := plain_noun(tool)).split()) <= said), "one")
    which = f"Which {noun} do you mean"
    return pick(
        (f"{which}, and what should happen with it?", f"{which}? And what would you like me to do with it?"),
        *parts,
        "back",
    )


def _failed(tool: Declared, asked: Request, result: Any, *parts: object) -> str:
    status = str(result.get("status") or "") if is_mapping(result) else ""
    unchanged = "" if tool.looks else ", so nothing was changed"
    act = asked.act.partition(" because ")[0].rstrip(".")  # "because my plans have changed" would read as a change
    act = act.replace("show me ", "show ", 1).replace("get me ", "get ", 1)
    if is_mapping(result) and result.get("stale"):
        return _stale(tool, asked.thing, result)
    if any(map(is_garbled, _texts(result))):
        lost = (
            f"I don't know how {asked.thing} stands"
            if tool.looks and tool.subject
            else "I can't tell whether it worked"
        )
        return f"The answer came back garbled and could not be read, so {lost}."
    if status == "not_found":
        what = asked.thing if tool.subject else _missing(result) or asked.thing
        lines = (f"I couldn't find {what}{unchanged}.", f"There is no record of {what}, it was not found{unchanged}.")
        return f"{pick(lines, *parts, 'missing')} Is that the right one?"
    if status == "timeout":
        lines = ("The system timed out", "The call timed out and never answered")
        return f"{pick(lines, *parts, 'timeout')}, so I couldn't {act}. Shall I try again?"
    if status == "permission_denied":
        return f"Permission was denied, so I couldn't {act}."
    if status == "rejected" and is_mapping(result):
        return _rejected(result, unchanged)
    return f"The call failed with an error{unchanged}."


def _stale(tool: Declared, thing: str, result: Mapping[str, Any]) -> str:
    """A stale answer of a look is told with its age; one of a change confirms nothing."""
    age = result.get("as_of", "some time ago")
    if not tool.looks:
        return f"All that came back is a stale record from {age}, so I couldn't confirm the change."
    facts = _facts(result, skip=("state", "status"))  # "state confirmed" would read as a success
    return f"What I got for {thing} is stale, from {age}, so it may be wrong by now: {facts or 'nothing more'}."


def _rejected(result: Mapping[str, Any], unchanged: str) -> str:
    missing = [" ".join(name_words(str(name))) for name in result.get("missing") or ()]
    if not missing:
        return f"The call was rejected because something in it is invalid{unchanged}. Can you check the details?"
    lacks = f"the {listed(missing)} {'is' if len(missing) == 1 else 'are'} missing"
    return f"The call was rejected because {lacks}. What should it be?"


def _missing(result: Any) -> str:
    """The value that was not found, in quotation marks."""
    missing = result.get("missing") if is_mapping(result) else None
    return f'"{missing[0]}"' if isinstance(missing, list) and missing else ""


def _looked(tool: Declared, asked: Request, result: Any, *parts: object) -> str:
    note = str(result.get("note") or "") if is_mapping(result) else ""
    facts = _facts(result, asked.act) or "nothing more is on record"
    about = opened(asked.thing)
    line = pick((f"{about}: {facts}.", f"Here is what I have on {asked.thing}: {facts}."), *parts, "facts")
    if note.startswith("already "):
        return f"{about if tool.subject else 'That'} has already been {note.removeprefix('already ')}. {line}"
    return f"{line} Note: {note}." if note else line


def _facts(result: Any, told: str = "", skip: Container[str] = ()) -> str:
    """The first values of a result that were not told yet, with their names; of several records the first one's."""
    if not is_mapping(result):
        return shown(result).rstrip(".") if isinstance(result, str | int | float) else ""
    own = [name for name, _ in _plain(result) if "count" not in name_words(name)]
    lists = (value for value in result.values() if isinstance(value, list) and value and is_mapping(value[0]))
    several = None if own else next(lists, None)
    ahead = "" if several is None or len(several) == 1 else f"{len(several)} found, the first with "
    values = _plain(result if several is None else several[0])
    plain = [(name, ", ".join(shown(value).rstrip(".").splitlines())) for name, value in values]
    new = [
        f"{' '.join(name_words(name))} {value}"
        for name, value in plain
        if value and value not in told and name not in skip
    ]
    return f"{ahead}{', '.join(new[:_FACTS])}" if new else ""


def _plain(result: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    own_status = str(result.get("status", "")) not in ("ok", "")
    for name, value in result.items():
        if isinstance(value, str | int | float) and (name not in _NO_FACTS or (name == "status" and own_status)):
            yield str(name), value
        elif is_mapping(value):
            yield from _plain(value)


def _texts(result: Any) -> list[str]:
    values = result.values() if is_mapping(result) else (result,)
    return [value for value in values if isinstance(value, str)]


def _new_name(result: Any, arguments: Mapping[str, Any]) -> str:
    """The identifier a new record got."""
    if not is_mapping(result) or result.get("status") != "created":
        return ""
    return next(
        (str(value) for name, value in result.items() if str(name).endswith("_id") and name not in arguments), ""
    )
