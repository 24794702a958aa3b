"""How the rows were made: the settings every row shares, the ones they disagree on, and four shares."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from typing import Any

from whileai.simulations.rows.batch import all_said, is_said
from whileai.simulations.rows.table import RowTable, distinct
from whileai.simulations.rows.text import reply
from whileai.simulations.rows.thoughts import spoken
from whileai.simulations.rows.values import as_text, is_bool, is_mapping, number

FIELDS = (
    "temperature",
    "max_tokens",
    "policy_version",
    "judge_version",
    "prompt_hash",
    "user_model",
    "writer_model",
)
SHARES = ("truncated_share", "answered_share", "unclosed_think_share", "graded_share")


class RunConfig:
    """Collects the settings of rows over any number of tables; `to_dict` is the `config` of `pass_at`.

    >>> config = RunConfig()
    >>> config.add(RowTable([{"sampling": {"temperature": 1}, "reward": 1}, {"sampling": {"temperature": 0.5}}]))
    >>> config.to_dict(n_tasks=1, k=1)["mixed"]
    ['temperature']
    """

    def __init__(self) -> None:
        self._seen: dict[str, dict[Any, Any]] = {name: {} for name in FIELDS}
        self._rows = self._graded = 0
        self._finished = self._cut = 0
        self._replies = self._answered = self._unclosed = 0

    def add(self, table: RowTable) -> None:
        """Add the rows of one table."""
        self._rows += len(table)
        self._graded += int(table.graded.sum())
        self._add_settings(table)
        reasons = [reason for reason in table.column("finish_reason") if isinstance(reason, str)]
        self._finished += len(reasons)
        self._cut += reasons.count("length")
        self._add_replies(table)

    def merge(self, other: RunConfig) -> None:
        """Add what another collected of rows that come after."""
        for name, values in other._seen.items():
            for identity, value in values.items():
                self._seen[name].setdefault(identity, value)
        for count in ("_rows", "_graded", "_finished", "_cut", "_replies", "_answered", "_unclosed"):
            setattr(self, count, getattr(self, count) + getattr(other, count))

    def _add_settings(self, table: RowTable) -> None:
        sampling = _distinct(table.distinct("sampling"), ("temperature", "max_tokens"))
        self._note("temperature", (pair[0] for pair in sampling))
        self._note("max_tokens", (pair[1] for pair in sampling))
        self._note("policy_version", _texts(table.distinct("policy_version")))
        self._note("judge_version", _judge_versions(*_beside(table, "judge_meta", "lineage")))
        self._note("prompt_hash", _prompt_hashes(*_beside(table, "lineage", "policy_version")))
        self._note("user_model", _texts(table.distinct("user_model")))
        self._note("writer_model", (name for name in _texts(table.distinct("writer_model")) if name != "pinned"))

    def _note(self, name: str, values: Iterable[Any]) -> None:
        seen = self._seen[name]
        for value in values:
            if not _is_no_value(value):
                seen.setdefault(_identity(value), value)

    def _add_replies(self, table: RowTable) -> None:
        finals = table.column("final_text")
        if _all_plainly_said(finals):
            self._replies += len(finals)
            self._answered += len(finals)
            return
        for place, final in enumerate(finals):
            if is_said(final):
                text = final
            elif final is None and "messages" not in table.rows[place]:
                continue
            else:
                text = reply(table.rows[place])
            if text is None:
                continue
            self._replies += 1
            if "<" not in text:
                self._answered += bool(text and not text.isspace())
                continue
            said, cut = spoken(text)
            self._unclosed += cut
            self._answered += bool(said and not said.isspace())

    def to_dict(self, n_tasks: int, k: int) -> dict[str, Any]:
        """All keys, always: the counts given, each setting (None when absent or mixed), `mixed`, the four shares."""
        settings = {
            name: _plain(next(iter(seen.values()))) if len(seen) == 1 else None for name, seen in self._seen.items()
        }
        mixed = [name for name, seen in self._seen.items() if len(seen) > 1]
        return {"n_tasks": n_tasks, "k": k, **settings, "mixed": mixed, **self.shares()}

    def answered(self) -> tuple[int, int]:
        """`(rows with spoken words, rows that have a reply field)`."""
        return self._answered, self._replies

    def shares(self) -> dict[str, float | None]:
        """The four shares, 4 decimals, None where no row says."""
        return {
            "truncated_share": _share(self._cut, self._finished),
            "answered_share": _share(self._answered, self._replies),
            "unclosed_think_share": _share(self._unclosed, self._replies),
            "graded_share": _share(self._graded, self._rows),
        }


def _all_plainly_said(finals: Sequence[Any]) -> bool:
    """Whether every reply is text with words, and none has a tag that could be a thought's."""
    return all_said(finals) and "<" not in "".join(finals)


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _identity(value: Any) -> Any:
    """What tells two settings apart: the value itself (1 and 1.0 are one), its repr when it cannot be hashed."""
    try:
        hash(value)
    except TypeError:
        return "repr:" + as_text(value)
    return value


def _plain(value: Any) -> Any:
    """A setting as JSON holds it: numbers and text as they are, NumPy's as Python's, anything else as JSON or text."""
    if value is None or isinstance(value, str | bool):
        return value
    if is_bool(value):
        return bool(value)
    if (read := number(value)) is not None:
        return read
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        return as_text(value)


def _is_no_value(value: Any) -> bool:
    """Whether a setting is absent: None, or a float that is no number."""
    return value is None or (isinstance(value, float) and not math.isfinite(value))


def _distinct(mappings: Sequence[Any], keys: tuple[str, ...]) -> Sequence[tuple[Any, ...]]:
    """The distinct tuples under `keys` of the mappings, in the order met."""
    if mappings and mappings.count(mappings[0]) == len(mappings):
        mappings = mappings[:1]
    return distinct(list(zip(*(_under(mappings, key) for key in keys), strict=True)))


def _beside(table: RowTable, one: str, other: str) -> tuple[Sequence[Any], Sequence[Any]]:
    """Two columns, value beside value; a column of one value only is put beside the distinct values of the other."""
    ones, others = table.distinct(one), table.distinct(other)
    if len(others) == 1:
        return ones, [others[0]] * len(ones)
    if len(ones) == 1:
        return [ones[0]] * len(others), others
    return table.column(one), table.column(other)


def _texts(values: Sequence[Any]) -> list[str]:
    return [as_text(value) for value in values if not _is_no_value(value)]


def _under(holders: Sequence[Any], key: str) -> Sequence[Any]:
    """What each holder has under the key, None where it has none or is no mapping."""
    kinds = set(map(type, holders))
    if kinds == {dict}:
        return [holder.get(key) for holder in holders]
    if kinds == {type(None)}:
        return holders
    return [holder.get(key) if is_mapping(holder) else None for holder in holders]


def _judge_versions(metas: Sequence[Any], lineages: Sequence[Any]) -> list[Any]:
    pairs = distinct(list(zip(_under(metas, "version"), _under(lineages, "judge_version"), strict=True)))
    return [lineage if own is None else own for own, lineage in pairs]


def _prompt_hashes(lineages: Sequence[Any], policies: Sequence[Any]) -> list[Any]:
    pairs = distinct(list(zip(_under(lineages, "system_prompt_sha"), policies, strict=True)))
    return [_suffix(policy) if own is None else own for own, policy in pairs]


def _suffix(policy: Any) -> str | None:
    if policy is None:
        return None
    _, at, suffix = as_text(policy).partition("@")
    return suffix if at and suffix else None
