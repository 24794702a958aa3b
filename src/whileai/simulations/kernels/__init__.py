"""Numerics on arrays only: no rows, no printing. Imports NumPy and SciPy and nothing of ours."""
