"""Foreign text as lines of a fixed width."""

from __future__ import annotations

import re
from collections.abc import Iterator

from whileai.simulations.reports import printable
from whileai.simulations.width import columns, taken

WIDTH = 100
_SPACE = re.compile(r" (?![^\[\]]*\])")  # no line breaks within [low, high]


def wrap(text: str) -> Iterator[str]:
    """Foreign text escaped and broken into lines of at most 100 columns, those after the first indented."""
    shown = printable(text)
    if columns(shown) <= WIDTH:
        yield shown
        return
    line = ""
    for word in _SPACE.split(shown):
        while columns(word) > WIDTH - 2:
            yield from [line] if line.strip() else []
            head = taken(word, WIDTH - 2)
            line, word = "  ", word[len(head) :]
            yield f"  {head}"
        joined = f"{line} {word}" if line.strip() else line + word if line else word
        if columns(joined) > WIDTH:
            yield line
            joined = f"  {word}"
        line = joined
    yield line
