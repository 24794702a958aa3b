"""`Bundle`: a dataset as the files it consists of, known by what is in them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whileai.simulations.rows.write import write_rows, write_text

FORMAT = "whileai-dataset/1"
DESCRIPTION = "dataset.json"  # the file beside the others that says what they are; no part of the id
_ID_DIGITS = 32  # hex digits of a SHA-256 that make an id


@dataclass(frozen=True)
class BundleFile:
    """One file: its path within the dataset, where it lies now, its bytes and SHA-256; `rows` for files of rows."""

    path: str
    at: Path
    bytes: int
    sha256: str
    rows: int | None


@dataclass(frozen=True)
class Bundle:
    """The files of a dataset, its manifest and the id that follows from it."""

    files: tuple[BundleFile, ...]
    manifest: dict[str, Any]

    @property
    def dataset_id(self) -> str:
        """`ds_` and the first 32 hex digits of the manifest's SHA-256; equal datasets have equal ids."""
        return dataset_id(self.manifest)

    def description(self) -> str:
        """What `dataset.json` holds: the id and the manifest."""
        return json_text({"datasetId": self.dataset_id, "manifest": self.manifest})


def write_bundle(
    folder: Path, facts: Mapping[str, Any], data: Mapping[str, Iterable[Mapping[str, Any]]], texts: Mapping[str, str]
) -> Bundle:
    """Write rows (path -> rows) and texts (path -> text) into an empty folder; `facts` open the manifest."""
    counts: dict[str, int | None] = dict.fromkeys(texts)
    for path, rows in data.items():
        (folder / path).parent.mkdir(exist_ok=True)
        counts[path] = write_rows(rows, folder / path)
    for path, content in texts.items():
        write_text(content, folder / path)
    files = tuple(_described(folder, path, counts[path]) for path in sorted(counts))
    listed = [{"path": f.path, "bytes": f.bytes, "sha256": f.sha256, "rows": f.rows} for f in files]
    return Bundle(files, {"format": FORMAT, **facts, "files": listed})


def dataset_id(manifest: Mapping[str, Any]) -> str:
    """The id of a manifest: of its canonical JSON (keys sorted, no spaces, ASCII only).

    >>> dataset_id({"name": "refunds", "files": []})
    'ds_d288603f0fd445e8d27b547cf55804dd'
    """
    text = json.dumps(manifest, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return "ds_" + hashlib.sha256(text.encode()).hexdigest()[:_ID_DIGITS]


def json_text(value: Any) -> str:
    """JSON that a person reads, the same for the same value.

    >>> print(json_text({"b": None, "a": "ü"}), end="")
    {
      "a": "\\u00fc",
      "b": null
    }
    """
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=True, allow_nan=False) + "\n"


def _described(folder: Path, path: str, rows: int | None) -> BundleFile:
    at = folder / path
    with at.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return BundleFile(path, at, at.stat().st_size, digest, rows)
