"""Which rows become demonstrations: the best of each prompt, the best of all, or as many by chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property
from typing import Any

from whileai.simulations.rows.task import task_key
from whileai.simulations.rows.text import prompt_text
from whileai.simulations.rows.values import as_text
from whileai.simulations.rows.words import normalised
from whileai.simulations.score.grading import behavior_signature
from whileai.simulations.score.hygiene.ask import ask_key
from whileai.simulations.score.optimize.order import in_turns, stable_hash
from whileai.simulations.score.optimize.spoken import final_reply


class Select(StrEnum):
    """The rejection-sampling rules."""

    TOP_PER_PROMPT = "top_per_prompt"
    RANDOM_PER_PROMPT = "random_per_prompt"
    TOP_K_OVERALL = "top_k_overall"
    RANDOM_K_OVERALL = "random_k_overall"

    @property
    def per_prompt(self) -> bool:
        """Whether every prompt gives one row at most."""
        return self in (Select.TOP_PER_PROMPT, Select.RANDOM_PER_PROMPT)

    @property
    def by_score(self) -> bool:
        """Whether the better row wins, or chance decides."""
        return self in (Select.TOP_PER_PROMPT, Select.TOP_K_OVERALL)


class Candidate:
    """A row that may be a demonstration, with its place among the rows, its score and its prompt."""

    def __init__(self, place: int, row: Any, score: float, prompt: str, salt: str = "") -> None:
        self.place, self.row, self.score, self.prompt, self._salt = place, row, score, prompt, salt

    @cached_property
    def lot(self) -> bytes:
        """What settles ties: a hash of the row's task, attempt and reply, so that the order of rows does not matter."""
        row = self.row
        parts = (self._salt, task_key(row), row.get("rollout_id"), row.get("rollout_index"), final_reply(row))
        return stable_hash("\x00".join(map(as_text, parts)))

    @cached_property
    def signature(self) -> str:
        """What the row's agent did."""
        return behavior_signature(self.row)


def prompt_keys(rows: Sequence[Any]) -> list[str]:
    """What each row's completions are counted under: its prompt, case and white space aside, else its task.

    >>> prompt_keys([{"prompt": "When  is it?"}, {"prompt": "when is it?"}, {"task_id": "a"}])
    ['prompt when is it?', 'prompt when is it?', 'task a']
    """
    known: dict[str, str] = {}
    found = []
    for row in rows:
        prompt = row.get("prompt")
        text = prompt if type(prompt) is str else prompt_text(prompt)
        if not text:
            found.append(f"task {ask_key(row)}")
            continue
        if text not in known:
            known[text] = f"prompt {normalised(text)}"
        found.append(known[text])
    return found


def one_a_prompt(candidates: list[Candidate], rule: Select) -> list[Candidate]:
    """One candidate of each prompt."""
    prompts: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        prompts.setdefault(candidate.prompt, []).append(candidate)
    return [_best(same, 1, rule)[0] for same in prompts.values()]


def diverse(pool: list[Candidate], target: int, rule: Select) -> list[Candidate]:
    """Up to `target` of the pool, behaviours in turn, the most common first."""
    buckets: dict[str, list[Candidate]] = {}
    for candidate in pool:
        buckets.setdefault(candidate.signature, []).append(candidate)
    by_size = sorted(buckets, key=lambda signature: (-len(buckets[signature]), signature))
    turns = list(in_turns([[signature] * len(buckets[signature]) for signature in by_size]))
    shares = Counter(turns[:target])
    as_met = sorted(buckets, key=lambda signature: -len(buckets[signature]))
    return list(in_turns([_best(buckets[name], shares[name], rule) for name in as_met if shares[name]]))


def overall(pool: list[Candidate], most: int, rule: Select) -> list[Candidate]:
    """The `most` best of the pool, best first, or as many by chance."""
    best = _best(pool, most, rule)
    return sorted(best, key=lambda candidate: -candidate.score) if rule.by_score else best


def _best(candidates: list[Candidate], most: int, rule: Select) -> list[Candidate]:
    """The `most` best, or those that chance takes, in the order given; lots are drawn only where scores tie."""
    if most >= len(candidates):
        return candidates
    scores = [candidate.score if rule.by_score else 0.0 for candidate in candidates]
    bar = sorted(scores, reverse=True)[most - 1]
    above = [candidate for candidate, score in zip(candidates, scores, strict=True) if score > bar]
    level = [candidate for candidate, score in zip(candidates, scores, strict=True) if score == bar]
    drawn = sorted(level, key=lambda candidate: candidate.lot)[: most - len(above)]
    return sorted([*above, *drawn], key=lambda candidate: candidate.place)
