"""TRL's log of GRPO completions: a row a completion, a column a reward function, marks of a template in the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from math import fsum
from typing import Any

from whileai.simulations.rows.formats.chat import is_row_of_ours, is_said
from whileai.simulations.rows.formats.common import make_row, reward_of
from whileai.simulations.rows.formats.identity import ATTEMPT_FIELDS, RECORD_FIELDS, TASK_FIELDS
from whileai.simulations.rows.formats.trl import exchange, prompt_of
from whileai.simulations.rows.source import Source

NAME = "trl-completions"
LOOKS_FOR = "`step`, `prompt`, `completion`, a column a reward function, `advantage`"
_LOOK_AHEAD = 1000
_NO_REWARD = frozenset({"step", "advantage", *TASK_FIELDS, *RECORD_FIELDS, *ATTEMPT_FIELDS})


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is a line of a completion log.

    >>> sniff({"step": 1, "prompt": "Sky?", "completion": "Blue.", "length_reward": 0.5, "advantage": 0.0})
    True
    """
    return (
        _is_number(record.get("step"))
        and is_said(record.get("prompt"))
        and is_said(record.get("completion"))
        and ("advantage" in record or bool(_numeric(record)))
        and not is_row_of_ours(record)
    )


def gather(records: Iterable[dict[str, Any]], source: Source) -> Iterator[dict[str, Any]]:
    """The records as they are, once the file's reward columns are known: a column may be null on some of them.

    >>> source = Source("completions_00001.parquet")
    >>> lines = [{"step": 1, "right": None, "short": 0.5}, {"step": 1, "right": 1.0, "short": 0.0}]
    >>> len(list(gather(lines, source))), source.facts
    (2, {'reward_columns': ['right', 'short']})
    """
    stream = iter(records)
    head = list(islice(stream, _LOOK_AHEAD))
    names = list(dict.fromkeys(name for record in head for name in record))
    source.facts["reward_columns"] = _reward_columns(head, names, source)
    return chain(head, stream)


def _reward_columns(head: list[dict[str, Any]], names: list[str], source: Source) -> list[str]:
    if source.rewards is None:
        numeric = {name for record in head for name in _numeric(record)}
        return [name for name in names if name in numeric]
    missing = [name for name in source.rewards if name not in names]
    if missing:
        raise ValueError(f"rewards names {', '.join(map(repr, missing))}, no column: columns are {', '.join(names)}")
    return list(source.rewards)


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The one row of a line: reward = the sum of its reward columns, a null column being a function that did not apply.

    The columns are those named by `load_rows(..., rewards=[...])`, else every number that is neither the step, the
    advantage nor an id. The file holds no weights: with several columns each counts once, which is noted.

    >>> line = {"step": 1, "prompt": "Sky?", "completion": "Blue.", "short": 1.0, "right": 0.5, "advantage": 0.0}
    >>> row = to_rows(line, Source("completions_00001.parquet"))[0]
    >>> row["reward"], row["markers"]
    (1.5, {'short': 1.0, 'right': 0.5})
    """
    messages = exchange(record.get("prompt"), record.get("completion"))
    row = make_row(
        record,
        source,
        form=NAME,
        consumed=("prompt", "completion", "reward"),
        messages=messages,
        prompt=prompt_of(record["prompt"]),
        **_verdict(record, source),
    )
    return [row]


def _verdict(record: Mapping[str, Any], source: Source) -> dict[str, Any]:
    columns = source.facts.get("reward_columns") or source.rewards or _numeric(record)
    scores = {name: score for name in columns if (score := reward_of(record.get(name))) is not None}
    if len(columns) == 1:
        return {"reward": next(iter(scores.values()), None), "judge_name": columns[0]}
    if columns:
        hint = "" if source.rewards else "; name the columns that are rewards with rewards=[...]"
        names = ", ".join(columns)
        source.note(f"reward is the sum of {names}: a weight of 1 each is assumed, as the file holds none{hint}")
    return {"reward": fsum(scores.values()) if scores else None, "markers": scores or None}


def _numeric(record: Mapping[str, Any]) -> list[str]:
    return [name for name, value in record.items() if name not in _NO_REWARD and _is_number(value)]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
