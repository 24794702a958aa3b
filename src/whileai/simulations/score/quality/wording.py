"""Words and identifiers of a text in any script."""

from __future__ import annotations

import re

_UNSPACED = re.compile(r"[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
CHARS_A_WORD = 2  # characters of a word in scripts that put no space between words; convention
_ID = re.compile(
    r"(?<![\w-])(?!(?:UTF|ISO|SHA|RFC|AES|RSA|COVID|GPT|IEEE|UTC|GMT|HTTP|CP|MP|PEP)[-_]?\d)[A-Z]{1,10}\d{0,4}[-_]\d{2,}"
    r"|(?<!\w)#\d{2,}(?!\w)"
    r"|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{12,40}\b"
)


def word_count(text: str) -> int:
    """Words between white space; in scripts without spaces two characters are a word.

    >>> word_count("Where is my order?"), word_count("我的订单在哪里？")
    (4, 4)
    """
    words = len(text.split())
    if text.isascii():
        return words
    unspaced = len(_UNSPACED.findall(text))
    return max(words, (unspaced + CHARS_A_WORD - 1) // CHARS_A_WORD) if unspaced else words


def has_words(text: str, least: int) -> bool:
    """Whether a text has so many words or more; a long text is not read to its end."""
    return len(text.split(None, least)) >= least or (not text.isascii() and word_count(text) >= least)


def has_id(text: str) -> bool:
    """Whether a text names a record by its id: ORD-4017, QX7-4471, #88, a commit.

    >>> has_id("Where is ORD-4017?"), has_id("PR #88"), has_id("UTF-16 or not")
    (True, True, False)
    """
    return _ID.search(text) is not None
