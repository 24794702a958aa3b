"""False claims of the reward scan at its default settings, and its power, on a quick grid; `full_scan.py` has all."""

from __future__ import annotations

import math

import pytest
import scan_cells
from scan_cells import SHORTCUTS, Shape

ALPHA = 0.05
RUNS = 50  # of each of four shapes: the Monte Carlo error of their mean is .015
QUICK_NULLS = (
    Shape("4 tasks, 12 rollouts each", 4, (12, 12)),
    Shape("8 tasks, 8 rollouts each", 8, (8, 8)),
    Shape("30 tasks, 2 rollouts each", 30, (2, 2)),
    Shape("10 tasks, 3 to 9 rollouts, partial credit", 10, (3, 9), partial=True),
)


def test_claims_of_coin_flips_are_made_in_alpha_of_scans() -> None:
    found = [scan_cells.false_claims(shape, RUNS) for shape in QUICK_NULLS]
    assert all(share.at_most(ALPHA) for share in found), found
    rate, n = sum(share.share for share in found) / len(found), RUNS * len(found)
    assert abs(rate - ALPHA) < 3 * math.sqrt(ALPHA * (1 - ALPHA) / n), found


@pytest.mark.parametrize("shortcut", SHORTCUTS)
def test_a_planted_shortcut_is_found(shortcut: str) -> None:
    found = scan_cells.power(shortcut, 0.6, 40, 8, 8)
    bar = 0.4 if "half" in shortcut else 0.9
    assert found.at_least(bar), found
