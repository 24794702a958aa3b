"""A folder for what is about to be sent, gone when it was; those of pushes that were killed are removed by the next."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from whileai.simulations.rows.replace import lock

_PREFIX = "wai-push-"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A new folder among the temporary ones of the system, which only this user can read.

    >>> with scratch_folder() as folder:
    ...     folder.is_dir(), list(folder.iterdir())
    (True, [])
    """
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        _remove_abandoned(path)
    folder, handle = _made()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if handle is not None:
            os.close(handle)


def _made() -> tuple[Path, int | None]:
    """A new folder, locked for as long as this process holds it open, where the system can lock folders."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        if not hasattr(os, "O_DIRECTORY"):  # Windows
            return folder, None
        with suppress(FileNotFoundError):  # another push took it for an abandoned one before it was locked
            handle = os.open(folder, os.O_RDONLY)
            if lock(handle) is not False and folder.exists():
                return folder, handle
            os.close(handle)


def _remove_abandoned(path: Path) -> None:
    """Remove a folder of this user that no push holds open: the system drops the lock of one that was killed."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    try:
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return
    try:
        if os.fstat(handle).st_uid == os.geteuid() and lock(handle):
            shutil.rmtree(path, ignore_errors=True)
    finally:
        os.close(handle)
