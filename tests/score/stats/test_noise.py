from __future__ import annotations

import math

import pytest
from scipy import stats

import whileai.simulations as wai
from tables import each_of


@each_of("df", [1, 2, 3, 7.5, 60])
@each_of("level", [0.5, 0.95, 0.9999])
def test_noise_band_uses_the_exact_t_quantile(df: float, level: float) -> None:
    assert wai.noise_band(1.0, df=df, level=level) == pytest.approx(stats.t.ppf((1 + level) / 2, df) * math.sqrt(2))


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"n_a": 0}, "n_a"),
        ({"n_b": 0.5}, "n_b"),
        ({"df": 0.5}, "df"),
        ({"level": 0}, "level"),
        ({"run_std": -1}, "run_std"),
        ({"run_std": math.nan}, "run_std"),
    ],
)
def test_noise_band_names_the_argument_it_refuses(arguments: dict, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        wai.noise_band(**{"run_std": 0.02, **arguments})


def test_noise_band_of_a_known_deviation_and_several_runs_a_side() -> None:
    wanted = stats.norm.ppf(0.95) * 0.02 * math.sqrt(1 / 2 + 1 / 5)
    assert wai.noise_band(0.02, 2, 5, level=0.9) == pytest.approx(wanted)
    assert wai.noise_band(0, df=1) == 0
    assert wai.noise_band(0.02) == pytest.approx(stats.norm.ppf(0.975) * 0.02 * math.sqrt(2))


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        ({"n_a": 0}, "n_a must be at least 1 run, got 0"),
        ({"n_b": 0}, "n_b must be at least 1 run, got 0"),
        ({"df": 0.5}, "df must be at least 1, got 0.5"),
        ({"level": 1}, "level must lie strictly between 0 and 1, got 1"),
        ({"level": 0}, "level must lie strictly between 0 and 1, got 0"),
        ({"run_std": math.inf}, "run_std must be a finite number of at least 0, got inf"),
    ],
)
def test_noise_band_says_what_it_takes(arguments: dict, refusal: str) -> None:
    with pytest.raises(ValueError, match=f"^{refusal}$"):
        wai.noise_band(**{"run_std": 0.02, **arguments})
