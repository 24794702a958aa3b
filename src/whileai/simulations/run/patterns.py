"""Texts that match a pattern of a schema, and texts shaped like a sample."""

from __future__ import annotations

import re
from string import ascii_lowercase, ascii_uppercase, digits

from whileai.simulations.run.draw import below, pick

_LONGEST = 200  # characters of a pattern that is worked out
_MOST = 6  # repetitions of a part that may repeat without end
_SETS = {"d": digits, "w": ascii_lowercase + digits, "s": " ", "D": ascii_lowercase, "S": ascii_lowercase + digits}
_QUANTIFIER = re.compile(r"\{(\d+)(,(\d*))?\}|[?*+]")
_SAMPLE = re.compile(
    r"(?:e\.g\.|eg\.|for example|example:?|such as|like|format:?|i\.e\.)[\s:,]*[\"'`(]*"
    r"(?P<sample>#?[A-Za-z_-]{0,20}[-_#]?\d[\w-]{0,20}|[A-Z]{2,6}[-_][A-Z0-9][\w-]{0,20})"
)


def matching(pattern: str, *parts: object) -> str | None:
    """A text that a pattern matches, None for a pattern that says more than literals, sets, groups and counts.

    >>> matching("^ORD-[0-9]{2}$", 1)[:4], matching("(?=a)b", 1)
    ('ORD-', None)
    """
    if len(pattern) > _LONGEST:
        return None
    try:
        text, end = _Reader(pattern, parts).alternatives(0)
        return text if end == len(pattern) and re.search(pattern, text) else None
    except (ValueError, IndexError, re.error, RecursionError):
        return None


def shaped_like(sample: str, *parts: object) -> str:
    """A text with the letters and marks of a sample and digits of its own.

    >>> shaped_like("ORD-1234", 1)[:4], len(shaped_like("5257", 1))
    ('ORD-', 4)
    """
    made = [str(below(10, *parts, place)) if mark.isdecimal() else mark for place, mark in enumerate(sample)]
    first = next((place for place, mark in enumerate(made) if mark.isdecimal()), None)
    if first is not None and made[first] == "0":
        made[first] = str(1 + below(9, *parts, "first"))
    return "".join(made)


def sample_in(text: str) -> str | None:
    """The identifier a description gives as an example.

    >>> sample_in("The order, e.g. 'W-1042'."), sample_in("The order to cancel.")
    ('W-1042', None)
    """
    found = _SAMPLE.search(text)
    return found["sample"] if found else None


class _Reader:
    """Writes a text while it reads a pattern; `ValueError` where the pattern says more than it knows."""

    def __init__(self, pattern: str, parts: tuple[object, ...]) -> None:
        self.pattern = pattern
        self.parts = parts

    def alternatives(self, at: int) -> tuple[str, int]:
        found = []
        text, at = self._sequence(at)
        found.append(text)
        while self.pattern[at : at + 1] == "|":
            text, at = self._sequence(at + 1)
            found.append(text)
        return pick(found, *self.parts, at, "or"), at

    def _sequence(self, at: int) -> tuple[str, int]:
        written: list[str] = []
        while at < len(self.pattern) and self.pattern[at] not in "|)":
            if self.pattern[at] in "^$":
                at += 1
                continue
            if self.pattern[at] == "(":
                start = at + 3 if self.pattern.startswith("(?:", at) else at + 1
                if self.pattern[start] == "?":
                    raise ValueError("a look-around")
                text, at = self.alternatives(start)
                at += 1
                least, most, at = self._count(at)
                written.append(text * least)
                continue
            marks, at = self._set(at)
            least, most, at = self._count(at)
            n = least + below(most - least + 1, *self.parts, at, "n")
            written.append("".join(pick(marks, *self.parts, at, place) for place in range(n)))
        return "".join(written), at

    def _count(self, at: int) -> tuple[int, int, int]:
        found = _QUANTIFIER.match(self.pattern, at)
        if not found:
            return 1, 1, at
        if found[0] in "?*+":
            least = 1 if found[0] == "+" else 0
            return least, 1 if found[0] == "?" else _MOST, found.end()
        least = int(found[1])
        most = least if found[2] is None else int(found[3] or least + _MOST)
        return least, most, found.end()

    def _set(self, at: int) -> tuple[str, int]:
        mark = self.pattern[at]
        if mark == "\\":
            escaped = self.pattern[at + 1]
            if escaped.isalnum() and escaped not in _SETS:
                raise ValueError("an escape")
            return _SETS.get(escaped, escaped), at + 2
        if mark == ".":
            return ascii_lowercase + digits, at + 1
        if mark != "[":
            return mark, at + 1
        end = self.pattern.index("]", at + 2)
        return _members(self.pattern[at + 1 : end]), end + 1


def _members(inside: str) -> str:
    if inside.startswith("^"):
        banned = _members(inside[1:])
        return "".join(mark for mark in ascii_lowercase + digits + ascii_uppercase if mark not in banned)
    marks, at = "", 0
    while at < len(inside):
        if inside[at] == "\\":
            marks += _SETS.get(inside[at + 1], inside[at + 1])
            at += 2
        elif inside[at + 1 : at + 2] == "-" and at + 2 < len(inside):
            marks += "".join(map(chr, range(ord(inside[at]), ord(inside[at + 2]) + 1)))
            at += 3
        else:
            marks += inside[at]
            at += 1
    return marks
