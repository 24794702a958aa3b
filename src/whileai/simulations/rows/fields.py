"""How tools name their arguments: a path, a content."""

from __future__ import annotations


def spellings(*names: str) -> tuple[str, ...]:
    """The names of arguments, each in snake, camel and Pascal case.

    >>> spellings("file_path")
    ('file_path', 'filePath', 'FilePath')
    """
    pascal = ["".join(part.capitalize() for part in name.split("_")) for name in names]
    return tuple(dict.fromkeys([*names, *(name[:1].lower() + name[1:] for name in pascal), *pascal]))


PATH_FIELDS = spellings("path", "file_path", "filepath", "file", "filename", "file_name", "target", "target_file")
CONTENT_FIELDS = spellings(
    "content", "contents", "new_string", "new_str", "text", "data", "body", "code", "file_text",
)  # fmt: skip
