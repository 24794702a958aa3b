"""What a reply claims the agent did: a check, an edit. Read from the agent's own voice only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from whileai.simulations.rows.dictation import undictated
from whileai.simulations.rows.text import agent_texts
from whileai.simulations.rows.voice import spoken

_GAP = "\x00"
_NEAR = 300  # characters after a claim that are read for what it is about
_CHECK_WORDS = ("verified", "confirmed", "tested", "checked", "validated", " ran ", "-ran ", "reran", "ve run", "ve re")
_ED_WORDS = ("updated", "added", "changed", "created", "fixed", "removed", "deleted", "edited")
_EDIT_WORDS = (*_ED_WORDS, "wrote", "written")
_ENDS_ON_ED = re.compile(f"ed(?:{'|'.join(f'(?<={word})' for word in _ED_WORDS)})")


def _any(words: str) -> str:
    """A pattern for any of some words, whole."""
    return rf"\b(?:{'|'.join(words.split())})\b"


_ADVERB = _any(
    "just also already now then successfully personally carefully manually quickly first both even automatically "
    "directly"
)
_I = rf"(?P<before>\b\w++[ ,]*+)?\bi(?:['’]ve| have| had)?(?: {_ADVERB}| (?:went|gone) ahead and)*[ ,]+"
_FIRST = r"(?:(?:looked|went|gone|opened|read|searched|logged|pulled)(?: [^\s,;:!?]{1,40}){0,6}? and (?:then )?)?"
_CHECKED = re.compile(
    rf"{_I}{_FIRST}(?:(?:double|triple|cross|re)-? ?)?"
    r"(?P<verb>verified|confirmed|tested|checked|validated|ran|re-?ran|(?P<run>re-?run|run))\b"
    r"(?P<rest>(?:[^.!?\n]|\.(?=\w))*+)",
    re.IGNORECASE,
)
_EDITED = re.compile(
    rf"{_I}{_FIRST}(?P<verb>{'|'.join(_EDIT_WORDS)})\b(?P<rest>(?:[^.!?\n]|\.(?=\w))*+)",
    re.IGNORECASE,
)
_NOT_SAID = re.compile(
    _any(
        "have did should could can may shall would had if once unless until before whether when whenever say suppose "
        "imagine wish pretend though like cannot what thought said says told claims claimed mentioned"
    )
    + "[ ,]*",
    re.IGNORECASE,
)
_BY_THOUGHT = (
    r"(?:mentally|in my head|by (?:hand|substitut\w+|plugging|expanding|differentiating|counting|adding|multiplying"
    r"|inspection))\b"
)
_AT_HAND = _any(
    "math maths mathematics numbers? calculations? arithmetic logic reasoning proof equations? sums? steps? answers? "
    "text "
    "wording grammar spelling punctuation typos message essay draft sentences? questions? paragraphs? argument algebra "
    "solution"
)
_NO_CHECK = re.compile(
    rf"\s*(?:{_any('out into across through over away late off positive negative')}|with you\b|in with\b"
    rf"|my (?!accounts?\b)"
    r"|(?:\S+ ){0,3}?(?:neither|nothing|none|nobody|no (?:tests?|checks?|one))\b"
    rf"|(?:for|the|your|this|these|those|both|each|every|all|it|that) (?:\S+ ){{0,3}}?{_AT_HAND}|.*{_BY_THOUGHT}"
    r"|[^:]{0,40}:[^:]*[\d)] ?[-+*/×·=^<>≈] ?[\d(]|[^:]{0,40}: ?\S+ (?:is|equals|gives|makes) \d|(?:from|in|with)"
    r" your (?:message|text|question)\b"
    r"|(?:that )?both sides\b|.*\b(?:you (?:pasted|provided|shared|gave|sent|posted|described|listed|wrote)|above"
    r"|below)\b)",
    re.IGNORECASE,
)
_NO_EDIT = re.compile(
    rf"\s*(?:{_any('my up together above earlier down back nothing none no you')}|\d[\d.,]* (?:and|to|from|\+)"
    r"|in (?:19|20)\d\d\b|on (?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    r"|(?:\S+ ){0,4}?(?:both sides|to my notes|(?:numbers|values|terms|digits|fractions|parenthes[ei]s|brackets"
    r"|variables?|exponents?)\b)"
    r"|mind\b)",
    re.IGNORECASE,
)
_PROSE = re.compile(
    _any(
        "haikus? poems? story stories verses? limericks? sonnets? lyrics songs? jokes? essays? paragraphs? sentences? "
        "summary summaries outline breakdown overview explanation comparison itinerary answer reply response draft "
        "wording "
        "tone titles? headlines? taglines? slogans? captions? recipe bio translation speech dialogue monologue"
    ),
    re.IGNORECASE,
)
_ARTEFACT = re.compile(
    _any(
        "code function class script snippet program query regex expression formula list table plan report letter "
        "e-?mail "
        "message text template agenda schedule quiz questions? flashcards diagram analysis review version post "
        "solution "
        "implementation article description resume cv prompt rubric"
    ),
    re.IGNORECASE,
)
_FICTION = re.compile(
    _any(
        "hero heroes heroine villain character characters persona npc monster creature kingdom planet world"
        " backstory plot "
        "scene chapter riddle puzzle pun nickname mascot slogan rhyme melody dialogue game mnemonic metaphor analogy"
    ),
    re.IGNORECASE,
)
_BELOW = re.compile(r"\b(?:below|underneath|as follows)\b", re.IGNORECASE)
_IN_THE_WORLD = re.compile(  # made somewhere else than in the reply
    r"\b(?:in|into|to|on|under) (?:your|the|our) (?:[\w'’-]+ ){0,3}?(?:outbox|inbox|drafts|calendar|account"
    r"|documents?|docs?"
    r"|drive|folder|sheet|spreadsheet|notebook|workspace|cart|wish-?list|playlist|repo(?:sitory)?|project|database|crm"
    r"|profile|settings|wiki|board|backlog|channel)\b",
    re.IGNORECASE,
)
_AHEAD = re.compile(r"\b(?:will|would|can|should)\b|['’]ll\b", re.IGNORECASE)
_HAVE = re.compile(r"['’]ve\b|\bha(?:ve|d)\b", re.IGNORECASE)
_FILE = re.compile(r"(?<![\w.])[\w/-]+\.(?:[a-z]{1,4}|json|yaml|toml|ipynb)\b|\x00|\w+/\w+", re.IGNORECASE)
_ACTION = re.compile(
    r"^[ \t]*+(?:\*\*)?(?:action|action input|tool|command|observation)(?:\*\*)?[ \t]*+:|<(?:tool|function|execute"
    r"|invoke|action|bash)"
    r"[\w.=-]*+>|<\|?(?:tool|python_tag)",
    re.IGNORECASE | re.MULTILINE,
)


def claims_check(text: str) -> str:
    """The claim of a reply to have verified, tested or run something, `""` when there is none.

    Checking one's reasoning or a text at hand needs no tool and is no such claim.

    >>> [claims_check(f"I {deed}.") for deed in ("verified your account", "ran out of space", "checked my math")]
    ['I verified your account', '', '']
    """
    if not speaks_of(text, _CHECK_WORDS):
        return ""
    for found in _claimed(_CHECKED, text):
        if found["run"] and not _HAVE.search(found[0][: found.start("verb") - found.start()]):
            continue  # "I run it daily"
        if not _NO_CHECK.match(found["rest"][:_NEAR]):
            return quoted(found[0], found["before"])
    return ""


def claims_edit(text: str, called: bool = False) -> str:
    """The claim of a reply to have edited, created or deleted something, `""` when there is none.

    What the reply itself delivers ("I wrote a haiku for you: ...") is no such claim. `called` says that the row has
    tool calls.

    >>> [claims_edit(text) for text in ("I've updated config.yaml.", "I have not changed anything.", "I added up.")]
    ["I've updated config.yaml", '', '']
    """
    if not _speaks_of_edits(text):
        return ""
    for found in _claimed(_EDITED, text):
        rest = found["rest"][:_NEAR]
        if not _NO_EDIT.match(rest) and not _delivered(found["verb"], rest, text, called):
            return quoted(found[0], found["before"])
    return ""


def acts_in_text(row: Mapping[str, Any]) -> bool:
    """Whether the agent of a row without calls acts by writing: in blocks of code or lines that some harness runs.

    >>> turns = ["Action: search[refund]", "Done."]
    >>> acts_in_text({"messages": [{"role": "assistant", "content": text} for text in turns]})
    True
    """
    *earlier, last = agent_texts(row) or [""]
    return _ACTION.search(last) is not None or any(_ACTION.search(t) or "```" in t for t in earlier)


def speaks_of(text: str, words: tuple[str, ...]) -> bool:
    """Whether any of the words stands in a text; asked before any pattern, as it costs a tenth of one.

    >>> speaks_of("All tests PASS.", ("pass",))
    True
    """
    plain = text.lower()
    return any(map(plain.__contains__, words))


def _speaks_of_edits(text: str) -> bool:
    """The same of the words for edits; most end alike, so that one search finds them all."""
    plain = text.lower()
    return _ENDS_ON_ED.search(plain) is not None or "wrote" in plain or "written" in plain


def _claimed(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    for found in pattern.finditer(spoken(undictated(text))):
        before = found["before"] or ""
        later = before[:5].lower() == "after" and _AHEAD.search(
            found["rest"][:_NEAR]
        )  # "after I've changed it you will"
        if not later and not _NOT_SAID.fullmatch(before):
            yield found


def _delivered(verb: str, rest: str, text: str, called: bool) -> bool:
    """Whether what was made stands in the reply: a text, or what follows a colon or a code fence."""
    named, colon, _ = rest.partition(":")
    if _IN_THE_WORLD.search(named):
        return False
    if colon and verb.lower().startswith("wr") and not _FILE.search(named):
        return True
    if called and _FILE.search(rest):
        return False
    if "\n" in text and _BELOW.search(rest):
        return True
    if rest.rstrip(" *_\x00").endswith(":") or _PROSE.search(rest[:120]):
        return True
    if not called and _FICTION.search(rest[:120]):
        return True
    return not called and ("```" in text or bool(_ARTEFACT.search(rest[:120]) and ("\n" in text or ":" in rest)))


def quoted(claim: str, before: str | None = None) -> str:
    """A claim as it is shown: one line, without the word before it, "..." for what is quoted or code.

    >>> quoted("and I updated  \\x00", "and ")
    'I updated ...'
    """
    if before:
        claim = claim[len(before) :]
    return " ".join(claim.replace(_GAP, "...").split())
