"""Labels in a file that only grows: a line a label, on the disk before its sender is told so."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Collection, Mapping
from itertools import chain
from typing import Any

from whileai.simulations.score.labels.given import CLEARED, LABEL_FIELDS, given_labels, is_replaced
from whileai.simulations.score.labels.identity import written

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

Record = dict[str, Any]
_VALUES = (0, 1, None)  # None is unsure
_TEXTS = {"annotator": 200, "note": 20_000}  # and how many characters they may have


class LabelsFile:
    """The labels of one file, and what is added to them; `attach_labels` reads it.

    A label replaces the one that the same person gave the row before: the line says `supersedes`. What was in the file
    is kept and must be readable as labels, else a `ReadError`. Where another file takes its place, as editors and
    checkouts do it, labels go to that one from then on.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.added = 0
        self._lock = threading.Lock()
        self._standing: dict[str, list[Record]] = {}
        self._open()

    def _open(self) -> None:
        self._made = not os.path.exists(self.path)
        if not self._made:
            _refuse_other_kinds(self.path)
        self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            _hold(self._file, self.path)
            self._take_up()
        except BaseException:
            os.close(self._file)
            raise

    def _is_there(self) -> bool:
        """Whether the file of this name is still the one that was opened."""
        try:
            return os.path.samestat(os.fstat(self._file), os.stat(self.path))
        except FileNotFoundError:
            return False

    def _follow(self) -> None:
        if self._is_there():
            return
        before = self._file
        try:
            self._open()
        except (OSError, ValueError) as error:
            self._file = before
            raise OSError(f"{self.path} was replaced, and cannot take labels: {error}") from error
        os.close(before)

    def _take_up(self) -> None:
        """Know what the file says already; a last line without its end gets one."""
        self._standing.clear()
        if not os.fstat(self._file).st_size:
            return
        for each in given_labels(self.path):
            if each.key and (each.label is not None or each.record.get("label", each) is None):
                said = {name: text for name in _TEXTS if (text := written(each.record.get(name)))}
                self._standing.setdefault(each.key, []).append({"key": each.key, "label": each.label, **said})
        if not _ends_a_line(self.path):
            self._append(b"\n")

    def __len__(self) -> int:
        return len(self._standing)

    def given(self) -> list[Record]:
        """The labels that stand, one a row and person."""
        with self._lock:
            return list(chain.from_iterable(self._standing.values()))

    def add(self, given: Any, keys: Collection[str]) -> None:
        """Keep a label as it was sent, of a row whose key is among `keys`; a `ValueError` for anything else."""
        record = checked(given, keys)
        with self._lock:
            self._follow()
            before = self._standing.get(record["key"], [])
            kept = [each for each in before if not is_replaced(each, record)]
            if len(kept) < len(before):
                record["supersedes"] = True
            elif record["label"] == CLEARED:
                return
            self._append(_line(record))
            self.added += 1
            standing = kept if record["label"] == CLEARED else [*kept, record]
            if standing:
                self._standing[record["key"]] = standing
            else:
                del self._standing[record["key"]]

    def close(self) -> None:
        """Close the file; one that was made and never had a label is removed."""
        with self._lock:
            if self._made and not os.fstat(self._file).st_size and self._is_there():
                os.unlink(self.path)
            os.close(self._file)

    def _append(self, line: bytes) -> None:
        """A whole line or nothing: what a full disk took of it is taken back."""
        size = os.fstat(self._file).st_size
        try:
            if os.write(self._file, line) != len(line):
                raise OSError(f"{self.path}: the disk took only part of a label")
            os.fsync(self._file)
        except OSError:
            os.ftruncate(self._file, size)
            raise


def checked(given: Any, keys: Collection[str]) -> Record:
    """A label as it is kept, with the time; a `ValueError` when it is none or names no row of `keys`.

    >>> record = checked({"key": "a#0", "label": 1, "note": "ok", "more": 2}, {"a#0"})
    >>> record["label"], record["note"], "more" in record
    (1, 'ok', False)
    """
    if not isinstance(given, Mapping):
        raise ValueError("a label is one JSON object")
    if "label" not in given:
        raise ValueError("a label has the key label")
    key, label = given.get("key"), given["label"]
    if not isinstance(key, str) or key not in keys:
        raise ValueError("the label names no row of this page")
    if not (label == CLEARED or label is None or (type(label) is int and label in _VALUES)):
        raise ValueError(f"a label is 1, 0, null or {CLEARED!r}")
    record: Record = {"key": key, "label": label, "kind": "human", "ts": round(time.time(), 3)}
    for name, most in _TEXTS.items():
        text = given.get(name)
        if text is not None and not (isinstance(text, str) and len(text) <= most):
            raise ValueError(f"{name} is a text of at most {most} characters")
        if text:
            record[name] = text
    if label is None:
        record["unsure"] = True
    return record


def _refuse_other_kinds(path: str) -> None:
    """A `ValueError` for a file that a line of JSON cannot be added to."""
    if not os.path.isfile(path):
        raise ValueError(f"{path} is no file that keeps labels: name another with --labels")
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip() and not _is_label(line):
                fix = "delete it, or" if number > 1 else "labels are added as such lines:"
                raise ValueError(f"{path}, line {number} is no label as JSON: {fix} name another file with --labels")


def _is_label(line: bytes) -> bool:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(record, Mapping) and not LABEL_FIELDS.isdisjoint(record)


def _hold(file: int, path: str) -> None:
    """Refuse a file that another server adds to, where the system can lock files."""
    if fcntl is None:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ValueError(f"{path}: another wai serve adds to it: name another file with --labels") from None


def _ends_a_line(path: str) -> bool:
    with open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read() == b"\n"


def _line(record: Record) -> bytes:
    return json.dumps(record, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"
