"""A folder as a target: a sub-folder for each version, whole or not there at all."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from whileai.simulations.registry.bundle import DESCRIPTION, Bundle, json_text
from whileai.simulations.rows.replace import named_as
from whileai.simulations.rows.write import write_text

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

PUBLISHED = "published.json"
_VERSION = re.compile(r"v([1-9]\d{0,8})")
_STAGING = ".push-*.tmp"
_TAKEN = (errno.EEXIST, errno.ENOTEMPTY)


@dataclass(frozen=True)
class FolderTarget:
    """A folder that holds one dataset: `v1`, `v2`, ... and `published.json`, which names the published version."""

    folder: Path

    def __str__(self) -> str:
        return str(self.folder)

    def deliver(self, build: Callable[[Path], Bundle], *, publish: bool, timeout: float | None) -> dict[str, Any]:
        """Put what `build` writes into the next version; what is there already is found, not written again."""
        with _made(self.folder), _alone(self.folder) as alone:
            if alone:
                for abandoned in self.folder.glob(_STAGING):
                    shutil.rmtree(abandoned, ignore_errors=True)
            held = _versions(self.folder)
            _refuse_other(self.folder, held)
            staging = self.folder / f".push-{os.getpid()}.tmp"
            with named_as(self.folder, staging):
                staging.mkdir()
                try:
                    bundle = build(staging)
                    version, created = self._placed(staging, bundle, held)
                finally:
                    shutil.rmtree(staging, ignore_errors=True)
            if publish:
                write_text(json_text({"version": version, "datasetId": bundle.dataset_id}), self.folder / PUBLISHED)
        return {
            "version": version,
            "created": created,
            "published": _published(self.folder) == version,
            "path": str(self.folder / f"v{version}"),
            "url": None,
        }

    def _placed(self, staging: Path, bundle: Bundle, held: dict[int, dict[str, Any]]) -> tuple[int, bool]:
        for version, known in held.items():
            if known["datasetId"] == bundle.dataset_id:
                return version, False
        for known in held.values():
            if (name := known["manifest"].get("name")) != bundle.manifest["name"]:
                raise ValueError(
                    f"{self.folder} holds the dataset {name!r:.100}, not {bundle.manifest['name']!r}: name another "
                    "folder, or push under that name"
                )
        write_text(bundle.description(), staging / DESCRIPTION)
        for version in count(max(_numbers(self.folder), default=0) + 1):
            try:
                os.rename(staging, self.folder / f"v{version}")
            except OSError as error:
                if error.errno not in _TAKEN:
                    raise
            else:
                return version, True
        raise AssertionError  # `count` has no end


@contextmanager
def _made(folder: Path) -> Iterator[None]:
    """The folder, made when it is not there; what was made is gone again when nothing came into it."""
    new = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        for path in new:
            with suppress(OSError):
                path.rmdir()
        raise


@contextmanager
def _alone(folder: Path) -> Iterator[bool]:
    """Whether no other push writes to the folder meanwhile; false where the system cannot lock folders."""
    if fcntl is None:
        yield False
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        yield _locked(handle)
    finally:
        os.close(handle)


def _locked(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
    except OSError:
        return False
    return True


def _numbers(folder: Path) -> list[int]:
    return sorted(int(found[1]) for path in folder.iterdir() if (found := _VERSION.fullmatch(path.name)))


def _versions(folder: Path) -> dict[int, dict[str, Any]]:
    """The description of each version, the newest first."""
    found = {}
    for number in reversed(_numbers(folder)):
        with suppress(OSError, ValueError):
            known = json.loads((folder / f"v{number}" / DESCRIPTION).read_bytes())
            if isinstance(known, dict) and isinstance(known.get("manifest"), dict) and "datasetId" in known:
                found[number] = known
    return found


def _refuse_other(folder: Path, held: dict[int, dict[str, Any]]) -> None:
    others = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    if others and not held:
        raise ValueError(
            f"{folder} holds other files ({others[0]!r:.80} and so on) and no dataset: name a new folder in it, as in "
            f"{folder / 'refunds'}"
        )


def _published(folder: Path) -> int | None:
    with suppress(OSError, ValueError):
        known = json.loads((folder / PUBLISHED).read_bytes())
        version = known.get("version") if isinstance(known, dict) else None
        return version if isinstance(version, int) else None
    return None
