"""Verdicts kept in a file as they come, so that a run that ends early loses none and is not paid for twice."""

from __future__ import annotations

import errno
import hashlib
import json
import math
import os
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from decimal import Decimal
from pathlib import Path
from typing import Any

import orjson

from whileai.simulations.rows.replace import named_as
from whileai.simulations.rows.values import as_text
from whileai.simulations.score.judging.evidence import is_json

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_HEADER = b'{"whileai_checkpoint": 1}\n'
_SYNC_SECONDS = 1.0  # at least between two waits for the disk; the system has a verdict at once
_KEY_BYTES = 16
_ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]+")  # in the text of an object without one of its own
_ENCODER = json.JSONEncoder(default=as_text, skipkeys=True)
_OPTIONS = orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS | orjson.OPT_SERIALIZE_NUMPY


class Checkpoint:
    """The verdicts of one file: JSON lines, append only, one line a verdict, `known` by key when they are good.

    A line that was cut off is skipped. The file is locked while it is open, where the system can lock files. A file
    that is something else is a `ValueError` and stays as it is.

    >>> import tempfile
    >>> verdict = {"reward": 1, "reason": "", "judge_status": "ok", "judge_meta": {}}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Checkpoint(folder + "/verdicts.jsonl") as kept:
    ...         _ = kept.add("a", verdict)
    ...     with Checkpoint(folder + "/verdicts.jsonl") as kept:
    ...         kept.known["a"] == verdict
    True
    """

    header = _HEADER
    holds = "verdicts of run_judge"

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.known: dict[str, dict[str, Any]] = {}
        self._synced = time.monotonic()
        self._begin = b""
        self._file = open(self.path, "ab", buffering=0)  # noqa: SIM115 - closed by `close`
        try:
            self._lock()
            with self._named():
                self._open()
        except BaseException:
            self._file.close()
            raise

    def add(self, key: str, verdict: dict[str, Any]) -> dict[str, Any]:
        """Write one verdict, and return it as it will be read; the system has it at once."""
        line = _line(key, verdict)
        self._append(line)
        kept: dict[str, Any] = json.loads(line)["verdict"]
        return kept

    def _append(self, line: bytes) -> None:
        with self._named():
            line = self._begin + line
            while self._file.write(line) < len(line):  # a full disk takes a part, and then raises
                self._begin = b"\n"  # of what any thread writes next, which the part would take along
                line = b"\n" + line

    def sync_when_due(self) -> None:
        """Bring to the disk what the system has, unless that was done within the last second."""
        if time.monotonic() - self._synced > _SYNC_SECONDS:
            with self._named():
                self._sync()

    def _named(self) -> AbstractContextManager[None]:
        """Errors of the system, of which those of a full disk name no file, name this one."""
        return named_as(self.path, self.path)

    def close(self) -> None:
        """Bring all to the disk and let the file go."""
        if not self._file.closed:
            with self._named():
                try:
                    self._sync()
                finally:
                    self._file.close()

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _sync(self) -> None:
        os.fsync(self._file.fileno())
        self._synced = time.monotonic()

    def _lock(self) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BlockingIOError(errno.EAGAIN, "another run is writing this checkpoint", str(self.path)) from None

    def _open(self) -> None:
        with open(self.path, "rb") as lines:
            first = lines.readline()
            if self.header.startswith(first) and first != self.header:  # new, or cut off in its first line
                self._file.truncate(0)
                self._append(self.header)
                self._sync()
                return
            if first != self.header:
                raise ValueError(f"{self.path}: holds something other than {self.holds}; name a new file")
            last = first
            for last in lines:
                self._read(last)
        if not last.endswith(b"\n"):
            self._append(b"\n")

    def _read(self, line: bytes) -> None:
        try:
            key, verdict = (entry := json.loads(line))["key"], entry["verdict"]
            reward = verdict["reward"]
            good = verdict["judge_status"] == "ok" and type(reward) in (int, float) and 0 <= reward <= 1
            if (
                good
                and isinstance(key, str)
                and isinstance(verdict["judge_meta"], dict)
                and isinstance(verdict["reason"], str)
            ):
                self.known[key] = verdict
        except (ValueError, LookupError, TypeError, RecursionError):
            return


def row_keys(rows: Iterable[dict[str, Any]], identity: Iterable[Any]) -> Iterator[str]:
    """A key for each row: a hash of its content and of what tells judges apart, and which copy of equal rows it is.

    >>> a, b, c = row_keys([{"n": 1}, {"n": 1}, {"n": 2}], ["judge"])
    >>> b == a + "#2", a == c
    (True, False)
    """
    start = hashlib.blake2b(_content(list(identity)), digest_size=_KEY_BYTES)
    seen: Counter[str] = Counter()
    for row in rows:
        found = start.copy()
        found.update(_content(row))
        key = found.hexdigest()
        seen[key] += 1
        yield key if seen[key] == 1 else f"{key}#{seen[key]}"


def _content(value: Any) -> bytes:
    try:
        content = orjson.dumps(value, default=_named, option=_OPTIONS)
        if b"null" not in content or is_json(value):
            return content
        return orjson.dumps(_spelt(value), default=_named, option=_OPTIONS)
    except (TypeError, ValueError, RecursionError):
        return as_text(value).encode("utf-8", "surrogatepass")


def _named(value: Any) -> Any:
    """A stand-in that is the same in every process for a value that JSON has no form for."""
    if isinstance(value, set | frozenset):
        return sorted(map(as_text, value))
    kind, text = type(value).__name__, as_text(value)
    if isinstance(value, Decimal | Path | bytes):
        return text
    return [kind, getattr(value, "__dict__", "") if _ADDRESS.search(text) else text]


def _spelt(value: Any) -> Any:
    """The value with NaN and infinities, for which JSON only has null, as words."""
    if isinstance(value, float):
        return value if math.isfinite(value) else [str(value)]
    if isinstance(value, dict):
        return {key: _spelt(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_spelt(item) for item in value]
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return _spelt(value.tolist())
    return value


def _line(key: str, verdict: dict[str, Any]) -> bytes:
    try:
        text = _ENCODER.encode({"key": key, "verdict": verdict})
    except (ValueError, RecursionError):  # a judge_meta that holds itself
        text = json.dumps({"key": key, "verdict": {**verdict, "judge_meta": {}}})
    return text.encode() + b"\n"
