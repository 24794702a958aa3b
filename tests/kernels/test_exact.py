from __future__ import annotations

import math

import numpy as np

from tables import each_of
from whileai.simulations.kernels.exact import ExactSums

SCALES = [1e300, 1e17, 1.0, 0.1, 2.0**-24, 1e-200, 5e-324]


def summed(values: list[float]) -> float:
    sums = ExactSums()
    sums.add(np.zeros(len(values), dtype=np.int64), np.array(values), size=1)
    return float(sums.values(1)[0])


@each_of("large", SCALES)
@each_of("small", SCALES)
def test_sum_is_the_exact_one_rounded_once(large: float, small: float) -> None:
    values = [large, small, small / 3, -large, large * 0.7, -small * 0.3]
    assert summed(values) == math.fsum(values)


def test_digits_beyond_what_floats_hold_are_added_up() -> None:
    sums = ExactSums()
    sums._digits = {0: np.array([2**53 + 1, -(2**53) - 1, 2**40 + 3]), 1: np.array([-(2**29), 2**29, 5])}
    assert sums.values(3).tolist() == [1.0, -1.0, 2.0**40 + 3 + 5 * 2**24]
    sums._digits = {0: np.array([2**53])}
    sums.add(np.array([0, 1]), np.array([1.0, 1.0]), size=2)
    sums.add(np.array([0]), np.array([-(2.0**53)]), size=1)
    assert sums.values(2).tolist() == [1.0, 1.0]


def test_groups_met_later_are_added_and_earlier_ones_kept() -> None:
    sums = ExactSums()
    sums.add(np.array([0]), np.array([0.1]), size=1)
    sums.add(np.array([2, 0]), np.array([0.3, 0.2]), size=3)
    sums.add(np.array([0]), np.array([1e-30]), size=1)
    assert sums.values(4).tolist() == [math.fsum([0.1, 0.2, 1e-30]), 0.0, 0.3, 0.0]


def test_merged_sums_take_the_numbers_their_groups_have_here() -> None:
    one, two = ExactSums(), ExactSums()
    one.add(np.array([0]), np.array([0.1]), size=1)
    two.add(np.array([0, 1]), np.array([1e17, 0.7]), size=2)
    one.merge(two, np.array([2, 0]), 3)
    assert one.values(3).tolist() == [math.fsum([0.1, 0.7]), 0.0, 1e17]


def test_nothing_added_sums_to_zero() -> None:
    assert ExactSums().values(2).tolist() == [0.0, 0.0]
