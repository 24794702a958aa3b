"""Which rollouts the viewer holds, of more than a page can."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from whileai.simulations.page.fired import FLAGS
from whileai.simulations.page.material import Material
from whileai.simulations.rows.table import Ints
from whileai.simulations.score.optimize.order import in_turns
from whileai.simulations.web.document import Rollout
from whileai.simulations.web.text import embedded

MOST_SHOWN = 5000  # rollouts
MOST_BYTES = 11_000_000  # of them in the page; with all else it stays under 20 MB
_LEADING = 2  # rollouts behind each number that are always there
_SHARES = (1.0, 0.5, 0.75, 1.0)  # of the room filled after the leading, the flagged, the queue, the spread


class Sample:
    """The rollouts shown, by position (ascending); `rule` says in a sentence how they were chosen.

    `queue` are the positions a person should see, `groups` the rows that are spread over, `made` gives a rollout.
    """

    def __init__(
        self, material: Material, queue: Iterable[int], groups: Sequence[Ints], made: Callable[[int], Rollout]
    ) -> None:
        self._made = made
        self._items: dict[int, Rollout] = {}
        self._bytes = 0
        stages = (material.filters.leading(_LEADING), _flagged(material), queue, _spread(groups))
        for stage, share in zip(stages, _SHARES, strict=True):
            self._fill(stage, share)
        self.positions = sorted(self._items)
        self.items = [self._items[position] for position in self.positions]
        self.rule = _EVERY if len(self.items) == len(material.rows) else _CHOSEN

    def _fill(self, positions: Iterable[int], share: float) -> None:
        for position in positions:
            if self._bytes >= share * MOST_BYTES or len(self._items) >= share * MOST_SHOWN:
                return
            if position not in self._items:
                self._items[position] = item = self._made(position)
                self._bytes += len(embedded(item).encode("utf-8", "replace"))


_EVERY = "Every rollout is here."
_CHOSEN = (
    "Numbers count all rollouts; the viewer holds a sample: some behind each number, then those with a flag (each flag "
    "in turn), then the review queue, then the others spread over the tasks."
)


def _flagged(material: Material) -> Iterator[int]:
    """Flagged rows, the first of each flag, then the second of each, and so on."""
    by_flag: dict[str, list[int]] = {flag: [] for flag in FLAGS}
    for position, flags in enumerate(material.flags):
        for flag in flags:
            by_flag[flag].append(position)
    return in_turns(by_flag.values())


def _spread(groups: Sequence[Ints]) -> Iterator[int]:
    """The first row of every group, then the second, and so on; of more groups than fit, some far apart."""
    step = -(-len(groups) // MOST_SHOWN) or 1
    return in_turns(groups[at].tolist() for start in range(step) for at in range(start, len(groups), step))
