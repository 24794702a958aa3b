"""Preference pairs put to a judge both ways round, and what that says about the judge."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from whileai.simulations.arguments import between, whole
from whileai.simulations.defaults import POSITION_FLIP_FLAG
from whileai.simulations.schema.copies import with_own_values
from whileai.simulations.score.judging.background import BACKGROUND
from whileai.simulations.score.judging.threads import in_threads
from whileai.simulations.score.pairwise.judge import pairwise_judge
from whileai.simulations.score.pairwise.report import pairs_report
from whileai.simulations.score.pairwise.verdict import TIE, A, B, Verdict, read_verdict

Pair = dict[str, Any]
Judge = Callable[[dict[str, Any], dict[str, Any]], Any]

CHOSEN, REJECTED = "chosen", "rejected"
PREFERS_REJECTED_FLAG = 0.2  # share of judged pairs; convention
_ERROR_CHARS = 200
_FIRST_ORDER = {A: CHOSEN, B: REJECTED, TIE: TIE}
_SECOND_ORDER = {A: REJECTED, B: CHOSEN, TIE: TIE}


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
) -> tuple[list[Pair], dict[str, Any]]:
    """Ask a judge which side of each pair is better, with `swap` both ways round, and say what the answers show.

    `judge(a_row, b_row)`, plain or async, returns `{"winner": "A" | "B" | "tie", "reason"}` or that as JSON text;
    without one `pairwise_judge(spec)` is asked. Written on each pair, in place: `pairwise` with `winner` (`chosen`,
    `rejected`, `tie`, None where the judge failed), `position_consistent` (None unless both orders were answered),
    `swapped`, `reasons`, `judge`; and `tie`. A pair the judge decides differently in the two orders is a tie.

    Returns the pairs and a report: `n`, `n_judged`, `failed`, `judge`, `swap`, `position_flip_rate` (of the pairs
    answered in both orders), `tie_rate` and `agrees_with_scores` (of the judged; None without any),
    `prefers_rejected` (a count), `disagreements` (the first `examples` of those), `warnings`: a flip rate of at least
    `position_flip_flag` (Zheng et al. 2023, arXiv:2306.05685, table 2), a share that prefers the rejected side of at
    least `prefers_rejected_flag`. An entry that holds no two rows is a `ValueError`.

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
    in_threads(lambda pair: _stamp(pair, asked, bool(swap), name), kept, workers)
    return kept, pairs_report(kept, name, bool(swap), shown, flags)


def _checked(pairs: Iterable[Any]) -> list[Pair]:
    kept = [pair for pair in pairs if isinstance(pair, dict)]
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


def _stamp(pair: Pair, judge: Judge, swap: bool, name: str) -> None:
    """Judge one pair and write on it what came out."""
    chosen, rejected = pair[CHOSEN], pair[REJECTED]
    verdicts = [_asked(judge, chosen, rejected)]
    sides = [_FIRST_ORDER.get(verdicts[0].winner or "")]
    if swap:
        verdicts.append(_asked(judge, rejected, chosen))
        sides.append(_SECOND_ORDER.get(verdicts[1].winner or ""))
    answered = [side for side in sides if side is not None]
    both = len(answered) == 2
    same = len(set(answered)) == 1
    pair["pairwise"] = {
        "winner": answered[0] if same else TIE if answered else None,
        "position_consistent": same if both else None,
        "swapped": swap,
        "reasons": [verdict.reason for verdict in verdicts if verdict.reason.strip()],
        "judge": name,
    }
    pair["tie"] = pair["pairwise"]["winner"] == TIE


def _asked(judge: Judge, a_row: dict[str, Any], b_row: dict[str, Any]) -> Verdict:
    """The verdict on two rows, which the judge gets copies of; what it raises is the reason of a failed one."""
    try:
        returned = judge(with_own_values(a_row), with_own_values(b_row))
        if hasattr(returned, "__await__"):
            returned = BACKGROUND.send(returned).result()
        return read_verdict(returned)
    except Exception as error:
        return Verdict(None, f"{type(error).__name__}: {error}"[:_ERROR_CHARS])
