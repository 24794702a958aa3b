"""Files of other tools to test with: ours lie in tests/data, those of other projects beside the repository only."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent
_PLACES = (HERE / "data", HERE.parent.parent / "shared" / "data")


def sample(name: str) -> Path:
    """A sample file or folder by its path below `data/`; the test is skipped where it is not there."""
    path = found(name)
    return path or pytest.skip(f"{name} is not ours to copy, and ../shared/data is not there")


def found(name: str) -> Path | None:
    return next((place / name for place in _PLACES if (place / name).exists()), None)
