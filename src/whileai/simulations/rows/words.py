"""Words of a text, in any script."""

from __future__ import annotations

import re
import unicodedata

_ASCII_WORD = re.compile(r"[a-z0-9]+")
_CJK = (  # written without spaces between words: each character stands for itself
    (0x3005, 0x3007),  # ideographic iteration mark, closing mark, zero
    (0x3041, 0x30FF),  # Hiragana, Katakana
    (0x31F0, 0x31FF),  # Katakana extensions
    (0x3400, 0x4DBF),  # Han, extension A
    (0x4E00, 0x9FFF),  # Han
    (0xF900, 0xFAFF),  # Han, compatibility
    (0x1B000, 0x1B16F),  # Kana supplement and extensions
    (0x20000, 0x3FFFF),  # Han, extensions B and on
)


def normalised(text: str) -> str:
    """The text after NFKC and case folding, each run of white space one blank, trimmed.

    >>> normalised("  Ｃａｎｃｅｌ  STRASSE")
    'cancel strasse'
    """
    return " ".join(_folded(text).split())


def words(text: str) -> list[str]:
    """Runs of letters, digits and their marks in any script, normalised; Chinese and Japanese by the character.

    >>> words("Where is ORD-4473?"), words("नमस्ते दुनिया"), words("取消订单 42")
    (['where', 'is', 'ord', '4473'], ['नमस्ते', 'दुनिया'], ['取', '消', '订', '单', '42'])
    """
    folded = _folded(text)
    return _ASCII_WORD.findall(folded) if folded.isascii() else folded.translate(_SPACED).split()


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    once = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", once)  # folding may leave a form that is composed otherwise


class _Spaced(dict[int, str]):
    """What each character is written as before a text is split; worked out the first time it is met."""

    def __missing__(self, point: int) -> str:
        self[point] = spaced = _spaced(point)
        return spaced


def _spaced(point: int) -> str:
    character = chr(point)
    if unicodedata.category(character)[0] not in "LNM":
        return " "
    return f" {character} " if any(low <= point <= high for low, high in _CJK) else character


_SPACED = _Spaced()
