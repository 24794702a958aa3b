"""Characters that a reader does not see, or that move what is seen: control, bidirectional, blank-looking ones."""

from __future__ import annotations

import re

RANGES = (  # first and last code point, both in
    (0x00, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180E), (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800), (0x3164, 0x3164),
    (0xD800, 0xDFFF), (0xFE00, 0xFE0E), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0xE0000, 0xE0FFF),
)  # fmt: skip


def unseen_class(kept: str = "") -> re.Pattern[str]:
    r"""A pattern of one such character, those of `kept` let through.

    >>> unseen_class(kept="\n").findall("a\n\u202eb")
    ['\u202e']
    """
    spans = "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in RANGES)
    but = f"(?![{re.escape(kept)}])" if kept else ""
    return re.compile(f"{but}[{spans}]")
