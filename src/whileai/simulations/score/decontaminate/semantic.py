"""Rows that read like an evaluation prompt to an embedding model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_DISTINCT_TASKS_PERCENTILE = 0.99  # convention
_MOST_PROMPTS = 2000  # compared with each other to calibrate; beyond, evenly spaced ones
_BLOCK = 1024


class Nearest(NamedTuple):
    """The evaluation prompt (by place) closest to a text, and its cosine, at most 1."""

    prompt: int
    cosine: float


class Calibration(NamedTuple):
    """How alike prompts of different tasks read: the 99th percentile of their cosines, over so many prompts."""

    cosine: float
    n_prompts: int


def embedding(embedder: Any) -> Callable[[list[str]], Floats]:
    """What turns texts into unit vectors, shape (texts, width); a `TypeError` when it cannot."""
    call = embedder if callable(embedder) else getattr(embedder, "embed", None)
    if not callable(call):
        raise TypeError(
            f"embedder must be a callable from a list of texts to one vector per text, got {embedder!r:.80}"
        )
    return lambda texts: _unit_vectors(call(texts), len(texts))


def _unit_vectors(given: Any, n_texts: int) -> Floats:
    held = given if hasattr(given, "__len__") else list(given)
    if len(held) != n_texts:
        raise ValueError(f"embedder gave {len(held)} vectors for {n_texts} texts: it must give one vector per text")
    vectors = np.asarray(held, dtype=np.float64)
    if vectors.ndim != 2 or not np.isfinite(vectors).all():
        raise ValueError("embedder must give vectors of one length and of finite numbers")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0))


def nearest(texts: Floats, prompts: Floats) -> list[Nearest]:
    """The closest prompt of each text, the first of equals."""
    found: list[Nearest] = []
    for start in range(0, len(texts), _BLOCK):
        cosines = texts[start : start + _BLOCK] @ prompts.T
        best = cosines.argmax(axis=1)
        closest = cosines[np.arange(best.size), best]
        found += [Nearest(int(at), min(1.0, float(value))) for at, value in zip(best, closest, strict=True)]
    return found


def calibration(prompts: Floats, ids: Sequence[str]) -> Calibration | None:
    """How alike prompts of different known tasks read; None with fewer than two such pairs."""
    known = np.flatnonzero([bool(own) for own in ids])
    if known.size > _MOST_PROMPTS:
        known = known[np.linspace(0, known.size - 1, _MOST_PROMPTS).astype(int)]
    codes = np.unique([ids[at] for at in known.tolist()], return_inverse=True)[1] if known.size else known
    left, right = np.triu_indices(known.size, 1)
    differ = codes[left] != codes[right]
    if differ.sum() < 2:
        return None
    cosines = (prompts[known] @ prompts[known].T)[left[differ], right[differ]]
    place = round(_DISTINCT_TASKS_PERCENTILE * (cosines.size - 1))
    return Calibration(min(1.0, float(np.partition(cosines, place)[place])), int(known.size))
