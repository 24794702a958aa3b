"""How a text falls into sentences and clauses, for rules about what one of them says."""

from __future__ import annotations

import re

_ASCII_END = re.compile(r"\s(?:(?<=[.!?]\s)|(?<=[.!?][\"')\]*_]\s))\s*+")  # opens with a blank: the search skips to one
_SENTENCE_END = re.compile(r"\s(?:(?<=[.!?…]\s)|(?<=[.!?…][\"')\]*_”’]\s))\s*+|(?<=[。！？।؟])\s*+")
_TURN = r"(?:but|however|although|though|except|whereas|while|because|since|so that|yet(?! to\b))\b"
_SUBJECT = r"(?:i|we|you|your|the|it|its|this|that|they|a|an|all|there|here|my|our|his|her|their|everything|nothing)\b"
_CLAUSE_END = re.compile(  # opens with a mark or a blank: the search skips to one
    rf"[,;:()—–，；：、]|\s(?:-\s|{_TURN}|and\b(?=\s++{_SUBJECT}))", re.IGNORECASE
)
_OPENS = re.compile(rf"\W*+{_TURN}", re.IGNORECASE)

_CONDITION = re.compile(
    r"(?:\b(?:if|unless|in case|in the event|whether|should (?:you|there|it|any|this)|would you|do you|did you|have you"
    r"|are you|let me know|feel free)\b|\bwhen (?:\w+ ){1,4}(?:is|are|has)\b|\bplease (?:let|contact|call|reach)).*"
)


def sentences(text: str) -> list[str]:
    """The sentences of a text in order, each with its own closing mark; a new line starts a new one.

    A dot inside a number, a file name or a link ends nothing.

    >>> sentences("It timed out (v2.1).  Shall I retry?")
    ['It timed out (v2.1).', 'Shall I retry?']
    """
    end = _ASCII_END if text.isascii() else _SENTENCE_END
    return [part for line in text.splitlines() for cut in end.split(line) if (part := cut.strip())]


def clauses(sentence: str) -> list[str]:
    """The clauses of a sentence: cut at commas, dashes, colons, "but" and its kind, and an "and" with a new subject.

    >>> clauses("I created the ticket, but the email failed and nobody was told.")
    ['I created the ticket', 'the email failed and nobody was told.']
    """
    opens = _OPENS.match(sentence)
    parts = _CLAUSE_END.split(sentence[opens.end() :] if opens else sentence)
    return [part for part in map(str.strip, parts) if part]


def unconditional(clause: str) -> str:
    """A lower-case clause up to its condition or request: "if it fails", "whether it was", "let me know".

    >>> unconditional("it is done, please check whether it went through")
    'it is done, please check '
    """
    return _CONDITION.sub("", clause)
