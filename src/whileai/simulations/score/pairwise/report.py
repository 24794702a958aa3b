"""What the answers on many pairs show about the judge that gave them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from whileai.simulations.reports import printable
from whileai.simulations.rows.text import ask_text, prompt_text
from whileai.simulations.rows.values import finite

_PROMPT_CHARS = 160
_REASON_CHARS = 160


def pairs_report(
    pairs: Sequence[dict[str, Any]], judge: str, swap: bool, examples: int, flags: tuple[float, float]
) -> dict[str, Any]:
    """The report of `judge_pairs` over pairs it has written on; `flags` are the shares that warn."""
    judged = [pair for pair in pairs if pair["pairwise"]["winner"] is not None]
    both = [pair for pair in pairs if pair["pairwise"]["position_consistent"] is not None]
    flips = sum(not pair["pairwise"]["position_consistent"] for pair in both)
    against = [pair for pair in judged if pair["pairwise"]["winner"] == "rejected"]
    agreeing = sum(pair["pairwise"]["winner"] == "chosen" for pair in judged)
    return {
        "n": len(pairs),
        "n_judged": len(judged),
        "failed": len(pairs) - len(judged),
        "judge": judge,
        "swap": swap,
        "position_flip_rate": _share(flips, len(both)),
        "tie_rate": _share(sum(pair["tie"] for pair in judged), len(judged)),
        "agrees_with_scores": _share(agreeing, len(judged)),
        "prefers_rejected": len(against),
        "disagreements": [_disagreement(pair) for pair in against[:examples]],
        "warnings": [
            *_unjudged(pairs, len(judged)),
            *_position(flips, len(both), flags[0]),
            *_rejected(len(against), len(judged), flags[1]),
        ],
    }


def _share(count: int, total: int) -> float | None:
    return round(count / total, 4) if total else None


def _disagreement(pair: dict[str, Any]) -> dict[str, Any]:
    prompt = prompt_text(pair.get("prompt")) or ask_text(pair["chosen"])
    return {
        "prompt": prompt[:_PROMPT_CHARS],
        "chosen_score": _score(pair, "chosen"),
        "rejected_score": _score(pair, "rejected"),
        "reasons": list(pair["pairwise"]["reasons"]),
    }


def _score(pair: dict[str, Any], side: str) -> float | None:
    given = pair.get(f"{side}_score")
    return finite(pair[side].get("reward") if given is None else given)


def _position(flips: int, n: int, flag: float) -> list[str]:
    if not n or flips / n < flag:
        return []
    return [
        f"position bias: the answer changed with the order on {flips}/{n} pairs ({flips / n:.0%}), which count as "
        "ties: use a stronger judge or a prompt that asks for reasons first"
    ]


def _unjudged(pairs: Sequence[dict[str, Any]], n: int) -> list[str]:
    if n or not pairs:
        return []
    first = next((reason for pair in pairs for reason in pair["pairwise"]["reasons"]), "it gave no reason")
    return [f"the judge gave no verdict on any of {len(pairs)} pairs: {printable(first, most=_REASON_CHARS)}"]


def _rejected(against: int, n: int, flag: float) -> list[str]:
    if not n or against / n < flag:
        return []
    return [
        f"the judge prefers the rejected side on {against}/{n} judged pairs ({against / n:.0%}): read disagreements, "
        "either the scores or this judge are wrong"
    ]
