"""Does the judge say the same again, and does it pay for length?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from whileai.simulations.defaults import ALPHA
from whileai.simulations.kernels.proportions import sign_test_p
from whileai.simulations.score.judge_trust.draw import drawn
from whileai.simulations.score.judge_trust.probes import Graded, Moves, Verdicts, judged_again, moves
from whileai.simulations.score.judge_trust.tricks import with_filler

_PLACES = 4


def perturbation(
    graded: list[Graded],
    judge: Callable[[dict[str, Any]], Any],
    *,
    sample: int,
    seed: int,
    concurrency: int,
    timeout: float | None,
    flip_flag: float,
) -> dict[str, Any]:
    """Up to `sample` graded rows judged twice more, as they are and with neutral filler, against the stored reward.

    Rates are None when nothing could be compared. `flagged_consistency` at a flip rate of `flip_flag` or more;
    `flagged_length` when as many verdicts move one way net of the other, beyond chance (sign test), against the stored
    rewards and against the verdicts without filler: a judge that flips at random moves whatever is more frequent.
    """
    held = [graded[place] for place in drawn(len(graded), sample, seed)]
    if not held:
        return {"n": 0, "note": "no row has a 0/1 reward, so there is nothing to judge again"}
    same = [(label, row) for row, label in held]
    again, padded = judged_again(
        [same, [(label, with_filler(row)) for label, row in same]], judge, concurrency, timeout
    )
    repeat, filler = moves(again.pairs), moves(padded.pairs)
    from_filler = moves(zip(again.after, padded.after, strict=True))
    return {
        "n": len(held),
        "consistency_flip_rate": _flip_rate(repeat),
        "filler_flip_rate": _flip_rate(filler),
        "filler_flips_up": filler.up,
        "filler_flips_down": filler.down,
        "flagged_consistency": repeat.n > 0 and (repeat.up + repeat.down) / repeat.n >= flip_flag,
        "flagged_length": one_way(filler, flip_flag) and one_way(from_filler, flip_flag),
        **Verdicts([], [], again.errors + padded.errors, again.first_error or padded.first_error).told_errors(),
    }


def _flip_rate(found: Moves) -> float | None:
    return round((found.up + found.down) / found.n, _PLACES) if found.n else None


def one_way(found: Moves, flag: float) -> bool:
    """Whether verdicts move one way: net by a share of `flag` or more, and beyond chance.

    >>> one_way(Moves(6, 0, 40), 0.1), one_way(Moves(4, 0, 40), 0.1), one_way(Moves(9, 5, 40), 0.1)
    (True, False, False)
    """
    up, down, n = found
    return n > 0 and abs(up - down) / n >= flag and sign_test_p(up, down) < ALPHA
