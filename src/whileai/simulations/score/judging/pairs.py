"""`build_preference_pairs`: chosen and rejected rows of one prompt, and what the pairs would teach besides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from statistics import fmean, median_high
from typing import Any

from whileai.simulations.arguments import between, whole
from whileai.simulations.reports import Report, counted, number_text, wrapped
from whileai.simulations.rows.collector import collector_off
from whileai.simulations.rows.table import row_items
from whileai.simulations.rows.text import agent_texts, ask_text, first_call
from whileai.simulations.rows.values import as_text, is_bool, number
from whileai.simulations.score.judging.asks import folded
from whileai.simulations.score.judging.matching import apart, matched
from whileai.simulations.signature import public

CONFOUND_PAIRS, CONFOUND_SHARE = 8, 0.75  # pairs, share with the longer side chosen; convention, arXiv:2306.05685
CONFOUND_ALL = 3  # pairs from which all of them longer is a confound; convention, Lambert 2025, ch. Reward Modeling
_MARGIN_PLACES = 6
_SCORE = itemgetter(0)

Row = dict[str, Any]
_Candidate = tuple[float, Row]  # a row that may go into a pair, after its score


@public
def build_preference_pairs(
    rows: Iterable[Any], max_pairs_per_prompt: int = 1, min_margin: float = 1.0, length_match: bool = True
) -> tuple[list[Row], Report]:
    """Chosen and rejected rows of the same prompt for preference training (DPO), with what a reviewer needs to know.

    A row takes part with a reward in [0, 1], a prompt and no failed verdict; prompts are compared without regard to
    case and spacing. Two rows pair when their rewards are at least `min_margin` apart, each row once, at most
    `max_pairs_per_prompt` a prompt; with `length_match` each chosen row takes the rejected one nearest to it in
    length, since DPO learns a length gap faster than the behaviour (Lambert 2025, chapter Direct Alignment).

    A pair has `prompt`, `chosen`, `rejected` (the rows), `chosen_score`, `rejected_score`, `margin`, `chosen_model`,
    `rejected_model`, `same_policy` (None when unknown), `length_delta` (characters, chosen less rejected),
    `first_turn_differs`, `chosen_reason`, `rejected_reason`, `rejected_failure_class`, `lineage`. The report counts
    pairs and prompts, says how often the longer side is chosen, and warns. `min_margin` of 0 or less is a ValueError.

    >>> rows = [{"prompt": "2+2?", "final_text": text, "reward": r} for text, r in [("4", 1), ("5", 0), ("five", 0)]]
    >>> pairs, report = build_preference_pairs(rows)
    >>> pairs[0]["rejected"]["final_text"], report["prompts_with_contrast"]
    ('5', 1)
    """
    margin = between("min_margin", min_margin, 0, float("inf"), ends=False)
    most = whole("max_pairs_per_prompt", max_pairs_per_prompt, 0)
    with collector_off():
        groups = list(_groups(rows).values())
        contrasts = [ranked for group in groups if len(group) > 1 and apart(*_ends(ranked := _ranked(group)), margin)]
        pairs = [pair for ranked in contrasts for pair in _pairs(ranked, most, margin, length_match)]
    return pairs, pairs_report(pairs, len(groups), len(contrasts), margin)


def pairs_report(pairs: Sequence[Mapping[str, Any]], prompts: int, contrasts: int, margin: float) -> Report:
    """The report on pairs, of so many prompts with so many that have contrast."""
    return Report(_report(pairs, prompts, contrasts, margin), show=_shown)


def _groups(rows: Iterable[Any]) -> dict[str, list[_Candidate]]:
    """The rows that may pair, by prompt, in order of first appearance."""
    groups: dict[str, list[_Candidate]] = {}
    for _, key, score, row in candidates(rows):
        groups.setdefault(key, []).append((score, row))
    return groups


def candidates(rows: Iterable[Any]) -> Iterator[tuple[int, str, float, Row]]:
    """The rows that may pair: the place of each, its prompt as prompts are compared, its score."""
    known: dict[str, str] = {}
    for place, row in enumerate(row_items(rows)):
        if not isinstance(row, dict) or row.get("judge_status") not in (None, "ok"):
            continue
        score = _score(row.get("reward"))
        if score is None:
            continue
        prompt = row.get("prompt")
        ask = prompt if type(prompt) is str and prompt else ask_text(row)
        key = known.get(ask)
        if key is None:
            key = known[ask] = folded(ask)
        if key:
            yield place, key, score, row


def _score(reward: Any) -> float | None:
    """A reward in [0, 1], of Python or NumPy; None for anything else."""
    kind = type(reward)
    if kind is not float and kind is not int:
        if isinstance(reward, str) or is_bool(reward):
            return None
        reward = number(reward)
    return float(reward) if reward is not None and 0 <= reward <= 1 else None


def _ranked(group: list[_Candidate]) -> list[_Candidate]:
    return sorted(group, key=_SCORE, reverse=True)


def _ends(ranked: list[_Candidate]) -> tuple[float, float]:
    return ranked[0][0], ranked[-1][0]


def _pairs(ranked: list[_Candidate], most: int, margin: float, length_match: bool) -> Iterator[Row]:
    known: dict[int, int] = {}

    def length(place: int) -> int:
        if place not in known:
            known[place] = sum(map(len, agent_texts(ranked[place][1])))
        return known[place]

    scores = [score for score, _ in ranked]
    for better, worse in matched(scores, length if length_match else None, margin, most):
        (high, chosen), (low, rejected) = ranked[better], ranked[worse]
        yield pair_of(chosen, rejected, (high, low), length(better) - length(worse))


def pair_of(good: Row, bad: Row, scores: tuple[float, float], length_delta: int) -> Row:
    """The pair of a chosen and a rejected row with these scores, and how many characters more the chosen agent said."""
    models = good.get("model_version"), bad.get("model_version")
    prompt = good.get("prompt")
    return {
        "prompt": prompt if prompt is not None else ask_text(good),
        "chosen": good,
        "rejected": bad,
        "chosen_score": scores[0],
        "rejected_score": scores[1],
        "margin": round(scores[0] - scores[1], _MARGIN_PLACES),
        "chosen_model": models[0],
        "rejected_model": models[1],
        "same_policy": None if None in models else models[0] == models[1],
        "length_delta": length_delta,
        "first_turn_differs": _first_turn(good) != _first_turn(bad),
        "chosen_reason": as_text(good.get("reason")),
        "rejected_reason": as_text(bad.get("reason")),
        "rejected_failure_class": bad.get("failure_class"),
        "lineage": {"chosen": good.get("lineage"), "rejected": bad.get("lineage")},
    }


def _first_turn(row: Row) -> Any:
    """What the agent did first: its first call, else its first words."""
    call = first_call(row)
    return next(iter(agent_texts(row)), "") if call is None else (call.name, call.arguments)


def _report(pairs: Sequence[Mapping[str, Any]], prompts: int, contrasts: int, margin: float) -> dict[str, Any]:
    n = len(pairs)
    deltas = [pair["length_delta"] for pair in pairs]
    longer = sum(delta > 0 for delta in deltas)
    identical = sum(not pair["first_turn_differs"] for pair in pairs)
    found = {
        "pairs": n,
        "prompts_seen": prompts,
        "prompts_with_contrast": contrasts,
        "min_margin": margin,
        "mean_margin": round(fmean(pair["margin"] for pair in pairs), 4) if pairs else None,
        "partial_score_pairs": sum(
            {pair["chosen_score"], pair["rejected_score"]} - {0.0, 1.0} != set() for pair in pairs
        ),
        "first_turn_identical": identical,
        "trainer_pairs": n - identical,
        "same_policy_pairs": sum(pair["same_policy"] is True for pair in pairs),
        "mixed_policy_pairs": sum(pair["same_policy"] is False for pair in pairs),
        "eval_sourced": sum(any(map(_is_eval, pair["lineage"].values())) for pair in pairs),
        "length": {
            "median_delta": median_high(deltas) if pairs else None,
            "chosen_longer": longer,
            "chosen_longer_frac": round(longer / n, 3) if pairs else None,
        },
    }
    return {**found, "warnings": list(_warnings(found)), "note": "" if pairs else _note(prompts, margin)}


def _is_eval(lineage: Any) -> bool:
    return isinstance(lineage, Mapping) and lineage.get("source") == "eval"


def _warnings(found: Mapping[str, Any]) -> Iterator[str]:
    n, longer = found["pairs"], found["length"]["chosen_longer"]
    if (n >= CONFOUND_PAIRS and longer >= CONFOUND_SHARE * n) or (n >= CONFOUND_ALL and longer == n):
        yield f"the chosen side is longer in {longer}/{n} pairs: DPO would learn length; balance it or drop pairs"
    if identical := found["first_turn_identical"]:
        yield f"{identical}/{n} pairs open with the same turn: a trainer that compares first turns learns nothing"
    if mixed := found["mixed_policy_pairs"]:
        yield f"{mixed}/{n} pairs have sides from different policies: off-policy for whichever is trained"
    if held := found["eval_sourced"]:
        yield f"{counted(held, 'pair')} of {n} with a side scored for an eval: training on it spends the held-out set"


def _note(prompts: int, margin: float) -> str:
    if not prompts:
        return "no pairs: no row has a reward in [0, 1] and a prompt; grade rows first (run_judge)"
    return (
        f"no pairs: no prompt has two rows whose rewards are at least {margin:g} apart; draw more rollouts a prompt, "
        "or lower min_margin to admit partial rewards"
    )


def _shown(report: Mapping[str, Any]) -> str:
    length = report["length"]
    lines = [
        f"{counted(report['pairs'], 'pair')} of {counted(report['prompts_with_contrast'], 'prompt')} with contrast "
        f"({report['prompts_seen']:,} seen), mean margin {number_text(report['mean_margin'], 2)}",
        f"chosen longer {number_text(length['chosen_longer_frac'], 2)}, same first turn "
        f"{report['first_turn_identical']}, same policy {report['same_policy_pairs']}, "
        f"mixed {report['mixed_policy_pairs']}",
    ]
    notes = [*([report["note"]] if report["note"] else []), *report["warnings"]]
    return "\n".join([*lines, *(line for note in notes for line in wrapped(f"! {note}"))])
