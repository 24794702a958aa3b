"""`select_for_sft`: diverse correct demonstrations (rejection sampling)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from statistics import median_high
from typing import Any

from whileai.simulations.arguments import between, whole
from whileai.simulations.defaults import DEFAULT_SELECT_TARGET, REJECTION_SAMPLING_MIN_K
from whileai.simulations.reports import Report
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.values import as_text
from whileai.simulations.score.optimize.account import Account
from whileai.simulations.score.optimize.arguments import choice
from whileai.simulations.score.optimize.cautions import eval_lines, eval_sourced
from whileai.simulations.score.optimize.demonstrations import (
    Candidate,
    Select,
    diverse,
    one_a_prompt,
    overall,
    prompt_keys,
)
from whileai.simulations.score.optimize.junk import is_junk
from whileai.simulations.score.optimize.leaks import drop_privileged_leaks
from whileai.simulations.score.optimize.reasons import JUNK, LEAK, NOT_PASS, NOT_PICKED, OVER_TARGET, SFT_REASONS
from whileai.simulations.score.optimize.rewards import reward_notes, unusable_rewards
from whileai.simulations.score.optimize.text import format_sft
from whileai.simulations.signature import public

FULL_REWARD = 1.0


@public
def select_for_sft(
    rows: Iterable[Any],
    target: int = DEFAULT_SELECT_TARGET,
    select: str = Select.TOP_PER_PROMPT.value,
    k: int | None = None,
    min_reward: float = FULL_REWARD,
    seed: int = 0,
) -> tuple[list[Any], Report]:
    """Diverse correct demonstrations, at most `target` rows, and where every other row went.

    Rows that quote their own `privileged` block go first, then those without a score of at least `min_reward`
    (`reward`, else `qwen_reward`; booleans are none), then those without a usable reply. Of the rest `select` takes
    (Lambert 2025, chapter Rejection Sampling): `"top_per_prompt"`, the best of each prompt; `"top_k_overall"`, the
    `k` best (`target` by default) of all; `"random_per_prompt"` and `"random_k_overall"`, as many by chance, `seed`
    deciding: what a gain of the selection is to be checked against. The picks of prompts are taken in turn over
    `behavior_signature`, the most common first, so that every way of being right comes before a repeat.

    Prompts are compared without case and white space; a row without a prompt counts by its task. Nothing is written
    on rows. In the report: `account` (`given`, `dropped` by reason, `kept`: it adds up), `n`, `n_eligible` (prompts, or
    rows of the overall rules), `n_selected`, `unique_behaviors` and `behaviors_covered`, the mean reward of the
    eligible and of the selected, completions a prompt over all rows, `unusable_rewards`. An unknown `select` is a
    `ValueError`.

    >>> rows = [{"prompt": p, "final_text": "It ships today.", "reward": r} for p in ("When?", "How?") for r in (1, 0)]
    >>> selected, report = select_for_sft(rows)
    >>> [row["prompt"] for row in selected], report["account"]["dropped"]["not_pass"]
    (['When?', 'How?'], 2)
    """
    rule = Select(choice("select", select, Select))
    target = max(1, whole("target", target))
    most = (max(1, whole("k", k)) if k else None) or target
    least = between("min_reward", min_reward, -float("inf"), float("inf"))
    table = RowTable(rows)
    account = Account(len(table), SFT_REASONS)
    left, leaks = drop_privileged_leaks(list(table.rows))
    account.drop(LEAK, leaks["n_dropped"])
    candidates = list(_candidates(left, least, "" if rule.by_score else as_text(seed), account))
    pool = one_a_prompt(candidates, rule) if rule.per_prompt else candidates
    picks = diverse(pool, target, rule) if rule.per_prompt else overall(pool, most, rule)
    account.drop(NOT_PICKED, len(candidates) - len(pool))
    account.drop(OVER_TARGET, len(pool) - len(picks))
    selected = [candidate.row for candidate in picks]
    unusable = unusable_rewards(table)
    values = {
        "n": len(table),
        "account": account.values(),
        "privileged_leaks_dropped": leaks["n_dropped"],
        "privileged_leaks": leaks,
        "n_not_pass": account.dropped[NOT_PASS],
        "n_junk": account.dropped[JUNK],
        "target": target,
        "selection": rule.value,
        **({} if rule.per_prompt else {"k": most}),
        "min_reward": least,
        **picked(pool, picks),
        **from_eval(eval_sourced(selected), len(selected)),
        **completions(len(table), Counter(prompt_keys(table.rows)).values(), rule),
        "unusable_rewards": unusable,
        "reward_notes": reward_notes(unusable, len(table), "sft"),
    }
    return selected, Report(values, show=format_sft)


def _candidates(rows: list[Any], least: float, salt: str, account: Account) -> Iterator[Candidate]:
    """The rows with a score that reaches `least` and a usable reply."""
    scores = RowTable(rows).grades.tolist()
    for place, (row, score, prompt) in enumerate(zip(rows, scores, prompt_keys(rows), strict=True)):
        if not score >= least:
            account.drop(NOT_PASS, 1)
        elif is_junk(row):
            account.drop(JUNK, 1)
        else:
            yield Candidate(place, row, score, prompt, salt)


def picked(pool: list[Candidate], picks: list[Candidate]) -> dict[str, Any]:
    """The keys of the report on the pool and what was picked of it."""
    return {
        "n_eligible": len(pool),
        "n_selected": len(picks),
        "unique_behaviors": len({candidate.signature for candidate in pool}),
        "behaviors_covered": len({candidate.signature for candidate in picks}),
        "reward_mean_eligible": _mean(pool),
        "reward_mean_selected": _mean(picks),
    }


def from_eval(n: int, n_selected: int) -> dict[str, Any]:
    """The keys of the report on the `n` rows of a selection that were scored for an evaluation."""
    said = list(eval_lines(n, n_selected, "selected"))
    return {"eval_sourced": n, **({"warning": said[0]} if said else {})}


def _mean(candidates: list[Candidate]) -> float | None:
    if not candidates:
        return None
    return round(sum(candidate.score for candidate in candidates) / len(candidates), 4)


def completions(n: int, of_prompts: Iterable[int], rule: Select) -> dict[str, Any]:
    """How many completions each prompt of `n` rows had, graded or not, and whether the rule had anything to choose."""
    counts = sorted(of_prompts)
    mean, middle = (n / len(counts), median_high(counts)) if counts else (0.0, 0)
    values: dict[str, Any] = {
        "completions_per_prompt_max": counts[-1] if counts else 0,
        "completions_per_prompt_mean": round(mean, 2),
        "completions_per_prompt_median": middle,
        "prompts_with_one_completion": counts.count(1),
    }
    if counts:
        values["selection_effective"] = "pass_filter" if middle == 1 else rule.value
        if mean < REJECTION_SAMPLING_MIN_K:
            values["note"] = (
                f"{mean:.2f} completions a prompt (median {middle}, most {counts[-1]}; {counts.count(1):,} of"
                f" {len(counts):,} prompts have one): rejection sampling wants {REJECTION_SAMPLING_MIN_K} to 30"
            )
    return values
