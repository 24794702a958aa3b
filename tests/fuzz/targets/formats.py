"""A record of a foreign format with edits: read or reported, and the good record before it is read as alone."""

from __future__ import annotations

import atheris

from fuzz.targets.instrumented import chooser, claims, holds, run, values

SAMPLES = [record for records in values.sample_records().values() for record in records]


def one(data: bytes) -> None:
    """One record."""
    choose = chooser(atheris.FuzzedDataProvider(data))
    good = SAMPLES[choose(len(SAMPLES))]
    holds(claims.of_record, good, values.broken(good, choose))


if __name__ == "__main__":
    run(one)
