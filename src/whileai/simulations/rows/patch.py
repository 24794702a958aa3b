"""What a patch does: the files it names, the lines it adds."""

from __future__ import annotations

import re

_FILE = re.compile(
    r"^(?:\*\*\* (?:Update|Add|Delete) File: (?P<named>[^\n]+)|\*\*\* Move to: (?P<moved>[^\n]+)"
    r"|(?:\+\+\+|---) (?P<side>[^\t\n]+))",
    re.MULTILINE,
)


def is_patch(text: str) -> bool:
    """Whether a text is a patch, unified or in the `*** Begin Patch` form.

    >>> is_patch("--- a/x.py\\n+++ b/x.py\\n"), is_patch("x += 1")
    (True, False)
    """
    return "*** Begin Patch" in text or " File: " in text[:400] or ("+++ " in text and "--- " in text)


def patched_files(text: str) -> list[str]:
    """The files a patch writes, moves or deletes, in order.

    >>> patched_files("*** Begin Patch\\n*** Update File: a.py\\n*** End Patch"), patched_files("--- a/x\\n+++ b/x\\n")
    (['a.py'], ['x'])
    """
    files: dict[str, None] = {}
    for found in _FILE.finditer(text):
        name = (found["named"] or found["moved"] or found["side"]).strip()
        if found["side"]:
            name = name[2:] if name[:2] in ("a/", "b/") else name
        if name != "/dev/null":
            files[name] = None
    return list(files)


def added_text(text: str) -> str:
    """The lines a patch adds, less those it only moves.

    >>> added_text("+++ b/x\\n-a\\n+a\\n+b\\n c\\n")
    'b'
    """
    lines = text.splitlines()
    removed = {line[1:].strip() for line in lines if line.startswith("-") and not line.startswith("---")}
    added = (line[1:] for line in lines if line.startswith("+") and not line.startswith("+++"))
    return "\n".join(line for line in added if line.strip() not in removed)


def removed_text(text: str) -> str:
    """The lines a patch removes.

    >>> removed_text("--- a/x\\n-a\\n+b\\n")
    'a'
    """
    lines = text.splitlines()
    return "\n".join(line[1:] for line in lines if line.startswith("-") and not line.startswith("---"))
