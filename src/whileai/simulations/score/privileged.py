"""Did the agent say what only the teacher was told?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from whileai.simulations.arguments import report_of, whole
from whileai.simulations.reports import Report, printable
from whileai.simulations.rows.content import texts_in
from whileai.simulations.rows.heard import heard
from whileai.simulations.rows.text import agent_texts
from whileai.simulations.rows.values import as_text, is_mapping
from whileai.simulations.rows.voice import straight
from whileai.simulations.signature import public

SEARCHED = ("reference", "principle", "hidden_state")  # keys of the privileged block, in order
MIN_LEN = 12  # characters of a value below which it is not searched; convention
MOST_LISTED = 20  # hits in the report; convention
_SHOWN = 80  # characters of a hit
_THOUGHT_FIELDS = ("reasoning_content", "reasoning", "thinking", "thought")  # of messages, in the field's APIs


class LeakReport(Report):
    """What `leak_report` returns: a dict of its keys that prints itself.

    >>> leak_report([{"final_text": "Hi", "privileged": {"reference": "the seal was broken"}}])
    LeakReport(n_leaked=0, n_checked=1)
    """

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(values, show=format_leak_report)

    def __repr__(self) -> str:
        return f"LeakReport(n_leaked={self.get('n_leaked')}, n_checked={self.get('n_checked')})"


@public
def leak_report(rows: Any, min_len: int = MIN_LEN) -> LeakReport:
    """Which rows quote their own `privileged` block in the agent's text.

    Searched in every assistant turn and the reply is each text of `reference`, `principle` and `hidden_state`, nested
    ones too, that has `min_len` characters; whole, case and white space aside. Give `data.trajectories`, or the object
    that holds them: the export scrubs the block, and rows without it are not checked.

    `n_rows`; `n_checked` rows with something to search, `checked` when there are any; `n_leaked` and its share `rate`
    of the checked, 0.0 without any; `leaked` lists the first 20 as `{scenario_id, rollout_index, field, needle}`, the
    first hit of a row, cut at 80 characters; `summary` is one sentence.

    >>> row = {"scenario_id": "refund-9", "rollout_index": 1, "final_text": "Refused: the seal was broken twice."}
    >>> print(leak_report([row | {"privileged": {"hidden_state": {"note": "The seal was  broken"}}}]))
    checked 1 of 1 row: 1 quotes privileged text (100% of the checked)
      refund-9 r1: hidden_state.note = 'the seal was broken'
    """
    found = LeakTally(min_len)
    found.add(_rows_of(rows))
    return found.report()


class LeakTally:
    """What `leak_report` counts, over any number of batches; `least` is the shortest text that is searched."""

    def __init__(self, min_len: int = MIN_LEN) -> None:
        self.least = max(1, whole("min_len", min_len, 0))
        self.n_rows = self.n_checked = self.n_leaked = self.n_blocks = 0
        self.may_be_exported = False
        self.leaked: list[dict[str, Any]] = []

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Look at some rows."""
        for row in rows:
            self.n_rows += 1
            block = row.get("privileged")
            needles = list(_needles(block, self.least)) if is_mapping(block) else []
            if not needles:
                self.n_blocks += bool(is_mapping(block) and block)
                self.may_be_exported = self.may_be_exported or "scenario_id" in row
                continue
            self.n_checked += 1
            hit = _first_quoted(row, needles)
            if hit is not None:
                self.n_leaked += 1
                if self.n_leaked <= MOST_LISTED:
                    self.leaked.append(listed(row, *hit))

    def merge(self, other: LeakTally) -> None:
        """Add what another counted of rows that come after."""
        self.n_rows += other.n_rows
        self.n_checked += other.n_checked
        self.n_leaked += other.n_leaked
        self.n_blocks += other.n_blocks
        self.may_be_exported |= other.may_be_exported
        self.leaked = (self.leaked + other.leaked)[:MOST_LISTED]

    def report(self) -> LeakReport:
        """The report."""
        if self.n_checked:
            summary = _summary(self.n_rows, self.n_checked, self.n_leaked)
        else:
            summary = _vacuous(self.n_rows, self.n_blocks, self.may_be_exported, self.least)
        return LeakReport(
            {
                "n_rows": self.n_rows,
                "n_checked": self.n_checked,
                "n_leaked": self.n_leaked,
                "rate": round(self.n_leaked / self.n_checked, 4) if self.n_checked else 0.0,
                "checked": self.n_checked > 0,
                "leaked": self.leaked,
                "summary": summary,
            }
        )


def untold_leak(row: Mapping[str, Any], min_len: int = MIN_LEN) -> tuple[str, str] | None:
    """The first privileged text a row's agent quotes without having been told it, as `(field, text)`; None of none.

    Searched are what it says, what it thinks (`reasoning_content`) and what it calls tools with. What a user, a prompt
    or a tool's result said is no secret: a reference may well name the user's own id. A call is held against what came
    before it, since a tool may say again what it was given. A block that is a text or a list counts as a whole.

    >>> row = {"privileged": {"reference": ["the seal was broken"]}, "final_text": "The seal was broken, sorry."}
    >>> untold_leak(row), untold_leak({**row, "prompt": "It came and the seal was broken."})
    (('reference', 'the seal was broken'), None)
    >>> step = {"tool": "note", "arguments": {"text": "the seal was broken"}, "result": "the seal was broken"}
    >>> untold_leak({**row, "steps": [step]})
    ('reference', 'the seal was broken')
    """
    needles = list(_secrets(row, min_len))
    if not needles:
        return None
    spoken = _comparable("\x00".join([*agent_texts(row), *_thoughts(row)]))
    found = heard(row)
    calls = [(before, _comparable("\x00".join(texts_in(arguments)))) for before, _, arguments in found.calls]
    said = "\x00".join([spoken, *(text for _, text in calls)])
    quoted = [item for item in needles if straight(item[1]) in said]
    if not quoted:
        return None
    told = [_comparable(as_text(text)) for text in found.told]

    def untold(needle: str) -> bool:
        first = next((at for at, text in enumerate(told) if needle in text), len(told))
        never = first == len(told) and needle not in " ".join(told)
        return (never and needle in spoken) or any(before <= first and needle in text for before, text in calls)

    return next((item for item in quoted if untold(straight(item[1]))), None)


def _thoughts(row: Mapping[str, Any]) -> Iterator[str]:
    """What the agent thought, where messages hold it apart from what it said."""
    messages = row.get("messages")
    for message in messages if isinstance(messages, list | tuple) else ():
        if is_mapping(message):
            yield from texts_in([message.get(name) for name in _THOUGHT_FIELDS])


def fit_for_files(rows: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The rows as a file may hold them: one with a `privileged` block as it is exported, any other as it stands.

    >>> [dict(row) for row in fit_for_files([{"reward": 1}, {"reward": 0, "privileged": {"principle": "Ask first."}}])]
    [{'reward': 1}, {'reward': 0}]
    """
    from whileai.simulations.exports.row import exported_row

    return (exported_row(dict(row)) if "privileged" in row else row for row in rows)


def _first_quoted(row: Mapping[str, Any], needles: list[tuple[str, str]]) -> tuple[str, str] | None:
    said = _comparable("\x00".join(agent_texts(row)))
    return next(((field, needle) for field, needle in needles if straight(needle) in said), None)


@public
@report_of("leak_report")
def format_leak_report(report: Mapping[str, Any]) -> str:
    """The summary, then a line for each listed hit; an empty report is empty text.

    >>> print(format_leak_report({"summary": "checked 1 of 1 row: none quotes privileged text", "leaked": []}))
    checked 1 of 1 row: none quotes privileged text
    """
    lines = [printable(report["summary"])] if report.get("summary") else []
    for hit in report.get("leaked") or ():
        task, attempt, field, needle = (
            printable(as_text(hit.get(name))) or "-" for name in ("scenario_id", "rollout_index", "field", "needle")
        )
        lines.append(f"  {task} r{attempt}: {field} = '{needle}'")
    return "\n".join(lines)


def _rows_of(rows: Any) -> Iterator[Mapping[str, Any]]:
    held = None if isinstance(rows, list) else getattr(rows, "trajectories", None)
    items = rows if held is None else held
    if isinstance(items, Mapping | str | bytes) or not isinstance(items, Iterable):
        raise TypeError(f"leak_report needs rows, or an object with trajectories, got a {type(items).__name__}")
    return filter(is_mapping, items)


def _needles(block: Mapping[str, Any], least: int) -> Iterator[tuple[str, str]]:
    """Every text of the block that is long enough: its dotted field, the text in lower case with single blanks."""
    pending = [(name, block.get(name)) for name in reversed(SEARCHED)]
    while pending:
        field, value = pending.pop()
        if isinstance(value, str):
            needle = " ".join(value.lower().split())
            if len(needle) >= least:
                yield field, needle
        elif is_mapping(value):
            pending += [(f"{field}.{as_text(key)}", value[key]) for key in reversed(list(value))]
        elif isinstance(value, list | tuple):
            pending += [(field, item) for item in reversed(value)]


def _comparable(text: str) -> str:
    return " ".join(straight(text).split())


def holds_secrets(row: Mapping[str, Any], min_len: int = MIN_LEN) -> bool:
    """Whether a row's `privileged` block holds a text long enough to be looked for.

    >>> holds_secrets({"privileged": {"reference": "the seal was broken"}}), holds_secrets({"privileged": {}})
    (True, False)
    """
    return next(_secrets(row, min_len), None) is not None


def _secrets(row: Mapping[str, Any], min_len: int) -> Iterator[tuple[str, str]]:
    """The texts of a row's block, one that is a text or a list included."""
    block = row.get("privileged")
    return _needles(block if is_mapping(block) else {SEARCHED[0]: block}, max(1, min_len))


def listed(row: Mapping[str, Any], field: str, needle: str) -> dict[str, Any]:
    """A hit as `leak_report` lists it.

    >>> listed({"scenario_id": "a"}, "reference", "the seal was broken")["rollout_index"] is None
    True
    """
    return {
        "scenario_id": row.get("scenario_id"),
        "rollout_index": row.get("rollout_index"),
        "field": field,
        "needle": needle[:_SHOWN],
    }


def _summary(n_rows: int, n_checked: int, n_leaked: int) -> str:
    found = "none quotes privileged text"
    if n_leaked:
        verb = "quotes" if n_leaked == 1 else "quote"
        found = f"{n_leaked} {verb} privileged text ({n_leaked / n_checked:.0%} of the checked)"
    return f"checked {n_checked} of {n_rows} {_noun(n_rows)}: {found}"


def _vacuous(n_rows: int, n_blocks: int, may_be_exported: bool, least: int) -> str:
    start = f"checked 0 of {n_rows} {_noun(n_rows)}, which says nothing about leaks"
    if n_blocks:
        return f"{start}: the privileged blocks hold no {', '.join(SEARCHED)} of {least} characters or more"
    if may_be_exported:
        return f"{start}: no row carries a privileged block, which the export scrubs; pass data.trajectories"
    return f"{start}: no row carries a privileged block" if n_rows else start


def _noun(n_rows: int) -> str:
    return "row" if n_rows == 1 else "rows"
