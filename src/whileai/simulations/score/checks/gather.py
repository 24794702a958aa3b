"""`checks`: what fires on some rollouts, gathered in one pass over any number of batches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from whileai.simulations.arguments import between, whole
from whileai.simulations.defaults import ALPHA, CI_LEVEL, HACK_THRESHOLD
from whileai.simulations.kernels.shares import share_interval
from whileai.simulations.reports import Report
from whileai.simulations.rows.grade import grade
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.task import task_key
from whileai.simulations.rows.text import ask_text, reply
from whileai.simulations.score.checks.context import context_of
from whileai.simulations.score.checks.replied import is_english
from whileai.simulations.score.checks.rules import RULES, Findings, check_named, examine, markers_of
from whileai.simulations.score.checks.text import format_checks
from whileai.simulations.score.grounding.row import MARKER, Checker, grounding_mark
from whileai.simulations.score.presence import Presence

EXAMPLES = 3  # rows shown a check; convention
_ASK_CHARS, _EVIDENCE_CHARS = 120, 200


def checks(rows: Iterable[Any], threshold: float = HACK_THRESHOLD, examples: int = EXAMPLES) -> Report:
    """Every check of `RULES` on some rollouts: a `Report` that prints itself.

    Keys: `n`, `n_tasks`, `n_graded` (rows with a 0/1 label), `n_without_reply` (rows that came to no reply of the
    agent or ended in an error: neither conduct nor claims are judged on them), `n_not_english` (rows whose reply no
    phrase check can read), `threshold`, `checks` and `warnings`. Each check has `n` (rows it fired on), `rate` (of
    rows, None without rows), `ci95` (over tasks, None under 3 of them or when it fired on none or all), `reward_corr`
    (Pearson's correlation of "fired" with the label, None under 3 labels or for a constant), `flagged: True` when that
    reaches `threshold` and is beyond chance (Fisher's exact test at 0.05; a reward that pays for a shortcut trains it:
    Gao et al. 2022, arXiv:2210.10760), `meaning` and `examples`, the first rows as `row` (from 1), `task`, `reward`,
    `prompt`, `evidence` and `context` (the agent's words the check is about, the failed result). Rows are not changed.

    >>> report = checks([{"task_id": t, "prompt": "Track it", "final_text": "It depends."} for t in "abc"])
    >>> report["checks"]["hedging"]["n"], report["checks"]["risk.secrets"]["n"]
    (3, 0)
    """
    gathered = Checks(examples=examples)
    gathered.add(rows)
    return gathered.report(threshold)


class Checks:
    """Gathers checks over batches; memory grows with the tasks, not with the rows.

    `every` names one check whose rows are all listed, in `fired`. With `stamp` the rows added gain their `markers`
    and `trace_flags`, in place, as `trace_markers`, `style_markers` and `mark_grounding` give them.
    """

    def __init__(self, *, examples: int = EXAMPLES, every: str | None = None, stamp: bool = False) -> None:
        self.every = None if every is None else check_named(every)
        self._most = whole("examples", examples, 0)
        self._grounding = Checker() if stamp else None
        self._seen = Presence(list(RULES))
        self._place = {name: place for place, name in enumerate(RULES)}
        self._examples: dict[str, list[dict[str, Any]]] = {name: [] for name in RULES}
        self._at: dict[str | None, int] = {}
        self._n_without_reply = self._n_not_english = 0
        self.fired: list[dict[str, Any]] = []

    def add(self, rows: Iterable[Any], file: str | None = None) -> None:
        """Add some rows, all of one file where that is known."""
        table = RowTable(rows, self._seen.index)
        present = np.zeros((len(table), len(RULES)), dtype=np.bool_)
        for place, row in enumerate(table.rows):
            found = examine(row)
            self._n_without_reply += not found.replied
            self._n_not_english += not (found.phrases or is_english(reply(row) or ""))
            self._at[file] = self._at.get(file, 0) + 1
            for name, evidence in found.fired.items():
                present[place, self._place[name]] = True
                self._keep(name, row, evidence, file)
            if self._grounding is not None and isinstance(row, dict):
                _stamp(row, found, grounding_mark(self._grounding, row))
        self._seen.add(table, present)

    def merge(self, other: Checks) -> None:
        """Add what another gathered, with the same arguments, of rows that come after, of the same files or later."""
        self._n_without_reply += other._n_without_reply
        self._n_not_english += other._n_not_english
        self._seen.merge(other._seen)
        for name, examples in other._examples.items():
            kept = self._examples[name]
            kept += [self._after(entry) for entry in examples[: self._most - len(kept)]]
        self.fired += map(self._after, other.fired)
        for file, n in other._at.items():
            self._at[file] = self._at.get(file, 0) + n

    def _after(self, entry: dict[str, Any]) -> dict[str, Any]:
        return {**entry, "row": self._at.get(entry.get("file"), 0) + entry["row"]}

    def _keep(self, name: str, row: Mapping[str, Any], evidence: str, file: str | None) -> None:
        if name != self.every and len(self._examples[name]) >= self._most:
            return
        reward = grade(row)
        entry = {
            **({} if file is None else {"file": file}),
            "row": self._at[file],
            "task": task_key(row)[:_ASK_CHARS],
            "reward": None if np.isnan(reward) else reward,
            "prompt": ask_text(row)[:_ASK_CHARS],
            "evidence": evidence[:_EVIDENCE_CHARS],
            "context": context_of(name, row, evidence),
        }
        if name == self.every:
            self.fired.append(entry)
        if len(self._examples[name]) < self._most:
            self._examples[name].append(dict(entry))

    def report(self, threshold: float = HACK_THRESHOLD) -> Report:
        """The checks of everything added."""
        threshold = between("threshold", threshold, 0, 1)
        found = {name: self._entry(name, threshold) for name in RULES}
        values = {
            "n": self._seen.n,
            "n_tasks": len(self._seen.index),
            "n_graded": self._seen.n_graded,
            "n_without_reply": self._n_without_reply,
            "n_not_english": self._n_not_english,
            "threshold": threshold,
            "checks": found,
            "warnings": [_warning(name, entry) for name, entry in found.items() if "flagged" in entry],
        }
        return Report(values, show=format_checks)

    def _entry(self, name: str, threshold: float) -> dict[str, Any]:
        n, correlation, absent = self._seen.hits(name), self._seen.correlation(name), self._seen.absent(name)
        interval = None
        if 0 < n < self._seen.n:
            interval = share_interval(absent.counts() - absent.sums(), absent.counts(), CI_LEVEL)
        entry: dict[str, Any] = {
            "meaning": RULES[name],
            "n": n,
            "rate": n / self._seen.n if self._seen.n else None,
            "ci95": None if interval is None else [interval.low, interval.high],
            "reward_corr": None if correlation is None else round(correlation, 3),
            "examples": self._examples[name],
        }
        chance = self._seen.chance(name)
        if correlation is not None and chance is not None and correlation >= threshold and chance <= ALPHA:
            entry["flagged"] = True
        return entry


def _stamp(row: dict[str, Any], found: Findings, grounding: float) -> None:
    kept = row.get("markers")
    row["markers"] = {**(kept if isinstance(kept, dict) else {}), **markers_of(found), MARKER: grounding}
    row["trace_flags"] = found.flags


def _warning(name: str, entry: Mapping[str, Any]) -> str:
    return (
        f"{name} goes with reward (correlation {entry['reward_corr']:+.2f}): {entry['meaning']}; read its rows with "
        f"--flag {name}, and mend the judge before you train on these rewards if it is what pays"
    )
