"""`select_for_sft`: the best candidate of each prompt is found on the workers; the driver sees one record a prompt."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from whileai.simulations.arguments import between, whole
from whileai.simulations.defaults import DEFAULT_SELECT_TARGET
from whileai.simulations.distributed.fetch import fetched
from whileai.simulations.distributed.leaks import Leaks, without_leaks
from whileai.simulations.distributed.reduction import reduced
from whileai.simulations.distributed.rows import packed
from whileai.simulations.distributed.source import source_of
from whileai.simulations.reports import Report
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.values import as_text
from whileai.simulations.score.optimize.account import Account
from whileai.simulations.score.optimize.arguments import choice
from whileai.simulations.score.optimize.cautions import eval_sourced
from whileai.simulations.score.optimize.demonstrations import Candidate, Select, diverse, prompt_keys
from whileai.simulations.score.optimize.junk import is_junk
from whileai.simulations.score.optimize.reasons import JUNK, LEAK, NOT_PASS, NOT_PICKED, OVER_TARGET, SFT_REASONS
from whileai.simulations.score.optimize.rewards import KINDS, reward_notes, unusable_rewards
from whileai.simulations.score.optimize.sft import FULL_REWARD, completions, from_eval, picked
from whileai.simulations.score.optimize.text import format_sft

_BYTES = 16  # of the hash of a prompt


def select_for_sft(
    rows: Any,
    target: int = DEFAULT_SELECT_TARGET,
    select: str = Select.TOP_PER_PROMPT.value,
    min_reward: float = FULL_REWARD,
    seed: int = 0,
) -> tuple[Any, Report]:
    """A dataset of the rows that `whileai.simulations.select_for_sft` selects, in order, and the same report.

    About 150 bytes for each prompt of a part are shuffled, and the driver holds one record a prompt; then the selected
    rows move to one worker, which must hold them. `select` is `top_per_prompt` or `random_per_prompt`: the `overall`
    rules rank all rows of all prompts, and their report counts the behaviours of all, so they are for memory.
    """
    rule = Select(choice("select", select, Select))
    if not rule.per_prompt:
        raise ValueError(
            f"select={select!r} ranks all rows together and reports on all their behaviours, which is not distributed: "
            "use top_per_prompt or random_per_prompt, or whileai.simulations.select_for_sft on rows in memory"
        )
    target = max(1, whole("target", target))
    least = between("min_reward", min_reward, -float("inf"), float("inf"))
    source = source_of(rows).pinned()
    found = reduced(source.parts(), DemonstrationJob(least, "" if rule.by_score else as_text(seed), rule.by_score))
    said = found.whole or Said()
    chosen = chosen_of([prompt for shard in found.shards for prompt in shard.values()], target, rule)
    order = chosen.order
    dataset, notes = fetched(source, dict.fromkeys(order, 0), partial(_selected, order=order), 1)
    return dataset, sft_report(said, chosen, notes[0], target, rule, least)


class Chosen(NamedTuple):
    """The prompts, the best candidate of each, and those of them that are selected, in order."""

    prompts: list[Prompt]
    pool: list[Candidate]
    picks: list[Candidate]

    @property
    def order(self) -> list[int]:
        """The numbers of the rows selected."""
        return [candidate.place for candidate in self.picks]


def chosen_of(prompts: list[Prompt], target: int, rule: Select) -> Chosen:
    """What is selected of some prompts."""
    pool = _pool(prompts)
    return Chosen(prompts, pool, diverse(pool, target, rule))


def sft_report(said: Said, chosen: Chosen, n_eval: int, target: int, rule: Select, least: float) -> Report:
    """The report on a selection of which `n_eval` rows were scored for an evaluation."""
    return Report(_values(said, *chosen, n_eval, target, rule, least), show=format_sft)


def _values(
    said: Said,
    prompts: list[Prompt],
    pool: list[Candidate],
    picks: list[Candidate],
    n_eval: int,
    target: int,
    rule: Select,
    least: float,
) -> dict[str, Any]:
    account = Account(said.n, SFT_REASONS)
    n_candidates = sum(prompt.n_candidates for prompt in prompts)
    dropped = {LEAK: said.leaks.n_dropped, NOT_PASS: said.n_not_pass, JUNK: said.n_junk}
    dropped |= {NOT_PICKED: n_candidates - len(pool), OVER_TARGET: len(pool) - len(picks)}
    for reason, n in dropped.items():
        account.drop(reason, n)
    unusable = {**dict.fromkeys(KINDS, 0), **said.unusable}
    return {
        "n": said.n,
        "account": account.values(),
        "privileged_leaks_dropped": said.leaks.n_dropped,
        "privileged_leaks": said.leaks.report(),
        "n_not_pass": said.n_not_pass,
        "n_junk": said.n_junk,
        "target": target,
        "selection": rule.value,
        "min_reward": least,
        **picked(pool, picks),
        **from_eval(n_eval, len(picks)),
        **completions(said.n, (prompt.n for prompt in prompts), rule),
        "unusable_rewards": unusable,
        "reward_notes": reward_notes(unusable, said.n, "sft"),
    }


def _pool(prompts: list[Prompt]) -> list[Candidate]:
    """The best candidate of each prompt, in order of the prompts' first candidates."""
    pool = []
    for prompt in sorted((prompt for prompt in prompts if prompt.best is not None), key=lambda prompt: prompt.first):
        best = prompt.best
        assert best is not None
        candidate = Candidate(best.at, None, best.score, "")
        candidate.__dict__.update(lot=best.lot, signature=best.signature)  # worked out where the row was
        pool.append(candidate)
    return pool


def _selected(rows: dict[int, Any], order: list[int]) -> tuple[Any, int]:
    held = [rows[at] for at in order]
    return packed(held), eval_sourced(held)


class Best(NamedTuple):
    """The candidate of a prompt that wins; the least is the better."""

    rank: float
    lot: bytes
    at: int
    score: float
    signature: str


class Prompt(NamedTuple):
    """A prompt: its rows, its candidates, the position of the first of them, and the one that wins."""

    n: int
    n_candidates: int
    first: int
    best: Best | None

    def moved(self, by: int) -> Prompt:
        """The same, of rows so much later."""
        if self.best is None:
            return self
        return self._replace(first=self.first + by, best=self.best._replace(at=self.best.at + by))

    def with_(self, other: Prompt) -> Prompt:
        """Both, of different rows."""
        held = [best for best in (self.best, other.best) if best is not None]
        return Prompt(
            self.n + other.n,
            self.n_candidates + other.n_candidates,
            min(self.first, other.first),
            min(held) if held else None,
        )


class Prompts(dict[bytes, Prompt]):
    """Prompts by the hash of what completions are counted under."""

    def see(self, key: bytes, prompt: Prompt) -> None:
        """Add one."""
        held = self.get(key)
        self[key] = prompt if held is None else held.with_(prompt)

    def moved(self, by: int) -> Prompts:
        """The same, of rows so much later."""
        return Prompts((key, prompt.moved(by)) for key, prompt in self.items())

    def merge(self, other: Prompts) -> None:
        """Add those of other rows."""
        for key, prompt in other.items():
            self.see(key, prompt)


class Said:
    """What the report counts over all rows."""

    def __init__(self) -> None:
        self.n = self.n_not_pass = self.n_junk = 0
        self.leaks = Leaks()
        self.unusable: Counter[str] = Counter()

    def merge(self, other: Said) -> None:
        """Add what is said of rows that come after."""
        self.n += other.n
        self.n_not_pass += other.n_not_pass
        self.n_junk += other.n_junk
        self.leaks.merge(other.leaks)
        self.unusable.update(other.unusable)


_NEVER = 2**63 - 1


@dataclass(frozen=True)
class DemonstrationJob:
    """The best candidate of each prompt of a part, and the counts of all its rows."""

    least: float
    salt: str
    by_score: bool

    def __call__(self, rows: list[Any], at: int, n: int) -> tuple[list[Prompts], Said]:
        """Gather one part."""
        said, shards = Said(), [Prompts() for _ in range(n)]
        table = RowTable(rows)
        said.n = len(table)
        said.unusable.update(unusable_rewards(table))
        keys = [_key(prompt) for prompt in prompt_keys(rows)]
        for key in keys:
            shards[key[0] % n].see(key, Prompt(1, 0, _NEVER, None))
        kept = without_leaks(rows, said.leaks)
        scores = table.grades.tolist()
        for place in kept:
            row, score, key = rows[place], scores[place], keys[place]
            if not score >= self.least:
                said.n_not_pass += 1
            elif is_junk(row):
                said.n_junk += 1
            else:
                own = Candidate(at + place, row, score, "", self.salt)
                best = Best(-score if self.by_score else 0.0, own.lot, own.place, score, own.signature)
                shards[key[0] % n].see(key, Prompt(0, 1, own.place, best))
        return shards, said


def _key(prompt: str) -> bytes:
    return hashlib.blake2b(prompt.encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest()
