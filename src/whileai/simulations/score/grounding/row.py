"""Which arguments of a rollout's tool calls came from nowhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple, TypedDict, Unpack

from whileai.simulations.arguments import whole
from whileai.simulations.rows.heard import heard
from whileai.simulations.rows.single import need_row
from whileai.simulations.rows.table import row_items
from whileai.simulations.rows.values import as_text, is_mapping
from whileai.simulations.score.grounding.context import Context, whole_at
from whileai.simulations.score.grounding.normal import normal
from whileai.simulations.signature import public

MARKER = "argument_grounding"
_HOLDERS = (list, tuple, dict, Mapping)
MIN_LEN = 3  # characters of a normal value below which it is not checked; convention


class Options(TypedDict, total=False):
    """What is not checked: argument names, legal values, values shorter than so many characters."""

    ignore_keys: Sequence[str]
    allow: Sequence[str]
    min_len: int


class Offender(NamedTuple):
    """An argument that nobody gave: the tool, its dotted key path, its value as written, and how much came before."""

    tool: str
    key: str
    value: str
    before: int

    @property
    def argument(self) -> str:
        """Tool and key path in one."""
        return f"{self.tool}.{self.key}"


class Checker:
    """Finds the ungrounded arguments of one row after another."""

    def __init__(self, ignore_keys: Sequence[str] = (), allow: Sequence[str] = (), min_len: int = MIN_LEN) -> None:
        self._ignored = frozenset(name.lower() for name in _texts("ignore_keys", ignore_keys))
        self._allowed = frozenset(map(normal, _texts("allow", allow)))
        self._min_len = whole("min_len", min_len, 0)

    def check(
        self, row: Mapping[str, Any], wanted: Callable[[str, str], bool] | None = None
    ) -> tuple[list[Offender], bool]:
        """The row's ungrounded arguments in order, and whether it has calls; only those `wanted` by name and value."""
        found = heard(row)
        opening = found.told[0] if found.told else None
        if type(opening) is not str or not opening.isascii():
            opening = ""
        asked: list[tuple[str, int, str, str, str]] = []
        for before, tool, arguments in found.calls:
            for path, name, value in _strings(arguments):
                if before and whole_at(opening, value) >= 0:
                    continue  # what most values are; the rest is made comparable first
                if wanted is not None and not wanted(name, value):
                    continue
                if self._ignored and name.lower() in self._ignored:
                    continue
                spelled = normal(value)
                if len(spelled) >= self._min_len and spelled not in self._allowed:
                    asked.append((spelled, before, tool, path, value))
        if not asked:
            return [], bool(found.calls)
        context = Context(found.told[: asked[-1][1]])
        if context.is_long_for(len(asked)):
            context.look_for(item[0] for item in asked)
        offenders = [
            Offender(tool, path, value, before)
            for spelled, before, tool, path, value in asked
            if not context.holds(spelled, before)
        ]
        return offenders, True


@public
def ungrounded_arguments(
    row: Mapping[str, Any], ignore_keys: Sequence[str] = (), allow: Sequence[str] = (), min_len: int = MIN_LEN
) -> list[dict[str, str]]:
    """The string arguments of the row's tool calls that stand nowhere in what the agent had been told by then.

    Each is `{"tool", "key", "value"}`: the key path dotted with list items numbered, the value as written; in call
    order, repeats included. Told are `system_prompt`, `prompt`, user and system turns and results of earlier calls,
    by their keys and values; the agent's own words and arguments are not. Case, white space, `_`, `-` and typography
    aside a value must stand there whole: not cut out of a longer number, nor put together from letters of two words.

    Skipped are numbers, values below `min_len` characters, arguments named in `ignore_keys` (texts the agent is to
    compose: a note, a command) and values in `allow` (an enum, a default), both in any case. What the agent rightly
    derived, as a date from "tomorrow", is listed: look at the list before a reward is built on it.

    >>> steps = [{"tool": "refund", "arguments": {"order_id": "ORD-7788", "reason": "Arrived broken"}}]
    >>> ungrounded_arguments({"prompt": "My order arrived broken, refund it", "steps": steps})
    [{'tool': 'refund', 'key': 'order_id', 'value': 'ORD-7788'}]
    """
    need_row("ungrounded_arguments", row)
    offenders = Checker(ignore_keys, allow, min_len).check(row)[0]
    return [{"tool": each.tool, "key": each.key, "value": each.value} for each in offenders]


@public
def argument_grounding(row: Mapping[str, Any], **options: Unpack[Options]) -> float:
    """1.0 when every string argument of every tool call is grounded, 0.0 when one is not; no calls are grounded.

    Options are those of `ungrounded_arguments`.

    >>> argument_grounding({"prompt": "Refund it", "steps": [{"tool": "refund", "arguments": {"id": "ORD-7788"}}]})
    0.0
    """
    checker = checker_for("argument_grounding", options)
    need_row("argument_grounding", row)
    return grounding_mark(checker, row)


@public
def mark_grounding(rows: Iterable[Any], **options: Unpack[Options]) -> list[Any]:
    """Copies of the rows with `markers["argument_grounding"]`, which `marker_summary` and `delta_report` read.

    The copies are shallow with a `markers` dict of their own, the rows stay as they are, and what is no row is passed
    on. Options are those of `ungrounded_arguments`.

    >>> mark_grounding([{"prompt": "Hi", "markers": {"polite": 1.0}}])
    [{'prompt': 'Hi', 'markers': {'polite': 1.0, 'argument_grounding': 1.0}}]
    """
    checker = checker_for("mark_grounding", options)
    return [_marked(row, grounding_mark(checker, row)) if is_mapping(row) else row for row in row_items(rows)]


def checker_for(function: str, options: Options) -> Checker:
    """The checker with some options; a `TypeError` that names the function when one is none of them."""
    legal = Options.__annotations__
    for name in options:
        if name not in legal:
            near = get_close_matches(name, legal, n=1)
            hint = f"did you mean {near[0]}?" if near else f"it takes {', '.join(legal)}"
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}: {hint}")
    return Checker(**options)


def grounding_mark(checker: Checker, row: Mapping[str, Any]) -> float:
    """The marker of a row: 1.0 without an ungrounded argument, else 0.0."""
    return 0.0 if checker.check(row)[0] else 1.0


def _marked(row: Mapping[str, Any], mark: float) -> dict[str, Any]:
    markers = row.get("markers")
    return {**row, "markers": {**(markers if is_mapping(markers) else {}), MARKER: mark}}


def _strings(arguments: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Every text in the arguments, nested ones too: its key path, the argument's name, the text."""
    found: list[tuple[str, str, str]] = []
    for key, value in arguments.items():
        if isinstance(value, str):
            name = key if type(key) is str else as_text(key)
            found.append((name, name, value))
        elif isinstance(value, _HOLDERS):
            found += _nested(as_text(key), value)
    return found


def _nested(key: str, value: Any) -> Iterator[tuple[str, str, str]]:
    pending: list[tuple[str, str, Any]] = [(key, key, value)]
    while pending:
        path, name, value = pending.pop()
        if isinstance(value, str):
            yield path, name, value
        elif is_mapping(value):
            pending += [(f"{path}.{as_text(key)}", as_text(key), value[key]) for key in reversed(list(value))]
        elif isinstance(value, list | tuple):
            pending += [(f"{path}.{place}", name, value[place]) for place in reversed(range(len(value)))]


def _texts(name: str, values: Any) -> Iterable[str]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be a list of texts, got {values!r}")
    return map(as_text, values)
