"""How a value and what the agent was told are made comparable: case, white space, typography, escapes, separators."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from whileai.simulations.rows.content import TEXT_BLOCKS, content_text, one_of
from whileai.simulations.rows.values import as_text, is_mapping

BETWEEN = "\x01"  # stands between two texts, so that nothing is found across them
_PART = "\x00"  # stands between the parts of a text, for the same reason
_TYPOGRAPHY = str.maketrans("‐‑‒–—−’‘“”", "------''\"\"")
_SCALARS = frozenset({str, int, float, bool})  # what a leaf mostly is
_LISTS = (list, tuple)
_ESCAPED_DEEP = 2  # JSON that holds JSON as text
_ESCAPE = re.compile(r"""\\(?:u([0-9a-fA-F]{4})|([bfnrt])|(["'\\/]))""")


def normal(text: str) -> str:
    r"""A plain text with each run of white space one blank, ends trimmed.

    >>> normal("  Jane\xa0DOE,\n ORD\u20114017 ")
    'jane doe, ord-4017'
    """
    return " ".join((text.lower() if text.isascii() else plain(text)).split())


def plain(text: str) -> str:
    """A text in lower case; dashes, quotes and letter forms as they are typed."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_TYPOGRAPHY)
    return text.lower()


def words(text: str) -> list[str]:
    """A plain text cut at white space, underscores and hyphens.

    >>> words("ord_4017 - new")
    ['ord', '4017', 'new']
    """
    return text.replace("_", " ").replace("-", " ").split()


def told_plain(told: Iterable[Any]) -> str:
    r"""What prompts, turns and results say, in one plain text with `BETWEEN` between them.

    A structure is read by its keys and leaf values. Text that holds escapes, as JSON writes them, is followed by what
    it stands for. Nothing that is found in the text lies across two parts of it.

    >>> told_plain(["Call her", {"sister": r"Zo\u00eb"}]).split(BETWEEN)
    ['call her', 'sister\x00zo\\u00eb\x00sister\x00zoë']
    """
    texts = [text if isinstance(text, str) and "\\" not in text else _said(text) for text in told]
    joined = BETWEEN.join(texts)
    if joined.count(BETWEEN) >= len(texts) > 0:
        joined = BETWEEN.join(text.replace(BETWEEN, " ") for text in texts)
    return plain(joined)


def _said(content: Any) -> str:
    if type(content) is str:
        text = content
    elif type(content) is not dict and _is_blocks(content):
        text = content_text(content)
    else:
        text = _PART.join(_leaves(content))
    if "\\" not in text:
        return text
    parts = [text]
    while "\\" in parts[-1] and len(parts) <= _ESCAPED_DEEP:
        parts.append(_unescaped(parts[-1]))
    return _PART.join(parts)


def _is_blocks(content: Any) -> bool:
    return isinstance(content, list | tuple) and any(
        is_mapping(block) and one_of(block.get("type"), TEXT_BLOCKS) for block in content
    )


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_character, text).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _character(escape: re.Match[str]) -> str:
    code, space, itself = escape.groups()
    if code is not None:
        return chr(int(code, 16))
    return " " if space else itself


def _leaves(content: Any) -> list[str]:
    """Keys and leaf values as text, level by level: a queue, as foreign data may be nested deeply."""
    found: list[str] = []
    pending = [content]
    for item in pending:
        kind = type(item)
        if kind in _SCALARS:
            found.append(as_text(item))
        elif kind is dict or isinstance(item, Mapping):
            for key, value in item.items():
                found.append(key if type(key) is str else as_text(key))
                pending.append(value)
        elif isinstance(item, _LISTS):
            pending.extend(item)
        elif item is not None:
            found.append(as_text(item))
    return found
