"""Rollouts kept in a file as they are played, so that a run that ends early loses none and is not paid for twice."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from whileai.simulations.rows.values import as_text
from whileai.simulations.score.judging.checkpoint import Checkpoint


class RunCheckpoint(Checkpoint):
    """The rollouts of one file: JSON lines, append only; `known` by key, the last line of a key counts.

    A line that was cut off is skipped, so a run that was killed goes on with what the file holds. The file is locked
    while it is open, where the system can lock files. One that is something else is a `ValueError` and stays as it is.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with RunCheckpoint(folder + "/run.jsonl") as kept:
    ...         _ = kept.keep("a", {"row": {"prompt": "Hi"}})
    ...     with RunCheckpoint(folder + "/run.jsonl") as kept:
    ...         kept.known
    {'a': {'row': {'prompt': 'Hi'}}}
    """

    header = b'{"whileai_run": 1}\n'
    holds = "the rollouts of simulate"

    def keep(self, key: str, entry: dict[str, Any]) -> dict[str, Any]:
        """Write one entry, and return it as it will be read; the system has it at once, the disk within a second."""
        line = json.dumps({"key": key, **entry}, default=as_text, skipkeys=True).encode() + b"\n"
        self._append(line)
        self.sync_when_due()
        return _entry(line)[1]

    def _read(self, line: bytes) -> None:
        try:
            key, entry = _entry(line)
        except (ValueError, LookupError, TypeError, RecursionError):
            return
        self.known[key] = entry


def _entry(line: bytes) -> tuple[str, dict[str, Any]]:
    entry = json.loads(line)
    return str(entry.pop("key")), entry


def fingerprint(*parts: Any) -> str:
    """Twelve hexadecimal digits of what makes two runs the same, equal in every process.

    >>> fingerprint({"b": 1, "a": 2}) == fingerprint({"a": 2, "b": 1})
    True
    """
    written = json.dumps(parts, sort_keys=True, default=as_text, ensure_ascii=False)
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()[:12]
