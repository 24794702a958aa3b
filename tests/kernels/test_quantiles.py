from __future__ import annotations

import pytest
from scipy import stats

from whileai.simulations.kernels.quantiles import beta_quantile, normal_quantile, t_quantile


@pytest.mark.parametrize("p", [0.0005, 0.025, 0.5, 0.9, 0.99995])
def test_quantiles_are_scipys(p: float) -> None:
    assert normal_quantile(p) == pytest.approx(stats.norm.ppf(p))
    assert t_quantile(p, 3) == pytest.approx(stats.t.ppf(p, 3))
    assert t_quantile(p, 2.5) == pytest.approx(stats.t.ppf(p, 2.5))
    assert beta_quantile(p, 2.5, 7) == pytest.approx(stats.beta.ppf(p, 2.5, 7))
