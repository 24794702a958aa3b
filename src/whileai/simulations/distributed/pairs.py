"""`build_preference_pairs`: scores and lengths are shuffled by prompt, then the rows that pair, once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.arguments import between, whole
from whileai.simulations.distributed.cluster import n_cpus
from whileai.simulations.distributed.fetch import fetched
from whileai.simulations.distributed.reduction import MOST_SHARDS, finished, left_there
from whileai.simulations.distributed.rows import packed
from whileai.simulations.distributed.source import source_of
from whileai.simulations.reports import Report
from whileai.simulations.rows.text import agent_texts
from whileai.simulations.score.judging.matching import apart, matched
from whileai.simulations.score.judging.pairs import candidates, pair_of, pairs_report

_BYTES = 16  # of the hash of a prompt
_RECORD = np.dtype([("prompt", f"S{_BYTES + 1}"), ("at", "i8"), ("score", "f8"), ("length", "i8")])
Records = NDArray[np.void]


def build_preference_pairs(
    rows: Any, max_pairs_per_prompt: int = 1, min_margin: float = 1.0, length_match: bool = True
) -> tuple[Any, Report]:
    """A dataset of the pairs that `whileai.simulations.build_preference_pairs` builds, and the same report.

    A pair is a row of the dataset (`rows_of` reads it). They come shard by shard, those of a prompt together: the one
    difference from memory, where prompts come in the order they are met. 41 bytes a candidate are shuffled, then both
    rows of each pair; the driver holds two positions a pair, and a dataset stays in Ray's store meanwhile.
    """
    margin = between("min_margin", min_margin, 0, float("inf"), ends=False)
    most = whole("max_pairs_per_prompt", max_pairs_per_prompt, 0)
    source = source_of(rows).pinned()
    held = left_there(source.parts(), CandidateJob(length_match)).shards
    found = finished(held, Matching(most, margin, length_match))
    n = min(MOST_SHARDS, n_cpus())
    matches = [match for shard in found for match in shard.matches]
    homes = {at: number % n for number, match in enumerate(matches) for at in (match.chosen, match.rejected)}
    shards = [matches[number::n] for number in range(n)]
    dataset, said = fetched(source, homes, Building({match.chosen: match for each in shards for match in each}), n)
    pairs = [pair for each in said for pair in each]
    return dataset, pairs_report(
        pairs, sum(shard.prompts for shard in found), sum(shard.contrasts for shard in found), margin
    )


class Match(NamedTuple):
    """A pair by the positions of its rows, with their scores."""

    chosen: int
    rejected: int
    scores: tuple[float, float]


class Matched(NamedTuple):
    """The pairs of one shard, in order of their prompts' first rows; its prompts, and those with contrast."""

    matches: list[Match]
    prompts: int
    contrasts: int


class Candidates:
    """Records of rows that may pair."""

    def __init__(self, records: Records) -> None:
        self.held = [records]

    def merge(self, other: Candidates) -> None:
        """Add others."""
        self.held += other.held


@dataclass(frozen=True)
class CandidateJob:
    """The rows of a part that may pair: a hash of the prompt, position, score, and length where it matters."""

    lengths: bool

    def __call__(self, rows: list[Any], at: int, n: int) -> tuple[list[Candidates], None]:
        """Gather one part."""
        shards: list[list[tuple[bytes, int, float, int]]] = [[] for _ in range(n)]
        for place, prompt, score, row in candidates(rows):
            key = hashlib.blake2b(prompt.encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest()
            length = sum(map(len, agent_texts(row))) if self.lengths else 0
            shards[key[0] % n].append((key + b".", at + place, score, length))  # NumPy cuts zeros at the end
        return [Candidates(np.array(shard, dtype=_RECORD)) for shard in shards], None


@dataclass(frozen=True)
class Matching:
    """Pairs the candidates of a shard, prompt by prompt, as rows in memory are paired."""

    most: int
    margin: float
    length_match: bool

    def __call__(self, found: Candidates) -> Matched:
        """The pairs of a shard."""
        records = np.concatenate(found.held)
        records = records[np.lexsort((records["at"], records["prompt"]))]
        starts = np.flatnonzero(np.concatenate([[True], records["prompt"][1:] != records["prompt"][:-1]]))
        groups = np.split(records, starts[1:]) if records.size else []
        groups.sort(key=lambda group: int(group["at"][0]))
        contrasts = 0
        matches: list[Match] = []
        for group in groups:
            ranked = group[np.argsort(-group["score"], kind="stable")]
            scores = ranked["score"].tolist()
            if len(scores) > 1 and apart(scores[0], scores[-1], self.margin):
                contrasts += 1
                matches += self._of_prompt(ranked, scores)
        return Matched(matches, len(groups), contrasts)

    def _of_prompt(self, ranked: Records, scores: list[float]) -> Iterator[Match]:
        lengths = ranked["length"].tolist()
        length = lengths.__getitem__ if self.length_match else None
        for better, worse in matched(scores, length, self.margin, self.most):
            at = int(ranked["at"][better]), int(ranked["at"][worse])
            yield Match(*at, (scores[better], scores[worse]))


@dataclass(frozen=True)
class Building:
    """Builds pairs where both rows are, and says of each what the report asks."""

    matches: dict[int, Match]

    def __call__(self, rows: dict[int, Any]) -> tuple[Any, list[dict[str, Any]]]:
        """A table of the pairs, and what is said of them."""
        pairs = []
        for at, match in self.matches.items():
            if at in rows:
                good, bad = rows[at], rows[match.rejected]
                more = sum(map(len, agent_texts(good))) - sum(map(len, agent_texts(bad)))
                pairs.append(pair_of(good, bad, match.scores, more))
        return packed(pairs), [{**pair, "chosen": None, "rejected": None, "prompt": None} for pair in pairs]
