"""How a text falls into sentences and clauses, for rules about what one of them says."""

from __future__ import annotations

import re

_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[.!?…][\"')\]*_”’])\s+|(?<=[。！？।؟])\s*")
_CLAUSE_END = re.compile(
    r"[,;:()—–，；：、]|\s-\s"
    r"|\b(?:but|however|although|though|except|whereas|while|because|since|so that|yet(?! to\b))\b"
    r"|\band\b(?=\s+(?:i|we|you|your|the|it|its|this|that|they|a|an|all|there|here|my|our|his|her|their|everything)\b)",
    re.IGNORECASE,
)


def sentences(text: str) -> list[str]:
    """The sentences of a text in order, each with its own closing mark; a new line starts a new one.

    A dot inside a number, a file name or a link ends nothing.

    >>> sentences("It timed out (v2.1).  Shall I retry?")
    ['It timed out (v2.1).', 'Shall I retry?']
    """
    return [part for line in text.splitlines() for cut in _SENTENCE_END.split(line) if (part := cut.strip())]


def clauses(sentence: str) -> list[str]:
    """The clauses of a sentence: cut at commas, dashes, colons, "but" and its kind, and an "and" with a new subject.

    >>> clauses("I created the ticket, but the email failed and nobody was told.")
    ['I created the ticket', 'the email failed and nobody was told.']
    """
    return [part for part in map(str.strip, _CLAUSE_END.split(sentence)) if part]
