"""Files of other tools, read as they are: one module a format, found by content.

A format module has

* `NAME`: the value of `lineage.format`;
* `LOOKS_FOR`: what it recognises, as a phrase for an error message;
* `sniff(record) -> bool`: whether this record is of the format, decided by keys and value shapes, never by file name;
* `to_rows(record, source) -> list[dict]`: the rows of one record (often one), built with `common.make_row`; raises
  `ValueError` with a one-line reason for a record it cannot read;
* optionally `gather(records, source) -> Iterator[dict]`: for formats whose rows are spread over several records
  (spans of a trace, child runs, two lines per document), turns the records of a file into whole ones first.

A JSON list whose items are no records but the turns of one conversation (or the events of one run) reaches `sniff` as
one record: `{"messages": [...]}` for turns with `role`, `lc` or `type` + `data`; `{"conversations": [...]}` for turns
with `from`; `{"history": [...]}` for events with `source`, `action` or `observation`. So does a line that is one.

Order below decides ties: the specific before the general.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Protocol, cast

from whileai.simulations.errors import ReadError, keys_found, meant
from whileai.simulations.rows.formats.chat import is_row_of_ours
from whileai.simulations.rows.source import Source, was_read

OWN = "row"
OWN_KEYS = ("reward", "messages", "steps", "final_text", "task_id", "scenario_id")

_ORDER = (
    "inspect",
    "tau2_bench",
    "tau_bench",
    "verifiers_v1",
    "verifiers",
    "evalplus",
    "humaneval",
    "lm_eval",
    "otel_genai",
    "langsmith",
    "langchain",
    "swe_agent",
    "mini_swe_agent",
    "openhands",
    "alpaca_eval",
    "skyrl",
    "verl",
    "openrlhf",
    "trl_completions",
    "trl_preference",
    "openai_preference",
    "openai_batch",
    "openai_responses",
    "gemini",
    "sharegpt",
    "trl",
    "anthropic_messages",
    "openai_chat",
)


ACROSS_FILES = ("otel-genai", "langsmith")  # formats whose runs lie scattered over the files of an export
IDS_OF_A_FILE = ("verifiers", "lm-eval")  # formats that number the tasks of each file from 0
_CHATS = (OWN, "openai-chat", "anthropic-messages")
_QUOTED = re.compile(r"`(\w+)`")
_WORD = re.compile(r"\w+")
_SHARED_KEYS = frozenset({*OWN_KEYS, "prompt"})  # rows of ours have them, and records of formats too


class UnknownShapeError(ReadError):
    """A record, or a file, that is of no known format: it holds no rows."""


class Format(Protocol):
    """What a format module offers; see the package docstring."""

    NAME: str
    LOOKS_FOR: str

    def sniff(self, record: Mapping[str, Any]) -> bool:
        """Whether this record is of the format."""

    def to_rows(self, record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
        """The rows of one record."""


@cache
def known() -> tuple[Format, ...]:
    """The format modules, in the order in which a record is offered to them."""
    return tuple(cast(Format, importlib.import_module(f"{__name__}.{name}")) for name in _ORDER)


def named(name: str) -> Format | None:
    """The format module of that `NAME`; None for a row of ours.

    >>> named("tau-bench").NAME
    'tau-bench'
    """
    if name == OWN:
        return None
    for module in known():
        if name == module.NAME:
            return module
    names = [OWN, *(module.NAME for module in known())]
    raise ValueError(f"format {name!r} is not known; known are {', '.join(names)}{meant(name, names)}")


def is_own(record: Mapping[str, Any]) -> bool:
    """Whether a record that is of no foreign format is a row already."""
    return any(key in record for key in OWN_KEYS)


def recognise(record: Any) -> Format | None:
    """The format of a record: a module, or None for a row of ours; of no known shape, an `UnknownShapeError`.

    >>> recognise({"task_id": 3, "reward": 1.0}) is None
    True
    """
    if not isinstance(record, Mapping):
        raise UnknownShapeError(f"a record must be an object, found {keys_found(record)}")
    if "schema_version" in record or "scenario_id" in record or was_read(record):
        return None
    for module in known():
        if is_of(module, record):
            return module
    if is_own(record):
        return None
    raise UnknownShapeError(
        f"no known format: found {keys_found(record)}; looked for a row (any of {', '.join(OWN_KEYS)}) "
        f"or a record of {', '.join(m.NAME for m in known())}" + _nearest(record)
    )


def is_settled(record: Mapping[str, Any]) -> bool:
    """Whether the keys of a row of ours alone say that it is one: no record of a format has only such keys.

    >>> is_settled({"task_id": 3, "reward": 1.0}), is_settled({"task_id": "test/0", "completion": "return 1"})
    (True, False)
    """
    if "scenario_id" in record or "schema_version" in record:
        return True
    return _marks().keys().isdisjoint(record) and ("messages" not in record or is_row_of_ours(record))


def may_be_foreign(record: Mapping[str, Any]) -> bool:
    """Whether a record with the keys of a row of ours is of a format all the same: only those it may be are asked.

    >>> may_be_foreign({"task_id": "test/0", "completion": "return 1"}), may_be_foreign({"task_id": 3, "error": None})
    (True, False)
    """
    if "messages" in record and not is_row_of_ours(record):
        return True
    marks = _marks()
    return any(is_of(module, record) for name in marks.keys() & record.keys() for module in marks[name])


@cache
def _marks() -> dict[str, list[Format]]:
    """The keys that set records of formats apart from rows of ours, and the formats that look for each."""
    found: dict[str, list[Format]] = {}
    for module in known():
        for name in _asked(module.LOOKS_FOR) - _SHARED_KEYS:
            found.setdefault(name, []).append(module)
    return found


def column_names() -> frozenset[str]:
    """The keys that some format, or a row of ours, is known by.

    >>> "reward" in column_names(), "completion" in column_names(), "Dear reader" in column_names()
    (True, True, False)
    """
    return _SHARED_KEYS | _marks().keys()


def is_of(module: Format, record: Mapping[str, Any]) -> bool:
    """Whether a record is of a format; a record so strange that the question fails is not."""
    try:
        return module.sniff(record)
    except (TypeError, ValueError, LookupError, AttributeError, RecursionError):
        return False


def resembles(module: Format, record: Mapping[str, Any]) -> bool:
    """Whether a record may be read as of a format that was named: it is of it, or has a key that it looks for."""
    return is_of(module, record) or not _asked(module.LOOKS_FOR).isdisjoint(map(str, record))


def need(module: Format) -> str:
    """What to say of a record that a format cannot read.

    >>> need(named("humaneval"))
    'not a record of humaneval: it needs `task_id`, `completion`'
    """
    return f"not a record of {module.NAME}: it needs {module.LOOKS_FOR}"


def beside(module: Format | None, record: Mapping[str, Any]) -> Format | None:
    """The format of a record that stands among records of `module` but is not of it: another shape of plain chats.

    Loggers write a system text, a tool or our own columns only where there are any, so chats of these shapes share
    files. Any other mixture is a `ReadError`.
    """
    try:
        other = recognise(record)
    except ReadError:
        raise ReadError(misfit(record, module)) from None
    if other is module:
        return module
    if _name(module) in _CHATS and _name(other) in _CHATS and isinstance(record.get("messages"), list):
        return other
    raise ReadError(misfit(record, module))


def _name(module: Format | None) -> str:
    return OWN if module is None else module.NAME


def misfit(record: Mapping[str, Any], module: Format | None) -> str:
    """Why a record does not belong in a file of `module` (None: rows of ours)."""
    wanted = _name(module)
    try:
        found = recognise(record)
    except ReadError:
        wants = f"any of {', '.join(OWN_KEYS)}" if module is None else module.LOOKS_FOR
        return f"found {keys_found(record)}; a record of format {wanted} has {wants}"
    return f"a record of format {_name(found)} in a file of format {wanted}"


def joined(items: list[Any]) -> dict[str, Any] | None:
    """The one record that a list of turns or events stands for; None when its items are records themselves.

    >>> joined([{"from": "human", "value": "Hi"}])
    {'conversations': [{'from': 'human', 'value': 'Hi'}]}
    >>> joined([{"task_id": 1}]) is None
    True
    """
    if not items or not all(isinstance(item, dict) for item in items):
        return None
    first = items[0]
    if any(is_of(module, first) for module in known()) or is_own(first):
        return None
    if "role" in first or "lc" in first or {"type", "data"} <= first.keys():
        return {"messages": items}
    if "from" in first:
        return {"conversations": items}
    return {"history": items} if first.keys() & {"source", "action", "observation"} else None


def _nearest(record: Mapping[str, Any]) -> str:
    """The formats that ask for most of the record's keys, if any does."""
    keys = {str(key) for key in record}
    overlap = {module.NAME: len(keys & _asked(module.LOOKS_FOR)) for module in known()}
    near = sorted((module for module in known() if overlap[module.NAME]), key=lambda m: -overlap[m.NAME])[:2]
    return "".join(f"; nearest: {module.NAME} needs {module.LOOKS_FOR}" for module in near)


@cache
def _asked(looks_for: str) -> frozenset[str]:
    """The keys that a format looks for: the quoted words of its `LOOKS_FOR`, all where none is quoted."""
    return frozenset(_QUOTED.findall(looks_for) or _WORD.findall(looks_for))


def gathered(module: Format, records: Iterable[dict[str, Any]], source: Source) -> Iterator[dict[str, Any]]:
    """The whole records of a file: what the module's `gather` makes of them, else the records themselves."""
    gather = getattr(module, "gather", None)
    return iter(records) if gather is None else gather(records, source)
