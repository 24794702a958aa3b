"""Bytes of any file, plain, gzip, zstd or cut: rows or one line that says why not."""

from __future__ import annotations

import gzip

import atheris
import zstandard

from fuzz.targets.instrumented import claims, holds, run

NAMES = ["x.jsonl", "x.json", "x.csv", "x.tsv"]


def one(data: bytes) -> None:
    """One file."""
    given = atheris.FuzzedDataProvider(data)
    name, packing = NAMES[given.ConsumeIntInRange(0, 3)], given.ConsumeIntInRange(0, 5)
    cut = given.ConsumeIntInRange(1, 40)
    body = given.ConsumeBytes(len(data))
    if packing == 1:
        holds(claims.of_packed, body, name)
    elif packing in (2, 3):
        packed = gzip.compress(body, 1) if packing == 2 else zstandard.compress(body, 1)
        holds(claims.of_bytes, packed[:-cut], name)
    else:
        holds(claims.of_bytes, body, name)


if __name__ == "__main__":
    run(one)
