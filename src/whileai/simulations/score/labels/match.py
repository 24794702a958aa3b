"""Which row each label names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from whileai.simulations.reports import printable
from whileai.simulations.rows.task import task_id
from whileai.simulations.score.labels.identity import identity, indexed_id, rollout_id, text_id

Row = dict[str, Any]
KEY_FORMS = (
    "a label's key is the row's rollout_id, else '<scenario_id>#<rollout_index>', "
    "or a bare scenario_id with one rollout; a record may give the prompt (and final_text) instead"
)
_SHOWN = 3  # keys in a message
_KEY_CHARS = 80


@dataclass(slots=True)
class _Named:
    """The first row of a name, and how the rows are spelled once there are several: the first spellings that differ."""

    row: Row
    spellings: list[str] = field(default_factory=list)

    def add(self, row: Row) -> None:
        if row is self.row:
            return
        if not self.spellings:
            self.spellings.append(identity(self.row))
        if len(self.spellings) < _SHOWN and (spelling := identity(row)) not in self.spellings:
            self.spellings.append(spelling)


def named_rows(rows: list[Row], keys: Iterable[str]) -> dict[str, Row]:
    """The row of each key that names one; a key of several rows is a `ValueError`.

    One pass over the rows, and a second over their texts only for keys that no id answers to.

    >>> rows = [{"scenario_id": "s", "rollout_index": 0}, {"rollout_id": "r1"}]
    >>> named_rows(rows, ["s#0", "r1", "s", "t"]) == {"s#0": rows[0], "s": rows[0], "r1": rows[1]}
    True
    """
    wanted = set(keys) - {""}
    found: dict[str, _Named] = {}
    for name_of in (rollout_id, indexed_id, task_id):
        _find(rows, wanted, name_of, found)
    if wanted - found.keys():
        _find(rows, wanted, text_id, found)
    for key, named in found.items():
        if named.spellings:
            raise ValueError(_ambiguous(key, named.spellings))
    return {key: named.row for key, named in found.items()}


def _find(rows: list[Row], wanted: set[str], name_of: Callable[[Row], str], found: dict[str, _Named]) -> None:
    for row in rows:
        if (name := name_of(row)) in wanted:
            if (named := found.get(name)) is None:
                found[name] = _Named(row)
            else:
                named.add(row)


def _ambiguous(key: str, spellings: list[str]) -> str:
    shown = printable(key, _KEY_CHARS)
    if len(spellings) == 1:
        return (
            f"label key '{shown}' names several rows, all spelled '{printable(spellings[0], _KEY_CHARS)}' (pooled runs "
            "or equal texts): give every row a unique rollout_id and use it as the key; no row was changed"
        )
    return (
        f"label key '{shown}' names several rows: {shown_keys(spellings)}; use the row's own key, "
        "'<scenario_id>#<rollout_index>' or its rollout_id; no row was changed"
    )


def shown_keys(keys: Iterable[str | None]) -> str:
    """The first keys, quoted and safe to print; None for a label without any.

    >>> shown_keys(["a", None, "b", "c"])
    "'a', None, 'b'"
    """
    return ", ".join("None" if key is None else f"'{printable(key, _KEY_CHARS)}'" for key in islice(keys, _SHOWN))


def keys_carried(rows: list[Row]) -> str:
    """The first keys that the rows answer to, as part of a message.

    >>> keys_carried([{"rollout_id": "r1"}, {}]), keys_carried([])
    ("the rows carry 'r1'", 'there are no rows with a key')
    """
    keys = list(islice((key for key in map(identity, rows) if key), _SHOWN))
    return f"the rows carry {shown_keys(keys)}" if keys else "there are no rows with a key"
