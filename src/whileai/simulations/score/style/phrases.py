"""The phrases of each style marker, and which of them a row holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

from whileai.simulations.rows.text import agent_texts
from whileai.simulations.rows.voice import Around, PhraseBook

_BOILERPLATE = (
    "certainly!",
    "certainly,",
    "absolutely!",
    "of course!",
    "great question",
    "as an ai",
    "as a language model",
    "as a large language model",
    "i hope this helps",
    "let me know if you have any other questions",
    "let me know if you have any questions",
    "let me know if there's anything else",
    "let me know if there is anything else",
    "let me know if you need anything else",
    "feel free to ask",
    "happy to help",
)
_HEDGING = (
    "it depends",
    "i'm not sure",
    "i am not sure",
    "may or may not",
    "it's worth noting",
    "it is worth noting",
    "it's important to note",
    "it is important to note",
    "keep in mind that",
    "generally speaking",
    "in most cases",
    "i can't say for certain",
    "i cannot say for certain",
)
_APOLOGY = ("i apologize", "i apologise", "i'm sorry", "i am sorry", "sorry for the", "apologies for")
_SYCOPHANCY = (
    "you're absolutely right",
    "you are absolutely right",
    "you're right",
    "you are right",
    "great point",
    "excellent point",
    "excellent question",
    "i completely agree",
    "what a great",
    "that's a great idea",
    "that is a great idea",
)
REFUSAL = (
    "i can't help with",
    "i cannot help with",
    "i can't assist",
    "i cannot assist",
    "i'm unable to",
    "i am unable to",
    "i won't be able to",
    "i'm not able to",
    "i am not able to",
    "i can't do that",
    "i cannot do that",
)
STYLE_MARKERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "no_boilerplate": _BOILERPLATE,
        "no_hedging": _HEDGING,
        "no_apology": _APOLOGY,
        "no_sycophancy": _SYCOPHANCY,
        "answered": REFUSAL,
    }
)
_FAMILY_OF = {
    "no_boilerplate": "boilerplate",
    "no_hedging": "hedging",
    "no_sycophancy": "sycophancy",
    "answered": "refusal",
}
FAMILIES = tuple(_FAMILY_OF.values())

CONDITION = r"(?<!\bif\s)(?<!whether\s)"  # "if you're right" and "if I'm unable to reach you" only suppose it
NOT_PLACED = (  # "you're right on schedule" agrees with nobody
    r"(?!-\w|\s++(?:above|across|after|against|ahead|along|alongside|among|around|at|away|back|before|behind|below|"
    r"beside|between|beyond|by|down|from|here|in|inside|into|near|next|now|off|on|opposite|outside|over|past|there|"
    r"through|under|underneath|up|where|within|clicks?|clicked|clicking)\b)"
)
NOT_OTHER_AI = (  # "she joined as an AI engineer" is no machine speaking
    r"(?!-\w|\s++(?:analyst|architect|business|company|consultant|developer|engineer|expert|feature|firm|intern|lab|"
    r"lead|platform|practitioner|product|professional|project|researcher|safety|scientist|specialist|startup|student|"
    r"team|tool|vendor)\b)"
)
NOT_OTHER_POINT = r"(?! of\b|-\w)"  # a great point of contact, a point-and-shoot camera
REFUSAL_WHERE = {phrase: (CONDITION, "") for phrase in REFUSAL if phrase.endswith("able to")}
_WHERE: dict[str, dict[str, Around]] = {
    "no_boilerplate": {
        "certainly,": (r"(?<!almost\s)(?<!most\s)(?<!,\s)", ""),
        "as an ai": ("", NOT_OTHER_AI),
    },
    "no_sycophancy": {
        "you're right": (CONDITION, NOT_PLACED),
        "you are right": (CONDITION, NOT_PLACED),
        "great point": ("", NOT_OTHER_POINT),
    },
    "answered": REFUSAL_WHERE,
}


def style_lists(phrases: Mapping[str, Iterable[str]] | None = None) -> dict[str, Iterable[str]]:
    """The phrase list of each marker: the stock ones, then `phrases`, which replace a list or add one.

    Anything that is no mapping of names to phrases is a `TypeError`.

    >>> list(style_lists({"no_slang": ["cheers mate"]}))
    ['no_boilerplate', 'no_hedging', 'no_apology', 'no_sycophancy', 'answered', 'no_slang']
    """
    if phrases is None:
        return dict(STYLE_MARKERS)
    if not isinstance(phrases, Mapping) or not all(isinstance(name, str) for name in phrases):
        raise TypeError(f"phrases must map marker names to lists of phrases, got {phrases!r:.80}")
    own = {name: phrase_list(f"phrases[{name!r}]", given) for name, given in phrases.items()}
    return {**STYLE_MARKERS, **own}


def phrase_list(name: str, given: Any) -> list[str]:
    """The phrases of an argument as a list: a bare string is one; what holds anything but text is a `TypeError`.

    >>> phrase_list("phrases", "per our policy")
    ['per our policy']
    """
    if isinstance(given, str):
        return [given]
    if not isinstance(given, Iterable) or isinstance(given, Mapping | bytes):
        raise TypeError(f"{name} must be a list of phrases, got {type(given).__name__}")
    listed = list(given)
    if odd := [phrase for phrase in listed if not isinstance(phrase, str)]:
        raise TypeError(f"{name} must hold text only, got {odd[0]!r}")
    return sorted(listed) if isinstance(given, set | frozenset) else listed


def style_book(phrases: Mapping[str, Iterable[str]] | None = None) -> PhraseBook:
    """The compiled lists of `style_lists`."""
    if not phrases:
        style_lists(phrases)
        return _stock_book()
    stock = {name: around for name, around in _WHERE.items() if name not in phrases}
    return PhraseBook(style_lists(phrases), stock)


@cache
def _stock_book() -> PhraseBook:
    return PhraseBook(STYLE_MARKERS, _WHERE)


def style_phrases(row: Mapping[str, Any]) -> dict[str, list[str]]:
    """The stock phrases in the agent's own words in a row, by the marker of `STYLE_MARKERS` they are under.

    >>> style_phrases({"final_text": "Certainly! It depends."})
    {'no_boilerplate': ['certainly!'], 'no_hedging': ['it depends']}
    """
    return _stock_book().said(agent_texts(row))


def style_families(row: Mapping[str, Any]) -> frozenset[str]:
    """The phrase families in the agent's own words in a row, out of `FAMILIES`; one scan.

    >>> sorted(style_families({"final_text": "Certainly! It depends."})), FAMILIES
    (['boilerplate', 'hedging'], ('boilerplate', 'hedging', 'sycophancy', 'refusal'))
    """
    return families_in(agent_texts(row))


def families_in(said: Sequence[str]) -> frozenset[str]:
    """The phrase families in what an agent said."""
    return frozenset([_FAMILY_OF[name] for name in _stock_book().said(said) if name in _FAMILY_OF])


def top_phrases(counts: Mapping[str, int], most: int = 5) -> list[tuple[str, int]]:
    """The phrases in the most rows, with those counts; ties by phrase.

    >>> top_phrases({"it depends": 2, "i'm not sure": 2, "in most cases": 3})
    [('in most cases', 3), ("i'm not sure", 2), ('it depends', 2)]
    """
    ranked: Sequence[tuple[str, int]] = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return list(ranked[:most])
