"""What fuzzing has found, asked again: `cases/CLAIM/NAME.json` holds what the claim of that name is given."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzz import claims

CASES = sorted((Path(__file__).parent / "cases").rglob("*.json"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_kept_case_holds(path):
    given = json.loads(path.read_text(encoding="utf-8"))
    if path.parent.name in ("of_bytes", "of_packed"):
        given[0] = given[0].encode("latin-1")
    getattr(claims, path.parent.name)(*given)
