"""Terms of texts: words and pairs of neighbouring words, the most common ones as 0/1 columns."""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.rows.words import words

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Keys = NDArray[Any]  # int32 where they fit, else int64

_ASCII = re.compile(r"[a-z_]{2,}|[0-9]+|[!-/:-@\[-`{-~]")
_UNSPACED = "\u3005"  # from here on scripts are written without spaces; rows.words knows which
_TEXT_BITS = 10  # 1024 texts are counted at a time
_ROWS = 1 << _TEXT_BITS


def terms(text: str) -> list[str]:
    """The tokens of a text, lower-cased: words of two or more letters, digit runs, other characters one by one.

    Letters of every script; Chinese and Japanese by the character. A single Latin letter is no token.

    >>> terms("Refund #A-12 is don't-care"), terms("已退款 42"), terms("Größe №5")
    (['refund', '#', '-', '12', 'is', 'don', "'", '-', 'care'], ['已', '退', '款', '42'], ['größe', '№', '5'])
    """
    return [token for piece in text.lower().split() for token in _tokens(piece)]


def _tokens(piece: str) -> list[str]:
    """The tokens of lower-cased text without white space."""
    if piece.isascii():
        return _ASCII.findall(piece)
    found: list[str] = []
    for token in _every_script().findall(unicodedata.normalize("NFC", piece)):
        if token.isascii():
            if len(token) > 1 or not token.isalpha():
                found.append(token)
        elif max(token) >= _UNSPACED and token[0].isalpha():
            found.extend(words(token))
        elif len(token) > 1 or _stands_alone(token):
            found.append(token)
    return found


def _stands_alone(character: str) -> bool:
    """Whether one character is a term: it is visible, and no Latin letter."""
    return character.isprintable() and not unicodedata.name(character, "").startswith("LATIN")


@cache
def _every_script() -> re.Pattern[str]:
    """A letter with the letters and marks after it, digits, or one other character that is no space."""
    marks = [point for point in range(0x300, 0x1F000) if unicodedata.category(chr(point))[0] == "M"]
    ends = [(point, point - place) for place, point in enumerate(marks)]
    runs: dict[int, list[int]] = {}
    for point, key in ends:
        runs.setdefault(key, []).append(point)
    listed = "".join(f"{chr(run[0])}-{chr(run[-1])}" for run in runs.values())
    return re.compile(rf"[^\W\d](?:[^\W\d]|[{listed}])*+|\d++|[^\w\s{listed}]")


class _Pieces(dict[str, int]):
    """A number for each piece of text, whose tokens are worked out the first time it is met."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}  # of each token
        self._tokens, self._lengths = array("i"), array("i")

    def __missing__(self, piece: str) -> int:
        found, numbers = _tokens(piece), self.numbers
        self._tokens.extend(numbers.setdefault(token, len(numbers)) for token in found)
        self._lengths.append(len(found))
        self[piece] = number = len(self)
        return number

    def blocks(self, read: Iterable[tuple[NDArray[np.int32], NDArray[np.int32]]]) -> Iterator[_Block]:
        """The tokens of the texts of each block, given as pieces and the place behind the last one of each text."""
        tokens, lengths = np.array(self._tokens), np.array(self._lengths)
        starts = np.cumsum(lengths) - lengths
        for pieces, ends in read:
            counts = lengths[pieces]
            texts = np.repeat(np.arange(ends.size, dtype=np.int16), np.diff(ends, prepend=0))
            yield _Block(tokens[_ranges(starts[pieces], counts)], np.repeat(texts, counts))


class _Block(NamedTuple):
    """The tokens of some texts: their numbers, and the text of each."""

    tokens: NDArray[np.int32]
    texts: NDArray[np.int16]


class Vocabulary:
    """The terms of texts added one after another; `columns` are those most common.

    >>> vocabulary = Vocabulary()
    >>> for text in ("rest assured", "be assured", "rest well"):
    ...     vocabulary.add(text.split())
    >>> vocabulary.columns(top=3, min_obs=1)[0]
    ['assured', 'rest', 'be']
    """

    def __init__(self) -> None:
        self._pieces = _Pieces()
        self._read: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
        self._open: list[int] = []
        self._ends: list[int] = []
        self._n = 0

    def add(self, pieces: list[str]) -> None:
        """The next text, lower-cased and split at white space."""
        self._open.extend(map(self._pieces.__getitem__, pieces))
        self._ends.append(len(self._open))
        if len(self._ends) == _ROWS:
            self._close()

    def _close(self) -> None:
        self._read.append((np.array(self._open, dtype=np.int32), np.array(self._ends, dtype=np.int32)))
        self._n += len(self._ends)
        self._open, self._ends = [], []

    def columns(self, top: int, min_obs: int) -> tuple[list[str], Bytes]:
        """The `top` terms in most texts (ties by the term), and a 0/1 column for each, shape (terms, texts).

        Terms in fewer than `min_obs` texts or in all of them are left out. To be called once, after all texts.
        """
        self._close()
        blocks = list(self._pieces.blocks(self._read))
        single_keys = [_keys(*block) for block in blocks]
        singles = self._single_counts(single_keys)
        common = np.flatnonzero(singles >= min_obs)
        pair_keys, (pairs, counts) = _pairs(blocks, common, singles.size)
        numbers = np.concatenate([common, pairs])
        occurring = np.concatenate([singles[common], counts])
        tokens = np.array([*self._pieces.numbers, ""], dtype=object)[:-1]
        chosen = sorted(
            (-int(occurring[place]), _name(int(numbers[place]), tokens, common, place >= common.size), place)
            for place in _candidates(occurring, top, min_obs, self._n).tolist()
        )[:top]
        places = np.array([place for *_, place in chosen], dtype=np.int64)
        flags = np.zeros((places.size, self._n), dtype=np.uint8)
        for keys, are_wanted in ((single_keys, places < common.size), (pair_keys, places >= common.size)):
            rows = np.flatnonzero(are_wanted)
            for block, block_keys in enumerate(keys):
                _set(flags, rows, numbers[places[rows]], block_keys, block * _ROWS)
        return [name for _, name, _ in chosen], flags

    def _single_counts(self, blocks: list[Keys]) -> Ints:
        """The texts each token is in."""
        counts = np.zeros(len(self._pieces.numbers), dtype=np.int64)
        for keys in blocks:
            numbers, found = _counted(keys)
            counts[numbers] += found
        return counts


def _pairs(blocks: list[_Block], common: Ints, n_tokens: int) -> tuple[list[Keys], tuple[Ints, Ints]]:
    """The pairs of neighbouring common tokens by block, which are used up; all of them, and the texts each is in.

    A pair is the place of its first token among the common ones times their number, plus that of the second.
    """
    pair_type = np.int32 if common.size < 2**15 else np.int64  # it holds the square of their number
    code = np.full(n_tokens + 1, -1, dtype=pair_type)
    code[common] = np.arange(common.size)
    found: list[Keys] = []
    merged = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    waiting: list[tuple[Ints, Ints]] = []
    blocks.reverse()
    while blocks:
        found.append(_keys(*_neighbours(blocks.pop(), code, common.size)))
        waiting.append(_counted(found[-1]))
        if sum(pairs.size for pairs, _ in waiting) > merged[0].size:  # so that all merging is linear in the end
            merged, waiting = _merged([merged, *waiting]), []
    return found, _merged([merged, *waiting])


def _set(flags: Bytes, rows: Ints, numbers: Ints, keys: Keys, first: int) -> None:
    """Set the flag of each number, which has its row, at the texts it is in; texts count from `first`."""
    most = np.iinfo(keys.dtype).max
    low, high = (
        np.searchsorted(keys, np.minimum(each << _TEXT_BITS, most).astype(keys.dtype))
        for each in (numbers, numbers + 1)
    )
    texts = keys[_ranges(low, high - low)] & (_ROWS - 1)
    flags[np.repeat(rows, high - low), first + texts] = 1


def _ranges(starts: Ints, counts: Ints) -> Ints:
    """`start, start + 1, ...` of each start, as many as its count says, one after another."""
    return np.repeat(starts - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())


def _neighbours(block: _Block, code: NDArray[Any], n_common: int) -> tuple[NDArray[Any], NDArray[np.int16]]:
    """Pairs of neighbouring common tokens of one text, and that text."""
    codes = code[block.tokens]
    first, second = codes[:-1], codes[1:]
    kept = (first >= 0) & (second >= 0) & (block.texts[:-1] == block.texts[1:])
    return first[kept] * n_common + second[kept], block.texts[:-1][kept]


def _name(number: int, tokens: NDArray[np.object_], common: Ints, is_pair: bool) -> str:
    return " ".join(tokens[common[list(divmod(number, common.size))]]) if is_pair else str(tokens[number])


def _keys(numbers: NDArray[Any], texts: NDArray[np.int16]) -> Keys:
    """Each number with each text it is in, once, as number * 2 ** _TEXT_BITS + text; sorted."""
    wide = numbers.size > 0 and int(numbers.max()) >= 2**30 >> _TEXT_BITS
    keys: Keys = numbers.astype(np.int64 if wide else np.int32)
    np.left_shift(keys, _TEXT_BITS, out=keys)
    np.bitwise_or(keys, texts, out=keys)
    keys.sort()
    return keys[_changes(keys)]


def _counted(keys: Keys) -> tuple[Ints, Ints]:
    """The different numbers, sorted, and how many texts each is in."""
    numbers = keys >> _TEXT_BITS
    starts = np.flatnonzero(_changes(numbers))
    return numbers[starts].astype(np.int64), np.diff(starts, append=numbers.size)


def _changes(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Where a value differs from the one before it; the first does."""
    changed = np.ones(values.size, dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=changed[1:])
    return changed


def _merged(parts: list[tuple[Ints, Ints]]) -> tuple[Ints, Ints]:
    numbers = np.concatenate([numbers for numbers, _ in parts])
    counts = np.concatenate([counts for _, counts in parts])
    distinct, place = np.unique(numbers, return_inverse=True)
    return distinct, np.bincount(place, weights=counts, minlength=distinct.size).astype(np.int64)


def _candidates(occurring: Ints, top: int, min_obs: int, n: int) -> Ints:
    """Places of the terms that may be among the `top`: those that occur as often as the last of them."""
    places = np.flatnonzero((occurring >= min_obs) & (occurring < n))
    if top < 1:
        return places[:0]
    if places.size <= top:
        return places
    least = np.partition(occurring[places], places.size - top)[places.size - top]
    return np.asarray(places[occurring[places] >= least])
