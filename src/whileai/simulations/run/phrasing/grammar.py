"""Small pieces of English: articles, verb forms, lists, first letters."""

from __future__ import annotations

from collections.abc import Sequence

from whileai.simulations.rows.names import words_in

_DOUBLES = words_in(
    "cancel ship stop plan drop submit refer let get put set run begin forget cut swap tag ban log grab travel commit"
    " permit transfer refer prefer defer infer confer"
)
_PAST = {
    "send": "sent", "pay": "paid", "run": "run", "write": "written", "make": "made", "buy": "bought", "put": "put",
    "set": "set", "sell": "sold", "give": "given", "get": "retrieved", "find": "found", "read": "read", "hold": "held",
    "rerun": "rerun", "let": "let", "cut": "cut", "take": "taken", "do": "done", "lend": "lent", "rebuild": "rebuilt",
    "build": "built", "withdraw": "withdrawn", "overwrite": "overwritten", "reset": "reset", "split": "split",
    "draw": "drawn", "undo": "undone", "redo": "redone", "freeze": "frozen", "unfreeze": "unfrozen", "feed": "fed",
    "hide": "hidden", "unhide": "unhidden", "shut": "shut", "keep": "kept", "leave": "left", "bring": "brought",
    "break": "broken", "choose": "chosen", "spend": "spent", "teach": "taught", "tell": "told", "wake": "woken",
    "lead": "led", "shoot": "shot", "spread": "spread", "lay": "laid", "bid": "bid", "bet": "bet", "win": "won",
    "begin": "begun", "drive": "driven", "ride": "ridden", "throw": "thrown", "grow": "grown",
    "upsert": "saved", "execute": "run", "rm": "removed", "mv": "moved",
}  # fmt: skip
_UNCOUNTED = words_in("weather funds money news traffic information data feedback inventory stock code access")
_VOWELS = "aeiou"


def past(verb: str) -> str:
    """The past participle of a verb.

    >>> [past(verb) for verb in ("cancel", "ship", "create", "apply", "send", "refund")]
    ['cancelled', 'shipped', 'created', 'applied', 'sent', 'refunded']
    """
    if verb in _PAST:
        return _PAST[verb]
    if verb.endswith("e"):
        return f"{verb}d"
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return f"{verb[:-1]}ied"
    return f"{_doubled(verb)}ed"


def gerund(verb: str) -> str:
    """The -ing form of a verb.

    >>> [gerund(verb) for verb in ("share", "cancel", "be", "ask", "see")]
    ['sharing', 'cancelling', 'being', 'asking', 'seeing']
    """
    if verb.endswith("e") and len(verb) > 2 and not verb.endswith(("ee", "oe", "ye")):
        return f"{verb[:-1]}ing"
    return f"{_doubled(verb)}ing"


def _doubled(verb: str) -> str:
    return verb + verb[-1] if verb in _DOUBLES else verb


def with_article(noun: str) -> str:
    """A noun with "a" or "an"; as it is when it is a plural or cannot be counted.

    >>> with_article("event"), with_article("orders"), with_article("user")
    ('an event', 'orders', 'a user')
    """
    if is_plural(noun) or noun.split()[-1] in _UNCOUNTED:
        return noun
    sounds = noun[0] in _VOWELS and not noun.startswith(("use", "uni", "one", "eu"))
    return f"{'an' if sounds else 'a'} {noun}"


def is_plural(noun: str) -> bool:
    """Whether a noun reads as a plural."""
    return noun.endswith("s") and not noun.endswith(("ss", "us", "is", "news"))


def plural(noun: str) -> str:
    """The plural of a noun.

    >>> plural("order"), plural("city"), plural("address")
    ('orders', 'cities', 'addresses')
    """
    if is_plural(noun) or noun.split()[-1] in _UNCOUNTED:
        return noun
    if noun.endswith("y") and noun[-2:-1] not in _VOWELS:
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def listed(values: Sequence[str]) -> str:
    """Values as a list in a sentence.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return values[0] if len(values) == 1 else f"{', '.join(values[:-1])} and {values[-1]}" if values else ""


def opened(sentence: str) -> str:
    """A sentence with its first letter as a capital."""
    return sentence[:1].upper() + sentence[1:]


def closed(sentence: str) -> str:
    """A sentence with a mark at its end."""
    return sentence if sentence.endswith((".", "?", "!", '."', '?"', '!"')) else f"{sentence}."
