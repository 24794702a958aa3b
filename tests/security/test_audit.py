"""`make audit` calls nothing safe that it did not look up."""

from __future__ import annotations

from typing import Any

import audit
import pytest

GOOD: dict[str, Any] = {"name": "numpy", "version": "2", "vulns": []}
BAD = {"name": "h11", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2"]}]}
UNKNOWN = {"name": "scipy", "skip_reason": "Dependency not found"}


@pytest.mark.parametrize(
    ("found", "status", "words"),
    [
        ([GOOD], 0, "1 of 1 packages looked up, 0 known"),
        ([GOOD, BAD], 1, "h11 1: PYSEC-1, fixed in 2"),
        ([GOOD, UNKNOWN], 2, "NOT LOOKED UP: scipy"),
        ([BAD, UNKNOWN], 1, "1 of 2 packages looked up, 1 known"),
        ([], 2, "0 of 0"),
        ([{"name": "whileai", "skip_reason": "ours"}, GOOD], 0, "1 of 1"),
    ],
)
def test_what_was_not_looked_up_is_not_called_safe(
    found: list[dict[str, Any]], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert audit.said(found) == status
    assert words in capsys.readouterr().out
