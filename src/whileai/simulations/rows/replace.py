"""A file in the place of another, whole or not at all; what killed writers left beside it is removed."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_NAME_BYTES = 60
_SWEPT = 32  # temporary names of one target that are looked at; more are only ever taken by as many writers at once


@contextmanager
def replacing(target: Path) -> Iterator[BinaryIO]:
    """A new file that takes the target's place, with its permissions, once it is whole and on the disk."""
    mode = _mode_of(target)
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(target.parent))
    with named_as(target, _temporary(target)):
        handle, new = _created(target)
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
                if mode is not None:
                    new.chmod(mode)
                if fcntl is not None:
                    os.replace(new, target)  # while it is locked, or another writer may take it for an abandoned one
            if fcntl is None:
                os.replace(new, target)  # Windows renames closed files only
        except BaseException:
            new.unlink(missing_ok=True)
            raise
    _sync_folder(target.parent)


@contextmanager
def named_as(target: Path, temporary: Path) -> Iterator[None]:
    """Errors of the system name the target where they name nothing, as those of a full disk, or what begins so.

    >>> with named_as(Path("rows.jsonl"), Path(".rows.jsonl.wai")):
    ...     raise PermissionError(13, "Permission denied", ".rows.jsonl.wai0.tmp")
    Traceback (most recent call last):
    PermissionError: [Errno 13] Permission denied: 'rows.jsonl'
    """
    try:
        yield
    except OSError as error:
        beginnings = (str(temporary), os.path.realpath(temporary))
        named = error.filename is None or os.fsdecode(error.filename).startswith(beginnings)
        if error.errno is None or not named:
            raise
        raise type(error)(error.errno, error.strerror, str(target)) from None


def _temporary(target: Path, number: int | None = None) -> Path:
    """A temporary name beside the target, or what all of them begin with."""
    start = os.fsencode(target.name)[:_NAME_BYTES].decode("utf-8", "ignore")
    return target.with_name(f".{start}.wai" if number is None else f".{start}.wai{number}.tmp")


def _created(target: Path) -> tuple[int, Path]:
    """A new file under the first free temporary name, locked for as long as it is open; abandoned ones are removed."""
    for number in range(_SWEPT):
        _remove_abandoned(_temporary(target, number))
    for number in count():
        new = _temporary(target, number)
        try:
            handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            continue
        if lock(handle) is not False and os.fstat(handle).st_nlink:
            return handle, new
        os.close(handle)  # another writer took it for an abandoned one before it was locked
    raise AssertionError  # `count` has no end


def _remove_abandoned(path: Path) -> None:
    """Remove a temporary file that no writer has open: the system drops the lock of one that was killed."""
    try:
        handle = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return
    try:
        if lock(handle) and os.path.samestat(os.fstat(handle), path.stat()):
            path.unlink()
    except FileNotFoundError:  # another writer was faster
        pass
    finally:
        os.close(handle)


def lock(handle: int) -> bool | None:
    """Whether the file, or folder, was locked; False when another has it, None where the system has no such locks."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _mode_of(target: Path) -> int | None:
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        raise ValueError(f"{target} is not a regular file: give the name of a file to write")
    return stat.S_IMODE(mode)


def _sync_folder(folder: Path) -> None:
    """Put the new name on the disk too, where the system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
