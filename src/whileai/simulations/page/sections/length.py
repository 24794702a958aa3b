"""How long the agent's words are, how many were cut, and whether length goes with passing."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from whileai.simulations.defaults import CI_LEVEL
from whileai.simulations.kernels.shares import share_interval
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.page.material import Bools, Material
from whileai.simulations.page.parts import LEVEL, estimate, fact, intervals
from whileai.simulations.reports import counted
from whileai.simulations.web.document import Bin, Block, Fact, Histogram, IntervalRow, Section

LENGTH_ID = "length"
_PARTS = 4  # of about as many rows, by length
_MOST_BINS = 24
_STEPS = (1, 2, 5)  # a bin is one of them times a power of ten wide


def length_section(material: Material) -> Section | None:
    """Lengths in characters; None where no agent said anything."""
    lengths = material.lengths
    if not lengths.any():
        return None
    n_cut = int(material.cut.sum())
    blocks: list[Block] = [{"kind": "facts", "items": list(_facts(material))}]
    if lengths.min() < lengths.max():
        blocks.append(_histogram(material))
    rates = list(_rates(material))
    if rates:
        blocks.append(intervals(f"Pass rate by length, with {LEVEL} intervals over tasks", "rate", rates, of="rows"))
    return {
        "id": LENGTH_ID,
        "title": "Length and truncation",
        "lead": f"The agent says {np.median(lengths):,.0f} characters at the median; "
        f"{counted(n_cut, 'rollout')} of {lengths.size:,} cut at the token cap.",
        "blocks": blocks,
        "more": None,
    }


def _histogram(material: Material) -> Histogram:
    return {
        "kind": "histogram",
        "title": "Rollouts by length",
        "x": "characters the agent said",
        "y": "rollouts",
        "bins": list(_bins(material)),
        "band": None,
    }


def _facts(material: Material) -> Iterator[Fact]:
    lengths, cut = material.lengths, material.cut
    longest = int(lengths.max())
    yield fact("median", f"{np.median(lengths):,.0f} characters")
    yield fact("longest", f"{longest:,} characters", None, material.filters.where("the longest", lengths == longest))
    yield fact("cut at the token cap", f"{int(cut.sum()):,}", None, material.filters.where("cut at the token cap", cut))
    silent = lengths == 0
    if silent.any():
        behind = material.filters.where("rollouts without a word", silent)
        yield fact("without a word of the agent", f"{int(silent.sum()):,}", None, behind)


def _bins(material: Material) -> Iterator[Bin]:
    lengths = material.lengths
    least, most = int(lengths.min()), int(np.quantile(lengths, 0.99))
    width = bin_width(most - least)
    first, last = least // width, most // width
    number = np.minimum(lengths // width, last) - first
    for at, count in enumerate(np.bincount(number, minlength=last - first + 1).tolist()):
        low, high = (first + at) * width, (first + at + 1) * width
        label = f"{low:,} or more" if first + at == last and lengths.max() >= high else span(low, high - 1)
        behind = material.filters.add(f"{label} characters", np.flatnonzero(number == at)) if count else None
        yield {"label": label, "low": float(low), "high": float(high), "count": count, "filter": behind}


def span(low: int, high: int) -> str:
    """Whole numbers from one to another.

    >>> span(20, 39), span(7, 7)
    ('20\u201339', '7')
    """
    return f"{low:,}" if low == high else f"{low:,}\u2013{high:,}"


def bin_width(most: float) -> int:
    """A round width with which at most 24 bins reach so far.

    >>> bin_width(900), bin_width(3), bin_width(100_000)
    (50, 1, 5000)
    """
    widths: Iterator[int] = (step * 10**power for power in range(20) for step in _STEPS)
    return next(width for width in widths if width * _MOST_BINS > most)


def _rates(material: Material) -> Iterator[IntervalRow]:
    binary = material.table.binary
    if np.count_nonzero(binary) < _PARTS:
        return
    ends = np.quantile(material.lengths[binary], np.arange(1, _PARTS) / _PARTS)
    part = np.searchsorted(ends, material.lengths)
    for number in range(_PARTS):
        rows = binary & (part == number)
        if rows.any():
            lengths = material.lengths[rows]
            yield _rate(material, rows, f"{span(int(lengths.min()), int(lengths.max()))} characters")
    if (cut := binary & material.cut).any():
        yield _rate(material, cut, "cut at the token cap")


def _rate(material: Material, rows: Bools, label: str) -> IntervalRow:
    n = int(rows.sum())
    sums = TaskSums()
    sums.add(material.table.tasks[rows], material.table.labels[rows])
    passes = float(sums.sums().sum())
    note = f"of {counted(int(sums.codes().size), 'task')}"
    found = share_interval(sums.sums(), sums.counts(), CI_LEVEL)
    behind = material.filters.where(f"graded rollouts: {label}", rows)
    return estimate(label, passes / n, found, n=n, note=note, behind=behind)
