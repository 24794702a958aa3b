"""What is the agent's own voice in a text, and which phrases it uses.

Text in code and in quotation marks is an artefact or somebody else's words. Phrases are whole words in any case, with
any apostrophe and any white space inside.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import NamedTuple

_APOSTROPHES = "’‘‛ʼ´′＇"
_UNSPACED = (  # scripts written without spaces between words: Thai, Lao, Burmese, Khmer, Han, kana, bopomofo
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u312f\u31a0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_OF_UNSPACED = re.compile(f"[{_UNSPACED}]")
_LETTER = rf"[^\W_{_UNSPACED}]"
_FENCE = re.compile(r"(`{3,9}|(?:\A|\n)[ \t]*+~{3,9}).*?(?:\1|\Z)", re.DOTALL)
_QUOTED = re.compile(  # each branch starts with its mark, so that the search skips to the next mark
    "|".join(
        [
            rf'"(?<!{_LETTER}")(?=\S)[^"]*+(?<!\s)"(?!{_LETTER})',  # 27" screens and 24" screens quote nobody
            r"“[^“”„]*+[“”]",
            r"„[^“”„]*+[“”]",
            r"‘(?=\S)(?:[^‘’\n]|’(?=\w))*+(?<!\s)’",
            r"«[^«»]*+»",
            r"»[^«»]*+«",
            r"「[^「」]*+」",
            r"『[^『』]*+』",
            r"`(?<![`\w]`)[^`\n]++`(?![`\w])",
        ]
    )
)
_BLOCK_QUOTE = re.compile(r"(?:\A|\n)[ \t]*+>(?!=)[^\n]*+")
_GAP = "\x00"
_WRAPPED = re.compile(r"\n(?<=[a-z,]\n)(?=[a-z][a-z']*+(?:[ .,!?;\n]|\Z))")  # a line that goes on
_PUNCTUATION = _APOSTROPHES + "“”—–…•\u00a0"  # in most texts that are not ASCII it is all that is not
_WORD = re.compile(f"{_LETTER}+")
_ASCII_WORDS = "".join(chr(code).lower() if chr(code).isalnum() else " " for code in range(128)).encode().ljust(256)
_COMMON = frozenset(("a", "an", "as", "do", "for", "i", "if", "in", "is", "it", "not", "that", "the", "to", "you"))


def straight(text: str) -> str:
    """The text in lower case with straight apostrophes, for matching; its length may change.

    >>> straight("I’M SORRY")
    "i'm sorry"
    """
    plain = _replaced(text, _APOSTROPHES, "'")
    return plain.lower() if plain.isascii() else unicodedata.normalize("NFC", plain).casefold()


def _replaced(text: str, characters: str, by: str) -> str:
    if not text.isascii():
        for character in characters:
            text = text.replace(character, by)
    return text


def unwrapped(text: str) -> str:
    """The text with lines that go on in lower case joined, as mail programs break them.

    >>> unwrapped("It could not\\nbe found.\\nSorry!")
    'It could not be found.\\nSorry!'
    """
    return _WRAPPED.sub(" ", text) if "\n" in text else text


def spoken(text: str) -> str:
    """The text less code and quoted passages; passages give way to a blank that no phrase matches across.

    Code is a fenced block (an open one runs to the end) or a span in backticks. Quoted is what stands in double
    quotation marks of any script, and block quotes. A reply that is one quotation is kept.

    >>> spoken('I logged "it depends" on ticket 88.'), spoken('"It depends."')
    ('I logged \\x00 on ticket 88.', '"It depends."')
    """
    prose = unwrapped(_FENCE.sub(_GAP, text) if "```" in text or "~~~" in text else text)
    own = _BLOCK_QUOTE.sub(_GAP, prose) if ">" in prose else prose
    if not own.isascii() or '"' in own or "`" in own:
        own = _QUOTED.sub(_GAP, own)
    return own if own is prose or any(map(str.isalnum, own)) else prose


def text_words(text: str) -> list[str]:
    """The runs of letters and digits in lower case, those of scripts without spaces between words left out.

    >>> text_words("I’m 99% sure, 抱歉.")
    ['i', 'm', '99', 'sure']
    """
    plain = _replaced(text, _PUNCTUATION, " ")
    if plain.isascii():  # as bytes, whose `translate` takes a third of the time
        return plain.encode().translate(_ASCII_WORDS).decode().split()
    return _WORD.findall(straight(plain))


Around = tuple[str, str]  # what must hold before and behind a phrase


class _Phrase(NamedTuple):
    """One phrase of one list: its place among all, its list, its spelling there and in a text made plain."""

    place: int
    list_name: str
    spelling: str
    plain: str
    around: re.Pattern[str] | None  # the phrase with what must hold before and behind it

    def stands_in(self, text: str) -> bool:
        """Whether it occurs in a plain text with a word edge at both ends."""
        start = text.find(self.plain)
        while start >= 0:
            end = start + len(self.plain)
            whole = _edge(text, start) and _edge(text, end) and not _contracted(text, end)
            if whole and (self.around is None or self.around.match(text, start)):
                return True
            start = text.find(self.plain, start + 1)
        return False


class PhraseBook:
    """Named lists of phrases, compiled once and found together.

    A phrase starts and ends at a word edge. Letters of scripts without spaces between words (Chinese, Japanese,
    Thai) have an edge on both sides. Empty phrases match nothing, and a bare string is one phrase. `where` gives, by
    list and phrase as spelled, what must hold before and behind it: two look-around patterns for lower-case text, so
    that "as an ai" is not found in "as an AI engineer".

    The words of a text are looked up in an index of one word a phrase; only the phrases met there are searched for.

    >>> book = PhraseBook({"hedging": ["it depends"], "apology": ["I'm sorry", "抱歉"]})
    >>> book.found("I’m sorry,\\n非常抱歉. It  depends!"), book.found("The explicit depends_on entry")
    ({'hedging': ['it depends'], 'apology': ["I'm sorry", '抱歉']}, {})
    """

    def __init__(
        self, lists: Mapping[str, Iterable[str]], where: Mapping[str, Mapping[str, Around]] | None = None
    ) -> None:
        self._unindexed: list[_Phrase] = []
        self._by_word: dict[str, list[_Phrase]] = {}
        listed = [(name, *phrase) for name, phrases in lists.items() for phrase in _distinct(phrases)]
        for place, (name, plain, spelling) in enumerate(listed):
            around = (where or {}).get(name, {}).get(spelling)
            pattern = re.compile(around[0] + re.escape(plain) + around[1]) if around else None
            phrase = _Phrase(place, name, spelling, plain, pattern)
            indexed = text_words(plain)
            if indexed:
                telling = max(indexed, key=lambda word: (word not in _COMMON, len(word)))
                self._by_word.setdefault(telling, []).append(phrase)
            else:
                self._unindexed.append(phrase)
        self._indexed = frozenset(self._by_word)

    def found(self, text: str) -> dict[str, list[str]]:
        """The phrases in a text, by list: lists and phrases in the order given, only lists with a hit."""
        candidates = self._candidates(text)
        return _by_list(_hits(text, candidates)) if candidates else {}

    def said(self, texts: Sequence[str]) -> dict[str, list[str]]:
        """The phrases the agent uses in its own voice in any of the texts, as `found` gives them.

        >>> PhraseBook({"hedging": ["it depends"]}).said(["Logged.", 'You wrote "it depends".'])
        {}
        """
        hits: set[_Phrase] = set()
        for text in texts:
            if candidates := self._candidates(text):
                hits |= _hits(spoken(text), candidates)
        return _by_list(hits) if hits else {}

    def _candidates(self, text: str) -> list[_Phrase]:
        """The phrases whose indexed word is in the text, and those without one."""
        words = text_words(text)
        if self._indexed.isdisjoint(words):
            return self._unindexed
        met = self._indexed.intersection(words)
        return [*self._unindexed, *(phrase for word in met for phrase in self._by_word[word])]


def _plain(text: str) -> str:
    """The text as phrases are looked for in it: straight, and one space for any white space."""
    return " ".join(straight(text).split())


def _hits(text: str, candidates: list[_Phrase]) -> set[_Phrase]:
    plain = _plain(text)
    return {phrase for phrase in candidates if phrase.stands_in(plain)}


def _by_list(hits: set[_Phrase]) -> dict[str, list[str]]:
    named: dict[str, list[str]] = {}
    for phrase in sorted(hits):
        named.setdefault(phrase.list_name, []).append(phrase.spelling)
    return named


def _distinct(phrases: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Each phrase that is not blank, plain and as spelled; what differs only in case or spaces is there once."""
    if isinstance(phrases, str):
        phrases = [phrases]
    elif isinstance(phrases, Set):
        phrases = sorted(phrases)
    seen: dict[str, str] = {}
    for phrase in phrases:
        if plain := _plain(phrase):
            seen.setdefault(plain, phrase)
    return seen.items()


def _edge(text: str, place: int) -> bool:
    """Whether the characters on both sides of a place do not belong to one word."""
    return not (0 < place < len(text) and _joins(text[place - 1]) and _joins(text[place]))


def _joins(character: str) -> bool:
    if character.isascii():
        return character.isalnum() or character == "_"
    word = character.isalnum() or unicodedata.category(character).startswith("M")
    return word and _OF_UNSPACED.match(character) is None


def _contracted(text: str, end: int) -> bool:
    """Whether a word goes on behind an apostrophe: "can" in "can't"."""
    return text[end : end + 1] == "'" and text[end - 1].isalpha() and text[end + 1 : end + 2].isalpha()
