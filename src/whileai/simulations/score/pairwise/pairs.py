"""Preference pairs put to a judge both ways round, and what that says about the judge."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from whileai.simulations.arguments import between, seconds, whole
from whileai.simulations.defaults import POSITION_FLIP_FLAG
from whileai.simulations.listing import listed
from whileai.simulations.reports import Report
from whileai.simulations.rows.table import row_items
from whileai.simulations.schema.copies import with_own_values
from whileai.simulations.score.judging.calls import Outcome, outcomes
from whileai.simulations.score.pairwise.judge import pairwise_judge
from whileai.simulations.score.pairwise.report import pairs_report
from whileai.simulations.score.pairwise.verdict import TIE, A, B, Verdict, read_verdict
from whileai.simulations.signature import public

Pair = dict[str, Any]
Judge = Callable[[dict[str, Any], dict[str, Any]], Any]

CHOSEN, REJECTED = "chosen", "rejected"
PREFERS_REJECTED_FLAG = 0.2  # share of judged pairs; convention
_ERROR_CHARS = 200
_ORDERS = ((CHOSEN, REJECTED), (REJECTED, CHOSEN))  # which row is A, and which B


@public
def judge_pairs(
    pairs: Iterable[Any],
    judge: Judge | None = None,
    spec: Any = None,
    swap: bool = True,
    concurrency: int = 8,
    api_key: str | None = None,
    examples: int = 10,
    position_flip_flag: float = POSITION_FLIP_FLAG,
    prefers_rejected_flag: float = PREFERS_REJECTED_FLAG,
    timeout: float | None = None,
) -> tuple[list[Pair], Report]:
    """Ask a judge which side of each pair is better, with `swap` both ways round, and say what the answers show.

    `judge(a_row, b_row)`, plain or async, returns `{"winner": "A" | "B" | "tie", "reason"}` or that as JSON text;
    without one `pairwise_judge(spec)` is asked. `timeout` is in seconds a call; a call that is over it or raises,
    SystemExit included, is a failed one. Written on each pair, in place: `pairwise` with `winner` (`chosen`,
    `rejected`, `tie`, None where the judge failed), `position_consistent` (None unless both orders were answered),
    `swapped`, `reasons`, `judge`; and `tie`. A pair the judge decides differently in the two orders is a tie.

    Returns the pairs and a report: `n`, `n_judged`, `failed`, `judge`, `swap`, `position_flip_rate` (of the pairs
    answered in both orders), `tie_rate` and `agrees_with_scores` (of the judged; None without any),
    `prefers_rejected` (a count), `disagreements` (the first `examples` of those), `warnings`: a flip rate of at least
    `position_flip_flag` (Zheng et al. 2023, arXiv:2306.05685, table 2), a share that prefers the rejected side of at
    least `prefers_rejected_flag`; pairs of which none was judged. An entry that holds no two rows is a `ValueError`.

    >>> pairs, report = judge_pairs(
    ...     [{"prompt": "Add 2 and 2.", "chosen": {"final_text": "4"}, "rejected": {"final_text": "Five, I think."}}],
    ...     lambda a, b: {"winner": "A" if len(a["final_text"]) < len(b["final_text"]) else "B"})
    >>> pairs[0]["pairwise"]["winner"], report["agrees_with_scores"]
    ('chosen', 1.0)
    """
    flags = (
        between("position_flip_flag", position_flip_flag, 0, 1),
        between("prefers_rejected_flag", prefers_rejected_flag, 0, 1),
    )
    shown, workers = whole("examples", examples, 0), whole("concurrency", concurrency)
    kept = _checked(pairs)
    asked: Judge = judge if judge is not None else pairwise_judge(spec, api_key)
    name = str(getattr(asked, "__name__", None) or type(asked).__name__)
    if timeout is not None:
        timeout = seconds("timeout", timeout)
    orders = [(pair, order) for pair in kept for order in (_ORDERS if swap else _ORDERS[:1])]
    said = [_verdict(outcome) for outcome in outcomes(lambda entry: _asked(asked, *entry), orders, workers, timeout)]
    per_pair = 2 if swap else 1
    for place, pair in enumerate(kept):
        _stamp(pair, said[place * per_pair : (place + 1) * per_pair], name)
    return kept, Report(pairs_report(kept, name, bool(swap), shown, flags), show=listed)


def _checked(pairs: Iterable[Any]) -> list[Pair]:
    kept = [pair for pair in row_items(pairs) if isinstance(pair, dict)]
    odd = [
        place for place, pair in enumerate(kept) if not all(isinstance(pair.get(s), dict) for s in (CHOSEN, REJECTED))
    ]
    if odd:
        entries = "entry holds" if len(odd) == 1 else "entries hold"
        raise ValueError(
            f"{len(odd)} {entries} no row under chosen and under rejected, the first at {odd[0]}: "
            "build pairs with build_preference_pairs"
        )
    return kept


def _asked(judge: Judge, pair: Pair, order: tuple[str, str]) -> Any:
    """What the judge returns for copies of the two rows, in an order."""
    return judge(*(with_own_values(pair[side]) for side in order))


def _verdict(outcome: Outcome) -> Verdict:
    """The verdict of a call; what it raised is the reason of a failed one."""
    return read_verdict(outcome.value) if outcome.error is None else Verdict(None, outcome.error[:_ERROR_CHARS])


def _stamp(pair: Pair, verdicts: list[Verdict], name: str) -> None:
    """Write on a pair what came out of its orders."""
    sides = [
        TIE if verdict.winner == TIE else dict(zip((A, B), order, strict=True)).get(verdict.winner or "")
        for verdict, order in zip(verdicts, _ORDERS, strict=False)
    ]
    answered = [side for side in sides if side is not None]
    both = len(answered) == 2
    same = len(set(answered)) == 1
    pair["pairwise"] = {
        "winner": answered[0] if same else TIE if answered else None,
        "position_consistent": same if both else None,
        "swapped": len(verdicts) == 2,
        "reasons": [verdict.reason for verdict in verdicts if verdict.reason.strip()],
        "judge": name,
    }
    pair["tie"] = pair["pairwise"]["winner"] == TIE
