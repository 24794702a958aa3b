"""A registry behind HTTP as a target: parts by their hash, those it lacks only, then one request that makes it whole.

The protocol is in `docs/push.md`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from whileai.simulations.models.secret import Secret
from whileai.simulations.registry.bar import sending_bar
from whileai.simulations.registry.bundle import Bundle, BundleFile
from whileai.simulations.registry.deadline import Deadline
from whileai.simulations.registry.failure import RegistryError
from whileai.simulations.registry.scratch import scratch_folder

if TYPE_CHECKING:
    from whileai.simulations.registry.session import Session

PART_BYTES = 4 * 1024 * 1024  # of one request, little enough to be sent again; convention
ASKED_AT_ONCE = 1000  # parts that one request asks about
_COMMITS = 3  # times a dataset is committed that the registry finds parts missing of
_URL_CHARACTERS = 2000
CONFLICT = 409  # the status of a commit that parts are missing of


@dataclass(frozen=True)
class Part:
    """A piece of a file: where it begins, its bytes and their SHA-256."""

    at: Path
    start: int
    size: int
    sha256: str

    def read(self) -> bytes:
        """The bytes themselves."""
        with self.at.open("rb") as file:
            file.seek(self.start)
            return file.read(self.size)


@dataclass(frozen=True)
class HttpTarget:
    """A registry by its URL, with the key for it."""

    base: str
    key: Secret

    def __str__(self) -> str:
        return self.base

    def deliver(self, build: Callable[[Path], Bundle], *, publish: bool, timeout: float | None) -> dict[str, Any]:
        """Send what `build` writes; nothing is seen before all of it is there, and a second call sends the rest."""
        from whileai.simulations.registry.session import Session

        with scratch_folder() as folder:
            bundle = build(folder)
            with Session(self.base, self.key, Deadline(timeout)) as session:
                return _Upload(session, bundle, publish=publish).run()


class _Upload:
    """One dataset on its way."""

    def __init__(self, session: Session, bundle: Bundle, *, publish: bool) -> None:
        self._session, self._bundle, self._publish = session, bundle, publish
        self._files = {file.path: list(_parts(file)) for file in bundle.files}
        self._parts = {part.sha256: part for parts in self._files.values() for part in parts}
        self._sent = 0

    def run(self) -> dict[str, Any]:
        try:
            self._send(self._missing(list(self._parts)))
        except RegistryError as error:
            raise _noted(
                error, "nothing was published; parts that were sent are kept, so the same call goes on"
            ) from None
        try:
            answer = self._committed()
        except RegistryError as error:
            note = (
                "whether it was published is not known: the same call finds out"
                if error.again
                else "nothing was published"
            )
            raise _noted(error, note) from None
        return {
            "version": answer.get("version") if isinstance(answer.get("version"), int) else None,
            "created": answer["created"],
            "published": answer.get("published") is True,
            "path": None,
            "url": _web(answer.get("url")),
            "n_parts": len(self._parts),
            "n_sent": self._sent,
        }

    def _missing(self, hashes: Sequence[str]) -> list[str]:
        """Those of the parts that the registry does not have."""
        lacked: list[str] = []
        for start in range(0, len(hashes), ASKED_AT_ONCE):
            some = hashes[start : start + ASKED_AT_ONCE]
            asked = {"parts": [{"sha256": sha, "bytes": self._parts[sha].size} for sha in some]}
            _, answer = self._session.ask("POST", "/v1/parts/missing", asked)
            lacked += _hashes(answer.get("missing"), set(some))
        return lacked

    def _send(self, hashes: Iterable[str]) -> None:
        parts = [self._parts[sha] for sha in hashes]
        with sending_bar(sum(part.size for part in parts)) as sent:
            for part in parts:
                self._session.ask("PUT", f"/v1/parts/{part.sha256}", part.read())
                self._sent += 1
                sent(part.size)

    def _committed(self) -> dict[str, Any]:
        body = {
            "manifest": self._bundle.manifest,
            "parts": {path: [part.sha256 for part in parts] for path, parts in self._files.items()},
            "publish": self._publish,
        }
        made = self._bundle.dataset_id
        for _ in range(_COMMITS):
            status, answer = self._session.ask("PUT", f"/v1/datasets/{made}", body, also=CONFLICT)
            if status != CONFLICT:
                if answer.get("datasetId") != made:
                    raise RegistryError(f"the registry answered for another dataset than {made}", status=status)
                return {**answer, "created": status == 201}
            self._send(_hashes(answer.get("missing"), set(self._parts)))
        raise RegistryError(f"the registry lost parts of {made} {_COMMITS} times while they were sent", status=CONFLICT)


def _parts(file: BundleFile) -> Iterator[Part]:
    with file.at.open("rb") as opened:
        start = 0
        while content := opened.read(PART_BYTES):
            yield Part(file.at, start, len(content), hashlib.sha256(content).hexdigest())
            start += len(content)


def _hashes(said: Any, known: set[str]) -> list[str]:
    """The hashes a registry names, in its order, once each; a `RegistryError` when it names none of ours."""
    if not isinstance(said, list) or not all(isinstance(sha, str) and sha in known for sha in said):
        raise RegistryError("the registry named parts that were not asked about: does it speak this protocol?")
    return list(dict.fromkeys(said))


def _web(url: Any) -> str | None:
    """A link that may be shown; None for anything else."""
    if not isinstance(url, str) or len(url) > _URL_CHARACTERS or not url.isascii() or not url.isprintable():
        return None
    try:
        return url if urlsplit(url).scheme in ("http", "https") and urlsplit(url).hostname else None
    except ValueError:
        return None


def _noted(error: RegistryError, note: str) -> RegistryError:
    return RegistryError(f"{error}; {note}", status=error.status, again=error.again, wait=error.wait)
