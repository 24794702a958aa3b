"""Files of other tools, read as they are: one module a format, found by content.

A format module has

* `NAME`: the value of `lineage.format`;
* `LOOKS_FOR`: what it recognises, as a phrase for an error message;
* `sniff(record) -> bool`: whether this record is of the format, decided by keys and value shapes, never by file name;
* `to_rows(record, source) -> list[dict]`: the rows of one record (often one), built with `common.make_row`; raises
  `ValueError` with a one-line reason for a record it cannot read;
* optionally `gather(records, source) -> Iterator[dict]`: for formats whose rows are spread over several records
  (spans of a trace, child runs, two lines per document), turns the records of a file into whole ones first.

Order below decides ties: the specific before the general.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Protocol, cast

from whileai.simulations.errors import ReadError, keys_found
from whileai.simulations.rows.source import Source

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
    raise ValueError(f"format {name!r} is not known; known are {', '.join([OWN, *(m.NAME for m in known())])}")


def is_own(record: Mapping[str, Any]) -> bool:
    """Whether a record that is of no foreign format is a row already."""
    return any(key in record for key in OWN_KEYS)


def recognise(record: Any) -> Format | None:
    """The format of a record: a module, or None for a row of ours. A record of no known shape is a `ReadError`.

    >>> recognise({"task_id": 3, "reward": 1.0}) is None
    True
    """
    if not isinstance(record, Mapping):
        raise ReadError(f"a record must be an object, found {keys_found(record)}")
    if "schema_version" in record or "scenario_id" in record:
        return None
    for module in known():
        if module.sniff(record):
            return module
    if is_own(record):
        return None
    raise ReadError(
        f"no known format: found {keys_found(record)}; looked for a row (any of {', '.join(OWN_KEYS)}) "
        f"or a record of {', '.join(m.NAME for m in known())}" + _nearest(record)
    )


def _nearest(record: Mapping[str, Any]) -> str:
    words = {str(key) for key in record}
    scored = sorted(
        ((len(words & set(m.LOOKS_FOR.replace(",", " ").replace("`", " ").split())), -i, m) for i, m in enumerate(known())),
        key=lambda entry: entry[:2],
        reverse=True,
    )
    near = [m for score, _, m in scored[:2] if score]
    return "".join(f"; nearest: {m.NAME} needs {m.LOOKS_FOR}" for m in near)


def gathered(module: Format, records: Iterable[dict[str, Any]], source: Source) -> Iterator[dict[str, Any]]:
    """The whole records of a file: what the module's `gather` makes of them, else the records themselves."""
    gather = getattr(module, "gather", None)
    return iter(records) if gather is None else gather(records, source)
