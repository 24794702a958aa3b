"""Quantiles of the reference distributions, from `scipy.special` (light to import)."""

from __future__ import annotations

from scipy.special import betaincinv, chdtr, chdtri, ndtri, stdtrit


def normal_quantile(probability: float) -> float:
    """The standard normal quantile at `probability`.

    >>> round(normal_quantile(0.975), 4)
    1.96
    """
    return float(ndtri(probability))


def t_quantile(probability: float, df: float) -> float:
    """Student's t quantile at `probability` with `df` degrees of freedom.

    >>> round(t_quantile(0.975, 2), 3)
    4.303
    """
    return float(stdtrit(df, probability))


def beta_quantile(probability: float, a: float, b: float) -> float:
    """The quantile of a Beta(a, b) at `probability`.

    >>> round(beta_quantile(0.5, 2, 2), 6)
    0.5
    """
    return float(betaincinv(a, b, probability))


def chi_square_quantile(probability: float, df: float) -> float:
    """The chi-square quantile at `probability` with `df` degrees of freedom.

    >>> round(chi_square_quantile(0.95, 1), 3)
    3.841
    """
    return float(chdtri(df, 1 - probability))


def chi_square_share(value: float, df: float) -> float:
    """The share of a chi-square with `df` degrees of freedom at or below `value`.

    >>> round(chi_square_share(3.841, 1), 3)
    0.95
    """
    return float(chdtr(df, value))
