"""Pairs of sets whose Jaccard similarity reaches a threshold: exact, and not quadratic where few or all sets differ
little.

Two sets of which one is like the other share some of their rarest members (the prefix filter of Bayardo, Ma and
Srikant 2007, "Scaling up all pairs similarity search", section 4; with two of them instead of one: Wang, Li and Feng
2012, "Can we beat the prefix filtering?"): only sets with two rare members in common are compared.
Sets written from one frame share all but a few members, so that even their rarest ones are common. Of those the pairs
are counted without being met: sets with the same core and as many other members differ only in how many of those
others they share, and the pairs that share at least m are counted by inclusion and exclusion over the m-subsets.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
_LONG = 100  # sets that share a rare member; above it they are counted by their core instead of met one by one
_MOST_OTHERS = 8  # members beside the core; each doubles the subsets
_ODD_SHARE = 100  # one set in so many may have more others than are counted; each is compared with all
_MOST_CLASSES = 1000  # of which every two are looked at
_FEW_CLASSES = 64
_PRODUCTS_A_MEETING = 1000  # multiplications in the time in which two sets are met and compared; measured
_ROWS_A_PRODUCT = 256
_CHUNK = 100_000  # pairs compared at once; more take memory and are no quicker
_SHARED = 2  # rare members that a pair shares; with a third one as many are left of free texts, and it costs more
_ROUNDING = 1e-9


class Pair(NamedTuple):
    """Two sets by their place, and how alike they are."""

    first: int
    second: int
    jaccard: float


@dataclass(frozen=True, slots=True)
class NearPairs:
    """How many pairs reach the threshold, which sets are in one (shape (n,)), and the first pairs in order."""

    n_pairs: int
    involved: Bools
    first: list[Pair]


def near_pairs(sets: Sequence[Sequence[int]], threshold: float, n_first: int = 5) -> NearPairs:
    """The pairs of sets with |A and B| / |A or B| at or above the threshold; an empty set is like no other.

    Members are whole numbers from 0, none twice in a set.

    >>> near_pairs([[0, 1, 2, 3], [0, 1, 2, 3, 4], [5, 6]], 0.8).first
    [Pair(first=0, second=1, jaccard=0.8)]
    """
    members = _Members(sets)
    involved = np.zeros(len(members.sizes), dtype=bool)
    if threshold > 1 or not members.sizes.any():
        return NearPairs(0, involved, [])
    if threshold <= 0:
        involved = members.sizes > 0
        n = int(involved.sum())
        involved &= n > 1
        n_pairs = math.comb(n, 2)
    else:
        join = _Join(members, threshold, involved)
        n_pairs = join.count()
    return NearPairs(n_pairs, involved, _first_pairs(members, threshold, involved, n_first))


class _Members:
    """The sets as one array of members, rarest first within each set, with the sets that hold each member."""

    def __init__(self, sets: Sequence[Sequence[int]]) -> None:
        self.sizes: Ints = np.fromiter(map(len, sets), dtype=np.int64, count=len(sets))
        self.ends: Ints = np.cumsum(self.sizes)
        flat = np.fromiter((member for held in sets for member in held), dtype=np.int64, count=int(self.sizes.sum()))
        owner = np.repeat(np.arange(len(sets)), self.sizes)
        frequency = np.bincount(flat, minlength=1)
        rank = np.empty(frequency.size, dtype=np.int64)
        rank[np.argsort(frequency, kind="stable")] = np.arange(frequency.size)
        by_rank = rank[flat]
        order = np.lexsort((by_rank, owner))
        self.flat: Ints = by_rank[order]
        self.owner: Ints = owner
        self.frequency: Ints = np.sort(frequency, kind="stable")
        holders = np.argsort(self.flat, kind="stable")
        self._holders: Ints = owner[holders]
        self._holder_ends: Ints = np.cumsum(self.frequency)

    def of(self, place: int) -> Ints:
        return self.flat[self.ends[place] - self.sizes[place] : self.ends[place]]

    def holders(self, member: int) -> Ints:
        """The sets that hold a member, in order."""
        end = self._holder_ends[member]
        return self._holders[end - self.frequency[member] : end]

    def overlap_with(self, place: int) -> Ints:
        """How many members each set shares with one of them, shape (n,)."""
        return np.bincount(
            np.concatenate([self.holders(member) for member in self.of(place)]), minlength=self.sizes.size
        )


def _reaches(overlap: Ints, left: Ints, right: Ints, threshold: float) -> Bools:
    return np.asarray(overlap / (left + right - overlap) >= threshold)


def _first_pairs(members: _Members, threshold: float, involved: Bools, n_first: int) -> list[Pair]:
    found: list[Pair] = []
    for place in np.flatnonzero(involved).tolist():
        if len(found) >= n_first:
            break
        overlap, size = members.overlap_with(place), members.sizes[place]
        overlap[: place + 1] = 0
        alike = _reaches(overlap, np.maximum(members.sizes, 1), size, threshold)
        if threshold <= 0:
            alike = (members.sizes > 0) & (np.arange(members.sizes.size) > place)
        for other in np.flatnonzero(alike)[: n_first - len(found)].tolist():
            shared = int(overlap[other])
            found.append(Pair(place, other, shared / int(size + members.sizes[other] - shared)))
    return found


class _Join:
    """The count of the pairs for a threshold above 0; `involved` is filled in on the way."""

    def __init__(self, members: _Members, threshold: float, involved: Bools) -> None:
        self.members = members
        self.threshold = threshold
        self.involved = involved
        sizes = members.sizes
        self._needed: Ints = np.maximum(np.ceil(threshold * sizes - _ROUNDING).astype(np.int64), 1)
        prefix = np.minimum(sizes - self._needed + _SHARED, sizes)
        within = np.arange(members.flat.size) - np.repeat(members.ends - sizes, sizes)
        kept = within < prefix[members.owner]
        self._token: Ints = members.flat[kept]
        self._set: Ints = members.owner[kept]

    def count(self) -> int:
        sharing = np.bincount(self._token, minlength=1)
        long = sharing[self._token] > _LONG
        framed = np.zeros(self.involved.size, dtype=bool)
        framed[self._set[long]] = True
        cores = _Cores.of(self.members, np.flatnonzero(framed)) if framed.any() else None
        if framed.any() and (cores is None or cores.are_many) and self._are_few_members(sharing):
            return self._multiplied()
        if cores is None:
            return self._met(np.ones(self._token.size, dtype=bool), np.zeros_like(framed))
        return self._met(~long, framed) + cores.count(self.threshold, self.involved)

    def _are_few_members(self, sharing: Ints) -> bool:
        """Whether one product of sets and members costs less than to meet each pair that shares a rare member."""
        met = float((sharing.astype(np.float64) ** 2).sum()) / 2
        return met * _PRODUCTS_A_MEETING > float(self.involved.size) ** 2 * self.members.frequency.size

    def _multiplied(self) -> int:
        """All pairs, from the product of the sets as rows of zeros and ones with themselves."""
        members, n = self.members, self.involved.size
        held = np.zeros((n, members.frequency.size), dtype=np.float32)
        held[members.owner, members.flat] = 1
        total = 0
        for start in range(0, n, _ROWS_A_PRODUCT):
            rows = np.arange(start, min(start + _ROWS_A_PRODUCT, n))
            overlap = (held[rows] @ held[start:].T).astype(np.int64)
            union = np.maximum(members.sizes[rows][:, None] + members.sizes[start:] - overlap, 1)
            alike = np.triu(overlap / union >= self.threshold, 1)
            total += int(alike.sum())
            self.involved[rows] |= alike.any(axis=1)
            self.involved[start:] |= alike.any(axis=0)
        return total

    def _met(self, kept: Bools, framed: Bools) -> int:
        """Pairs that share members of their prefixes, less those of two framed sets."""
        total = 0
        for left, right in self._pairs(kept, framed):
            for start in range(0, left.size, _CHUNK):
                total += self._compared(left[start : start + _CHUNK], right[start : start + _CHUNK])
        return total

    def _pairs(self, kept: Bools, framed: Bools) -> Iterator[tuple[Ints, Ints]]:
        """Each pair once; how many members of their prefixes two sets share is a product of sparse matrices."""
        tokens, sets = self._token[kept], self._set[kept]
        shape = (self.involved.size, self.members.frequency.size)
        held = sparse.csr_array((np.ones(tokens.size, dtype=np.int32), (sets, tokens)), shape=shape)
        holders = held.T.tocsr()
        meetings = np.cumsum(np.bincount(sets, np.bincount(tokens)[tokens], minlength=shape[0]))
        start = 0
        while start < shape[0]:
            done = meetings[start - 1] if start else 0
            end = max(start + 1, int(np.searchsorted(meetings, done + _CHUNK)))
            shared = (held[start:end] @ holders).tocoo()
            left, right = shared.row.astype(np.int64) + start, shared.col.astype(np.int64)
            possible = (left < right) & self._may_reach(left, right, shared.data) & ~(framed[left] & framed[right])
            yield left[possible], right[possible]
            start = end

    def _may_reach(self, left: Ints, right: Ints, shared: Ints) -> Bools:
        needed, sizes = np.maximum(self._needed[left], self._needed[right]), self.members.sizes
        fits = np.minimum(sizes[left], sizes[right]) >= needed
        return np.asarray(fits & (shared >= np.minimum(needed, _SHARED)))

    def _compared(self, left: Ints, right: Ints) -> int:
        alike = self._alike(left, right)
        self.involved[left[alike]] = True
        self.involved[right[alike]] = True
        return int(alike.sum())

    def _alike(self, left: Ints, right: Ints) -> Bools:
        sizes = self.members.sizes
        return _reaches(_overlaps(self.members, left, right), sizes[left], sizes[right], self.threshold)


def _overlaps(members: _Members, left: Ints, right: Ints) -> Ints:
    """How many members each pair shares: members of the left that are found among those of the right."""
    width = np.int64(members.frequency.size)
    keys = members.owner * width + members.flat  # ascending, as members are by rank within each set
    sizes = members.sizes[left]
    pair = np.repeat(np.arange(left.size), sizes)
    within = np.arange(pair.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    member = members.flat[(members.ends[left] - sizes)[pair] + within]
    wanted = right[pair] * width + member
    at = np.minimum(np.searchsorted(keys, wanted), keys.size - 1)
    return np.bincount(pair[keys[at] == wanted], minlength=left.size)


class _Class(NamedTuple):
    """Sets of one size with the same core: their places, and their other members, shape (sets, others)."""

    core: frozenset[int]
    size: int
    places: Ints
    others: Ints


class _Cores:
    """Sets that mostly share their members, by what they share; `odd` are those with too many others to count."""

    def __init__(self, members: _Members, places: Ints, classes: list[_Class], odd: Ints) -> None:
        self._members = members
        self._places = places
        self._classes = classes
        self._odd = odd

    @classmethod
    def of(cls, members: _Members, places: Ints) -> _Cores | None:
        """The cores of some sets; None when they have no few, so that counting by them would not be quick."""
        framed = np.zeros(members.sizes.size, dtype=bool)
        framed[places] = True
        flat, owner = members.flat[framed[members.owner]], members.owner[framed[members.owner]]
        among = np.bincount(flat, minlength=members.frequency.size)
        share = places.size // 2
        while share > 1:
            others = np.bincount(owner, among[flat] <= share, minlength=framed.size)[places]
            if (others > _MOST_OTHERS).sum() <= places.size // _ODD_SHARE:
                return cls._split(members, places, among > share, others > _MOST_OTHERS)
            share //= 2
        return None

    @classmethod
    def _split(cls, members: _Members, places: Ints, core: Bools, odd: Bools) -> _Cores | None:
        held = [members.of(place) for place in places.tolist()]
        grouped: dict[tuple[bytes, int], list[int]] = {}
        for at in np.flatnonzero(~odd).tolist():
            grouped.setdefault((held[at][core[held[at]]].tobytes(), held[at].size), []).append(at)
        if len(grouped) > _MOST_CLASSES:
            return None
        classes = []
        for (_, size), alike in grouped.items():
            first = held[alike[0]]
            others = np.array([held[at][~core[held[at]]] for at in alike])
            classes.append(_Class(frozenset(first[core[first]].tolist()), size, places[alike], others))
        return cls(members, places, classes, places[odd])

    @property
    def are_many(self) -> bool:
        """Whether there are so many classes that to look at every two of them is slow."""
        return len(self._classes) > _FEW_CLASSES

    def count(self, threshold: float, involved: Bools) -> int:
        """The pairs among these sets."""
        total = sum(self._with_odd(threshold, involved))
        for at, left in enumerate(self._classes):
            for right in self._classes[at:]:
                if min(left.size, right.size) < threshold * max(left.size, right.size) - _ROUNDING:
                    continue
                shared = len(left.core & right.core)
                wanted = _least_overlap(left.size, right.size, threshold) - shared
                if wanted <= 0:
                    total += _every_pair(left, right, involved)
                elif wanted <= min(left.others.shape[1], right.others.shape[1]):
                    total += _pairs_sharing(left, right, wanted, involved)
        return total

    def _with_odd(self, threshold: float, involved: Bools) -> Iterator[int]:
        sizes = self._members.sizes
        todo = np.zeros(sizes.size, dtype=bool)
        todo[self._places] = True
        for place in self._odd.tolist():
            todo[place] = False
            alike = todo & _reaches(self._members.overlap_with(place), np.maximum(sizes, 1), sizes[place], threshold)
            involved[alike] = True
            involved[place] |= alike.any()
            yield int(alike.sum())


def _least_overlap(left: int, right: int, threshold: float) -> int:
    """The fewest shared members with which sets of these sizes reach the threshold."""
    overlap = max(0, math.floor(threshold * (left + right) / (1 + threshold)) - 1)
    while overlap / (left + right - overlap) < threshold:
        overlap += 1
    return overlap


def _every_pair(left: _Class, right: _Class, involved: Bools) -> int:
    n, m = left.places.size, right.places.size
    if left is right:
        involved[left.places] |= n > 1
        return math.comb(n, 2)
    involved[left.places] = involved[right.places] = True
    return n * m


def _pairs_sharing(left: _Class, right: _Class, wanted: int, involved: Bools) -> int:
    """Pairs of a set of either class that share at least so many of their others."""
    total = 0
    for size in range(wanted, min(left.others.shape[1], right.others.shape[1]) + 1):
        keys_left, keys_right = _subset_keys(left, right, size)
        n_keys = int(max(keys_left.max(), keys_right.max())) + 1
        of_left = np.bincount(keys_left.ravel(), minlength=n_keys)
        of_right = np.bincount(keys_right.ravel(), minlength=n_keys)
        pairs = of_left * (of_left - 1) // 2 if left is right else of_left * of_right
        total += (-1) ** (size - wanted) * math.comb(size - 1, wanted - 1) * int(pairs.sum())
        if size == wanted:
            involved[left.places[(pairs > 0)[keys_left].any(axis=1)]] = True
            involved[right.places[(pairs > 0)[keys_right].any(axis=1)]] = True
    return total


def _subset_keys(left: _Class, right: _Class, size: int) -> tuple[Ints, Ints]:
    """The subsets of each set's others as whole numbers, shape (sets, subsets) for either class."""
    of_left = _subsets(left.others, size)
    if left is right:
        keys = _interned(of_left.reshape(-1, size)).reshape(of_left.shape[:2])
        return keys, keys
    of_right = _subsets(right.others, size)
    keys = _interned(np.concatenate([of_left.reshape(-1, size), of_right.reshape(-1, size)]))
    n_left = of_left.shape[0] * of_left.shape[1]
    return keys[:n_left].reshape(of_left.shape[:2]), keys[n_left:].reshape(of_right.shape[:2])


def _subsets(others: Ints, size: int) -> Ints:
    """Every subset of so many members, shape (sets, subsets, size), members ascending."""
    return others[:, np.array(list(combinations(range(others.shape[1]), size)), dtype=np.int64)]


def _interned(subsets: Ints) -> Ints:
    """A number for each row, the same for equal rows."""
    width = np.int64(subsets.max()) + 1
    key = subsets[:, 0]
    for column in subsets.T[1:]:
        key = np.unique(key, return_inverse=True)[1] * width + column
    return np.unique(key, return_inverse=True)[1]
