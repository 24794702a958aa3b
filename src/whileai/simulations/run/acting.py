"""Whether a tool does something or looks something up, as people would say it of its name and its description."""

from __future__ import annotations

from collections.abc import Sequence

from whileai.simulations.rows.names import COMMAND_WORDS, READ_WORDS, name_words, opens_with_change, words_in

_MORE_ACTS = words_in("generate render compose produce turn play connect adjust dim switch exchange translate")
_FACTS = words_in(  # what a name that ends in one tells: clinic_hours, exchange_rate
    "hours rate rates price prices forecast weather time date balance availability schedule details detail location"
    " locations profile policies rules terms summary report stats statistics metrics score scores directory catalog"
    " catalogue menu news options calendar usage quota distance temperature traffic definition faq phase rating"
)
_KINDS = words_in(  # nouns that names begin with: patient_record, clinic_doctors
    "order customer user account employee contact patient member client person product item article store shop clinic"
    " hospital flight train hotel room restaurant weather stock price currency invoice payment transaction ticket case"
    " event meeting calendar project team company document file page web news city country location system server"
    " service device subscription delivery shipment package booking reservation appointment visit pet owner student"
    " course book library bank card loan policy contract vehicle car trip route map sensor current available open"
    " latest recent next upcoming my all"
)
_TELLS = words_in("return give provide display report tell whether how what which where when who current latest")
_ARTICLES = words_in("the a an all any some this these your")
_VERB_ENDS = ("ate", "ify", "ise", "ize")
_TAILS = ("ing", "es", "ed", "s", "e")


def acts(words: Sequence[str], description: str) -> bool:
    """Whether a tool of which nobody says that it reads does something.

    A verb that is known to change something does; else the description decides, when it opens with the verb of the
    name or with one that tells; else a name does that is neither a bare noun nor ends in or begins with a thing.

    >>> [acts(name.split("_"), "") for name in ("refill_prescription", "freeze_card", "weather", "clinic_hours")]
    [True, True, False, False]
    >>> acts(["clinic", "doctors"], "The doctors of a clinic."), acts(["moon", "walk"], "Returns the moon's phase.")
    (False, False)
    """
    if opens_with_change("_".join(words)) or words[0] in _MORE_ACTS:
        return True
    said = name_words(description[:200])
    if said and _stem(said[0]) == _stem(words[0]) and words[0] not in READ_WORDS:
        return len(words) > 1 or len(said) < 2 or said[1] in _ARTICLES
    if said and not _tells(said[0]):
        return words[0] not in _KINDS and not (len(words) > 1 and words[-1] in _FACTS)
    if said or words[0] in READ_WORDS or words[0] in COMMAND_WORDS:
        return False
    if len(words) == 1:
        return words[0].endswith(_VERB_ENDS) and len(words[0]) > 5
    return words[0] not in _KINDS and words[-1] not in _FACTS


def _tells(word: str) -> bool:
    """Whether a description that opens with the word says what is found out: "Returns", "The", "Opening hours"."""
    stem = _stem(word)
    return word in _ARTICLES or word.endswith("ing") or stem in _TELL_STEMS


def _stem(word: str) -> str:
    tail = next((tail for tail in _TAILS if word.endswith(tail) and len(word) - len(tail) > 2), "")
    return word.removesuffix(tail)


_TELL_STEMS = frozenset(map(_stem, READ_WORDS | _TELLS))
