"""Thoughts that a model writes into its text: the one place that says what of a text was thought and what was said.

A thought goes from an opening tag to the first closing tag of its name, in any case and whatever opens in between. One
that is never closed goes to the end of the text: the model was cut while it thought, and nothing after the tag was
said. A closing tag alone ends a thought that the chat template opened: all before it was thought, as the templates of
reasoning models have it too, so of thoughts within thoughts nothing is left but what comes after the last tag.
"""

from __future__ import annotations

import re
from functools import cache

_BLANKS = re.compile(r"\s*+")


def tag_pattern(names: str) -> str:
    """A pattern of opening and closing tags, as groups `close` (`"/"` or `""`) and `tag`; for any case.

    >>> [tag.groupdict() for tag in re.finditer(tag_pattern("think|plan"), "<plan>a</plan>")]
    [{'close': '', 'tag': 'plan'}, {'close': '/', 'tag': 'plan'}]
    """
    return rf"<(?P<close>/?)(?P<tag>{names})>"


_THINK = re.compile(tag_pattern("think"), re.IGNORECASE)


def spoken(text: str, tags: re.Pattern[str] = _THINK) -> tuple[str, bool]:
    """A text without its thoughts, and whether it was cut in one never closed; `tags` as `tag_pattern` has them.

    Blanks after a thought go too, unless they alone hold the words around it apart.

    >>> spoken("<think>look it up</think> Done."), spoken("<THINK>it might"), spoken("look it up</think>\\nDone.")
    (('Done.', False), ('', True), ('Done.', False))
    """
    if "<" not in text:
        return text, False
    said: list[str] = []
    at, apart = 0, True  # apart: nothing was said before this place, or it ended in a blank
    while (tag := tags.search(text, at)) is not None:
        if tag["close"]:
            said, apart, end = [], True, tag.end()
        else:
            if before := text[at : tag.start()]:
                said.append(before)
                apart = before[-1].isspace()
            closed = thought_end(tag)
            if closed is None:
                return "".join(said), True
            end = closed
        at = _after_blanks(text, end) if apart else end
    return "".join([*said, text[at:]]), False


def without_thoughts(text: str) -> str:
    """A text without its thoughts.

    >>> without_thoughts("<think>a</think>b <think>c</think> d"), without_thoughts("Wait. <think>never closed")
    ('b d', 'Wait. ')
    """
    return spoken(text)[0]


def opening_thought(text: str) -> tuple[str, str]:
    """The thought that a text begins with, `""` for none, and the text after it.

    >>> opening_thought("<think>\\nHm.\\n</think>\\n\\nLost."), opening_thought("Hm.</think>"), opening_thought("Lost.")
    (('Hm.', 'Lost.'), ('Hm.', ''), ('', 'Lost.'))
    """
    tag = _THINK.search(text) if "<" in text else None
    if tag is None or (not tag["close"] and not text[: tag.start()].isspace() and tag.start()):
        return "", text
    begun, end = (0, tag.end()) if tag["close"] else (tag.end(), thought_end(tag))
    if end is None:
        return text[begun:].strip(), ""
    return text[begun : text.rfind("<", 0, end)].strip(), text[_after_blanks(text, end) :]


def thought_end(opening: re.Match[str]) -> int | None:
    """Where the thought that a tag opens ends, None when it is never closed.

    >>> thought_end(re.search(tag_pattern("think"), "<think>a <think>b</Think> c"))
    25
    """
    closing = _closing(opening["tag"].lower()).search(opening.string, opening.end())
    return None if closing is None else closing.end()


@cache
def _closing(name: str) -> re.Pattern[str]:
    return re.compile(rf"</{name}>", re.IGNORECASE)


def _after_blanks(text: str, at: int) -> int:
    blanks = _BLANKS.match(text, at)
    return blanks.end() if blanks else at
