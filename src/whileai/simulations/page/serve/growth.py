"""Whether files have grown by whole lines since they were read."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable

from whileai.simulations.errors import ReadError
from whileai.simulations.rows.load import load_rows

_BLOCK = 65536
_MARK = 4096  # bytes before the end of the last line that are compared


def version(sources: Iterable[str]) -> str:
    """A word that changes when a file of some paths, folders or globs gains a line, comes or goes.

    A line that is being written does not change it until it ends. A file without lines, such as one long JSON list,
    is told by its size and time.
    """
    found = hashlib.blake2b(digest_size=16)
    for source in sources:
        try:
            names = load_rows(source).names
        except (OSError, ValueError) as error:
            names = [f"{type(error).__name__} {source}"]
        for name in names:
            found.update(f"{name}\0{_state(name)}\0".encode("utf-8", "surrogateescape"))
    return found.hexdigest()


def need_files(sources: Iterable[str]) -> None:
    """Refuse what is there and cannot be read again as it grows (a pipe), on which reading would wait for ever."""
    for source in sources:
        for name in load_rows(source).names:
            if os.path.exists(name) and not stat.S_ISREG(os.stat(name).st_mode):
                raise ReadError("it is no regular file: write it to one first, as it is read again", source=name)


def _state(path: str) -> str:
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return "no regular file"
        with open(path, "rb") as file:
            about = os.stat(file.fileno())
            at = end = about.st_size
            while at > 0:
                start = max(0, at - _BLOCK)
                file.seek(start)
                newline = file.read(at - start).rfind(b"\n")
                if newline >= 0:
                    end = start + newline + 1
                    file.seek(max(0, end - _MARK))
                    last = hashlib.blake2b(file.read(min(end, _MARK)), digest_size=16).hexdigest()
                    return f"{about.st_ino} {end} {last}"
                at = start
            return f"{about.st_ino} {end} {about.st_mtime_ns}"
    except OSError as error:
        return type(error).__name__
