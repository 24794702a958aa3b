"""How often each ask is played: once, a fixed number of times, or more where the rewards so far differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

FIRST_LOOK = 2  # rollouts before an ask shows whether its rewards differ
_HALVINGS = 2  # how often `successive` halves the repeats for its first look: k/4, k/2, k

Cell = tuple[int, int]  # place of an ask, which of its rollouts
Signal = Callable[[int], float]  # place of an ask -> how much the rewards of its rollouts differ


@dataclass(frozen=True, slots=True)
class Repeats:
    """How rollouts are spent over asks.

    `none` and `fixed` play each ask `k` times. The other two look at the rewards on the way, so they need a grader;
    without one they are `fixed`:

    * `adaptive`: an ask begins with 2 rollouts and gets all `k` when their rewards differ.
    * `successive` (halving): an ask begins with k/4, then k/2, then k. At each step those whose rewards differ go on,
      and at least half of the asks, the most undecided (largest p(1 - p)) first.

    What asks that stop early leave unspent goes to further asks. A round ends before the next one is drawn from it, so
    the same rewards give the same plan whatever finishes first.

    >>> plan = Repeats("adaptive", 4).rounds(3, 8, lambda ask: float(ask == 0))
    >>> [[f"{ask}.{n}" for ask, n in cells] for cells in plan]
    [['0.0', '0.1', '1.0', '1.1'], ['0.2', '0.3'], ['2.0', '2.1']]
    """

    policy: str
    k: int

    def looks(self) -> list[int]:
        """The rollouts an ask has had after each step."""
        if self.policy == "adaptive":
            return [min(FIRST_LOOK, self.k), self.k] if self.k > FIRST_LOOK else [self.k]
        if self.policy == "successive":
            steps = [self.k // 2**halving for halving in range(_HALVINGS, 0, -1)]
            return [*dict.fromkeys(step for step in steps if step >= FIRST_LOOK), self.k]
        return [self.k]

    def rounds(self, n_asks: int, budget: int | None, signal: Signal) -> Iterator[list[Cell]]:
        """The rollouts to play next, in order, until the asks or the budget (rollouts, None: no bound) are used up.

        `signal` is asked between rounds, about asks whose rollouts so far have been played.
        """
        left = n_asks * self.k if budget is None else budget
        asks = iter(range(n_asks))
        while left > 0 and (taken := list(islice(asks, -(-left // self.k)))):
            played = 0
            for look in self.looks():
                cells = [(ask, n) for ask in taken for n in range(played, look)][:left]
                if not cells:
                    break
                yield cells
                left -= len(cells)
                played, taken = look, self._going_on(taken, signal)

    def _going_on(self, asks: Sequence[int], signal: Signal) -> list[int]:
        found = {ask: signal(ask) for ask in asks}
        differ = [ask for ask in asks if found[ask] > 0]
        if self.policy == "adaptive":
            return differ
        most = sorted(asks, key=lambda ask: -found[ask])[: max(len(differ), -(-len(asks) // 2))]
        return sorted(most)


def undecided(rewards: Sequence[float]) -> float:
    """How much rewards differ: their variance, p(1 - p) for a pass rate p; 0 for fewer than two.

    >>> undecided([1, 0]), undecided([1, 1]), undecided([])
    (0.25, 0.0, 0.0)
    """
    if len(rewards) < FIRST_LOOK:
        return 0.0
    mean = sum(rewards) / len(rewards)
    return sum((reward - mean) ** 2 for reward in rewards) / len(rewards)
