"""Text an agent writes for somebody else, or repeats from somebody: drafts, letters, what a log or a person said."""

from __future__ import annotations

import re

_MOST_PROMPT = 2000  # characters of the ask that are read
_TEXTS = (
    r"(?:story|poem|essay|letter|e-?mail|haiku|song|speech|diary|testimonial|dialogue|bio|tweet|monologue|scene|apology"
    r"|post-?mortem|change-?log|release notes?|status update|status report|stand-?up|announcement|press release"
    r"|blog post"
    r"|caption|memo|minutes|cover letter|retrospective|incident report|commit message|resume|cv)"
)
_DICTATED = re.compile(
    r"\b(?:write|draft|compose|rewrite|polish|tell|give|make|create|generate|prepare)\b(?:(?!\b(?:and|then) (?:run"
    r"|deploy|refund"
    rf"|fix|send)\b).){{0,60}}?\b{_TEXTS}s?\b"
    r"|\b(?:role-?play|pretend|translate|rephrase|paraphrase|proofread|act as)\b",
    re.IGNORECASE | re.DOTALL,
)
_GREETING = r"(?:hi|hello|dear|hey|good (?:morning|afternoon|evening))\b[^\n]{0,60},[ \t]*+\n"
_LETTER = re.compile(  # introduced or with a subject, to the end
    rf"(?:(?:\A|\n)[ \t*_]*+subject\b[* ]*:[^\n]*+\n|:[*_ \t]*+\n\s*+(?={_GREETING})|(?<=:)[*_ \t]*+\n\s*+(?=dear"
    rf" diary\b)).*+\Z"
    r"|\bhere(?:'s| is) (?:an?|the|your) (?:[\w-]+ ){0,3}?(?:draft|diary entry|e-?mail|letter|message|reply|note"
    r"|bio|post)"
    r"\b[^\n:]{0,40}:.*+\Z",
    re.IGNORECASE | re.DOTALL,
)
_LABELLED = re.compile(  # what follows the name of a speaker, to the end of the line
    r"(?P<label>(?:\A|\n|[.!?] )[ \t*_]*+(?:(?:you|he|she|they|[A-Z]\w{1,20}) (?:wrote|said|say|asked|claimed"
    r"|reported)|in your words|translation"
    r"|reviewer|(?:the|your|this) (?:[\w-]+ )?(?:log|logs|message|file|note|comment|commit|ticket|reviewer|author"
    r"|report|e-?mail"
    r"|document|page) (?:says|said|reads|states|claims)|(?:possible|suggested|sample|example|draft) [\w ]{1,40}"
    r"|to-?do|(?:the |our |your )?(?:goal|aim|target|expected result|acceptance criteri(?:a|on)|definition of"
    r" done))[*_]*:)[^\n]*+",
    re.IGNORECASE,
)


def asks_for_text(prompt: str) -> bool:
    """Whether an ask is for a text to write or rewrite, in which "I" may be anybody.

    >>> asks_for_text("Write an email to my team"), asks_for_text("Update my email")
    (True, False)
    """
    return _DICTATED.search(prompt[:_MOST_PROMPT]) is not None


def undictated(text: str) -> str:
    """A text less its drafts and what it repeats from somebody by name.

    >>> undictated("You wrote: I ran the script.\\nI did not.")
    'You wrote:\\nI did not.'
    """
    if ":" not in text:
        return text
    return _LABELLED.sub(r"\g<label>", _LETTER.sub("\n", text.replace("’", "'")))
