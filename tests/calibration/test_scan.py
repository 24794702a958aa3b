"""False claims of the reward scan at its default settings, and its power, on a quick grid; `full_scan.py` has all."""

from __future__ import annotations

import math

import pytest
import scan_cells
from scan_cells import NULLS, SHORTCUTS

ALPHA = 0.05
RUNS = 105  # of each of four shapes


def test_claims_of_coin_flips_are_made_in_alpha_of_scans() -> None:
    found = [scan_cells.false_claims(shape, RUNS) for shape in NULLS]
    assert all(share.at_most(ALPHA) for share in found), found
    rate, n = sum(share.share for share in found) / len(found), RUNS * len(found)
    assert abs(rate - ALPHA) < 3 * math.sqrt(ALPHA * (1 - ALPHA) / n), found


@pytest.mark.parametrize("shortcut", SHORTCUTS)
def test_a_planted_shortcut_is_found(shortcut: str) -> None:
    found = scan_cells.power(shortcut, 0.6, 40, 8, 15)
    bar = 0.4 if "half" in shortcut else 0.9
    assert found.at_least(bar), found
