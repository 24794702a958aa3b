from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whileai.simulations.kernels.agreement import Confusion, confusion, kappa, kappa_interval

cells = st.integers(0, 60)
confusions = st.builds(Confusion, cells, cells, cells, cells)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        (Confusion(20, 5, 10, 15), 0.4),  # po .7, pe .5
        (Confusion(45, 15, 25, 15), 0.06 / 0.46),  # po .6, pe .6 * .7 + .4 * .3 = .54
        (Confusion(36, 24, 24, 16), 0.0),  # independent
        (Confusion(0, 5, 5, 0), -1.0),
        (Confusion(7, 0, 0, 0), 1.0),
        (Confusion(0, 7, 0, 0), 0.0),
    ],
)
def test_kappa_is_the_share_of_the_room_above_chance(counts: Confusion, expected: float) -> None:
    assert kappa(counts) == pytest.approx(expected)


@given(confusions)
def test_kappa_is_agreement_beyond_chance_over_what_was_left(counts: Confusion) -> None:
    n, found = counts.n, kappa(counts)
    if not n:
        assert found is None
        return
    passed, true = (counts.tp + counts.fp) / n, (counts.tp + counts.fn) / n
    chance = passed * true + (1 - passed) * (1 - true)
    seen = (counts.tp + counts.tn) / n
    assert found == pytest.approx(1.0 if math.isclose(chance, 1) else (seen - chance) / (1 - chance), abs=1e-9)


@given(confusions)
def test_kappa_interval_holds_kappa_within_its_range(counts: Confusion) -> None:
    ends, found = kappa_interval(counts, 0.95), kappa(counts)
    if found is None or max(counts.tp, counts.tn) == counts.n:
        assert ends is None
        return
    assert ends is not None
    assert -1 <= ends.low <= found <= ends.high <= 1
    assert ends.low < ends.high


@pytest.mark.parametrize("counts", [Confusion(20, 5, 10, 15), Confusion(30, 2, 4, 24), Confusion(3, 0, 0, 50)])
def test_kappa_standard_error_is_that_of_the_delta_method(counts: Confusion) -> None:
    padded = np.array(counts) + 0.5
    shares, step = padded / padded.sum(), 1e-6

    def of(p: np.ndarray) -> float:
        tp, fp, fn, tn = p
        chance = (tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)
        return float((tp + tn - chance) / (1 - chance))

    slopes = np.array([(of(shares + step * unit) - of(shares - step * unit)) / (2 * step) for unit in np.eye(4)])
    error = math.sqrt((shares @ slopes**2 - (shares @ slopes) ** 2) / padded.sum())
    ends = kappa_interval(counts, 0.95)
    assert ends is not None
    assert ends.low == pytest.approx(of(shares) - 1.959964 * error, abs=1e-6)
    assert ends.high == pytest.approx(min(1.0, max(of(shares) + 1.959964 * error, kappa(counts) or 0)), abs=1e-6)


@pytest.mark.parametrize(("n", "rate", "truth"), [(50, 0.7, 0.6), (100, 0.5, 0.2), (200, 0.9, 0.6)])
def test_kappa_interval_holds_the_true_kappa_in_92_of_100(n: int, rate: float, truth: float) -> None:
    both = rate * rate + truth * rate * (1 - rate)
    chances = [both, rate - both, rate - both, 1 - 2 * rate + both]
    rng = np.random.default_rng(n)
    held = [
        ends is None or ends.low <= truth <= ends.high
        for ends in (kappa_interval(Confusion(*draw.tolist()), 0.95) for draw in rng.multinomial(n, chances, 2000))
    ]
    assert np.mean(held) > 0.92


def test_confusion_counts_the_test_against_the_truth() -> None:
    test, truth = np.array([1, 1, 0, 0, 1], dtype=bool), np.array([1, 0, 1, 0, 1], dtype=bool)
    assert confusion(test, truth) == Confusion(tp=2, fp=1, fn=1, tn=1)
    assert confusion(test, truth).agreement == 0.6
    assert confusion(test[:0], truth[:0]).agreement is None
