"""A call as a person would ask for it: "change the address of order 5257 to Porto"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from whileai.simulations.rows.names import COMMAND_WORDS, READ_WORDS, name_words, opens_with_change, words_in
from whileai.simulations.run.draw import pick
from whileai.simulations.run.phrasing.clauses import Clauses, shown
from whileai.simulations.run.phrasing.grammar import is_plural, listed, plural, with_article
from whileai.simulations.run.schema import SQL_WORDS, Declared, singular

_PARTICLES = words_in("up in out off on back down over")
_WITH_PARTICLE = words_in("look set sign check back turn roll switch shut log")
_PREPOSITIONS = words_in("to for from with by in on of at as into")
_VERBS = words_in(
    "translate play turn connect adjust plan solve evaluate route rank score answer learn recommend track order print"
    " rerun test deploy clone fetch use"
)
_LOOKS = words_in("get fetch retrieve view show load lookup look describe inspect pull query see")
_FINDS = words_in("search find browse")
_EDITS = words_in("update change edit modify set patch adjust amend")
_FILES = ("open", "read", "show me")
_RECORDS = ("look up", "check", "pull up", "show me")
_FACTS = ("check", "look up", "get me")
_SEARCHES = ("find", "look for")
_GIVES = words_in(
    "create add new register open schedule place submit post compose draft generate make issue send email message"
    " notify publish write request upload insert invite book reserve order log"
)
_SUMS = words_in("calculate compute evaluate solve")
_WORKS_ON = _SUMS | words_in(
    "translate summarize summarise classify analyze analyse proofread rephrase extract detect moderate rewrite"
)
_SETS = words_in("reminder alarm timer goal password limit")
_PERSONS = words_in("human person manager agent supervisor specialist lawyer doctor nurse")
_OWN_MONEY = words_in("funds money payment cash")


@dataclass(frozen=True, slots=True)
class Request:
    """One call in words: `act` reads on from "please", `details` are whole sentences after it."""

    act: str
    details: tuple[str, ...]
    question: str  # the same as a question, "" where only an act will do
    thing: str  # what it is about: "order 5257"
    noun: str


def request(tool: Declared, arguments: Mapping[str, Any], *parts: object, again: bool = False) -> Request:
    """The words for a call; with `again` the record was named already and is "it"."""
    verb, nouns = _verb_and_nouns(tool)
    subject = tool.subject if tool.subject in arguments else None
    thing = _thing(tool, arguments[subject]) if subject else ""
    clauses = Clauses(tool, {name: value for name, value in arguments.items() if name != subject})
    kind = plain_noun(tool)
    if not SQL_WORDS.isdisjoint(tool.words) and (query := clauses.take("sql", "query", "statement", "q")):
        act = f"{pick(('run', 'execute'), *parts, 'verb')} `{query}`{clauses.rest()}"
        return Request(act, clauses.details(), "", "the query", "query")
    if subject and "enum" in tool.properties.get("command", {}) and (command := clauses.take("command")):
        return Request(f"{command.replace('_', ' ')} {thing}{clauses.rest()}", clauses.details(), "", thing, kind)
    if verb == "convert" and (amount := clauses.take("amount", "value")):
        unit = clauses.take("from_currency", "from_unit", "from")
        into = clauses.take("to_currency", "to_unit", "to")
        said = " to ".join(filter(None, (f"{amount} {unit}".strip(), into)))
        return Request(f"convert {said}{clauses.rest()}", clauses.details(), "", said, kind)
    if "command" in tool.properties and (command := clauses.take("command", "cmd")):
        return Request(f"run `{command}`{clauses.rest()}", clauses.details(), "", "the command", "command")
    if verb in _WORKS_ON and (text := clauses.take("expression", "formula", "text", "content", "message")):
        said = text if tool.verb in _SUMS else f'"{text}"'
        return Request(f"{verb} {said}{clauses.rest()}", clauses.details(), "", said, kind)
    named = "it" if again else thing
    if subject and verb in _EDITS and nouns == tool.noun and (changes := clauses.settings()):
        act = f"change {_changed(changes, named)}{clauses.rest()}"
        return Request(act, clauses.details(), "", thing, kind)
    verb = _spoken(verb, tool, subject, *parts)
    target = _target(tool, verb, nouns, named, clauses)
    if verb in _EDITS and nouns and (value := clauses.setting(nouns.split()[-1])):
        target = f"{target} to {value}"
    said = clauses.rest()
    act = f"{verb} {target}{said}".replace("  ", " ").strip()
    question = "" if tool.changes else _question(tool, verb, target, nouns, said, *parts)
    return Request(act, clauses.details(), question, thing or target or f"the {kind}", kind)


def plain_noun(tool: Declared) -> str:
    """What a person calls the kind of thing a tool is about."""
    if tool.subject:
        return tool.noun
    _, nouns = _verb_and_nouns(tool)
    return singular(nouns) if nouns else "request"


def _verb_and_nouns(tool: Declared) -> tuple[str, str]:
    """The verb of a tool and what it acts on; a name without a verb is something to get."""
    words = list(tool.words)
    known = tool.acts or words[0] in READ_WORDS or words[0] in COMMAND_WORDS or words[0] in _VERBS
    last = words[-1]
    if not known and len(words) > 1 and (last in READ_WORDS or opens_with_change(last)) and last not in _NOUNS:
        words = [last, *words[:-1]]
    elif not known:
        words = ["get", *words]
    if len(words) > 1 and words[1] in _PARTICLES and (words[0] in _WITH_PARTICLE):
        words = [f"{words[0]} {words[1]}", *words[2:]]
    elif words[0] == "lookup":
        words[0] = "look up"
    verb, nouns = words[0], words[1:]
    if "by" in nouns:
        nouns = nouns[: nouns.index("by")]
    return verb, " ".join(nouns)


_NOUNS = words_in("status info history help")


def _spoken(verb: str, tool: Declared, subject: str | None, *parts: object) -> str:
    """A verb people use for what the name of a tool says."""
    if verb in _LOOKS or verb in ("look up", "read"):
        file = subject is not None and tool.noun == "file"
        return pick(_FILES if file else _RECORDS if subject else _FACTS, *parts, "verb")
    if verb in _FINDS and "query" not in tool.properties:
        return pick(_SEARCHES, *parts, "verb")
    if verb == "list":
        return pick(("list", "show me"), *parts, "verb")
    return {"execute": "run", "rm": "remove", "email": "email", "new": "create"}.get(verb, verb)


def _target(tool: Declared, verb: str, nouns: str, thing: str, clauses: Clauses) -> str:
    """What the verb acts on, with its article, and the record it belongs to."""
    first = nouns.split(" ", 1)[0] if nouns else ""
    if first in _PREPOSITIONS:
        rest = nouns.split(" ", 1)[1] if " " in nouns else ""
        whom = with_article(rest) if _PERSONS.intersection(rest.split()) else f"the {rest}"
        return f"{thing or 'this'} {first} {whom}" if rest else thing or "this"
    nouns = _without_tail(nouns)
    if nouns in _OWN_MONEY and (amount := clauses.take("amount", "sum")):
        return " ".join(filter(None, (amount, clauses.take("currency"))))
    if verb == "write" and (content := clauses.take("content", "contents", "text", "body", "data")):
        return f'"{content}" to {thing or "a new file"}'
    if not nouns:
        return thing
    if not thing:
        return _unowned(tool, verb, nouns)
    if nouns in (tool.noun, plural(tool.noun)) or tool.noun.endswith(f" {nouns}"):
        return thing
    if nouns.startswith(f"{tool.noun} "):
        nouns = nouns.removeprefix(f"{tool.noun} ")
    if tool.changes and verb in _GIVES:
        return f"{with_article(nouns)} for {thing}"
    if thing == "it":
        return f"its {nouns}"
    if tool.changes:
        return f"the {nouns} of {thing}"
    return f"the {nouns} {'of' if not is_plural(nouns) else 'for'} {thing}"


def _without_tail(nouns: str) -> str:
    """The words before a preposition: "files" of "files in directory"."""
    words = nouns.split()
    at = next((place for place, word in enumerate(words) if word in _PREPOSITIONS), len(words))
    return " ".join(words[:at])


def _unowned(tool: Declared, verb: str, nouns: str) -> str:
    if tool.changes and (verb in _GIVES or (verb == "set" and nouns in _SETS)):
        return with_article(nouns)
    if verb in _SEARCHES and not is_plural(nouns) and tool.properties:
        return f"the {nouns}"
    if verb in _SEARCHES or ((verb == "list" or tool.lists) and is_plural(nouns)):
        return nouns if verb in _SEARCHES else f"the {nouns}"
    return f"the {nouns}"


def _thing(tool: Declared, value: Any) -> str:
    """How a record is spoken of: by its kind and number, a file by its path."""
    text = shown(value)
    words = name_words(tool.subject or "")
    if tool.noun == "file" or words[-1:] == ("repo",):
        return text
    if words[-1:] == ("name",) or " " in text:
        return f'{tool.noun} "{text}"'
    return f"{tool.noun} {text}"


def _changed(changes: list[tuple[str, str]], thing: str) -> str:
    (label, value), *more = changes
    first = f"its {label}" if thing == "it" else f"the {label} of {thing}"
    return listed([f"{first} to {value}", *(f"the {label} to {value}" for label, value in more)])


def _question(tool: Declared, verb: str, target: str, nouns: str, said: str, *parts: object) -> str:
    """A read as a question."""
    if tool.lists and is_plural(nouns):
        return pick((f"which {nouns} are there{said}?", f"are there any {nouns}{said}?"), *parts, "question")
    if target.startswith("the ") and verb in _FACTS:
        return f"what {'are' if is_plural(target.split(' of ')[0].split(' for ')[0]) else 'is'} {target}{said}?"
    if tool.subject and tool.noun != "file" and not said:
        return pick(
            (
                f"what's the status of {target}?",
                f"where do things stand with {target}?",
                f"what do you have on {target}?",
            ),
            *parts,
            "question",
        )
    return ""
