"""Stock behavioral markers of one reply: 1 is present, and worse (Lambert 2025, chapter Over-optimization).

The opposite polarity of `score.style`, whose markers `delta_report` reads the right way round.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from whileai.simulations.arguments import report_of
from whileai.simulations.errors import meant, warn
from whileai.simulations.reports import printable
from whileai.simulations.rows.table import RowTable, row_items
from whileai.simulations.rows.text import reply
from whileai.simulations.rows.values import finite, is_mapping
from whileai.simulations.rows.voice import spoken, straight, text_words
from whileai.simulations.score.style.phrases import CONDITION, NOT_OTHER_AI, NOT_OTHER_POINT, NOT_PLACED
from whileai.simulations.signature import public

_LEAD = r"[ \t\"'*_#>-]*+"
_SENTENCE = rf"(?:\A|[.!?:…\n]){_LEAD}"  # where a sentence may begin
_CLAUSE = rf"(?:\A|[.!?:…\n,;(—–]){_LEAD}"
_FEELINGS = r"(?:beliefs?|biases|desires|emotions?|experiences?|feelings?|opinions?|preferences?|thoughts?|views?)"


class _Detector(NamedTuple):
    """A marker: words one of which every match holds, and the pattern, in lower case with straight apostrophes."""

    words: frozenset[str]
    pattern: re.Pattern[str]

    def fires(self, text: str, words: Iterable[str]) -> bool:
        return not self.words.isdisjoint(words) and self.pattern.search(straight(spoken(text))) is not None


def _detector(words: str, *patterns: str) -> _Detector:
    """Patterns in which a blank is any white space, each a whole number of words unless it says where it begins."""
    whole = [pattern if pattern.startswith("(?:\\A") else rf"(?<!\w){pattern}" for pattern in patterns]
    joined = "|".join(rf"{pattern}(?!(?<=\w)\w)" for pattern in whole)
    return _Detector(frozenset(words.split()), re.compile(re.sub(r"(?<!\[) ", r"\\s++", joined)))


_DETECTORS = {
    "boilerplate": _detector(
        "certainly absolutely course sure here hope know feel",
        rf"{_SENTENCE}(?:(?:yes|oh|ok|okay|well)[,!.]? )?(?:certainly|absolutely|of course|sure(?: thing)?)[!,.]",
        rf"{_CLAUSE}here(?:'s| is) (?:an?|the|your|how|what)",
        r"i hope (?:this|that) helps",
        r"let me know if",
        r"feel free to",
    ),
    "self_reference": _detector(
        "ai model assistant chatbot feelings opinions personal emotions beliefs preferences",
        rf"as an ai{NOT_OTHER_AI}",
        r"as an? (?:large )?language model",
        rf"(?:i'm|i am) (?:just |only |merely |simply )?an ai{NOT_OTHER_AI}",
        r"(?:i'm|i am) (?:just |only |merely |simply )?a (?:large )?language model",
        r"(?:i'm|i am) (?:just |only |merely |simply )?an? (?:virtual )?(?:assistant|chatbot)"
        r"(?=\s*+(?:[.,;:!?)]|\Z)| (?:and|but|so|who|that|here|made|built|trained|designed|developed|created)\b)",
        rf"i (?:don't|do not) have (?:any )?(?:personal {_FEELINGS}|feelings|opinions|emotions|beliefs|preferences)",
    ),
    "hedging": _detector(
        "depends important generally general mind said extent",
        r"it depends",
        r"(?:it's|it is) important to (?:note|remember|consider)",
        r"generally speaking",
        r"in general(?=\s*+(?:[.,;:!?)]|\Z)| (?:i|we|you|it|they|there|this|these|is|are|does|do)\b)",
        r"(?<!i'll\s)(?<!we'll\s)(?<!will\s)keep in mind",
        rf"{_CLAUSE}that (?:being )?said,",
        r"to some extent",
    ),
    "refusal": _detector(
        "can cannot unable able will won against must",
        r"i (?:can't|cannot|can not) (?:assist|provide|comply|do that|help(?! but\b| \w+ing\b))",
        rf"{CONDITION}(?:i'm|i am) (?:unable|not able) to",
        rf"{CONDITION}i (?:won't|will not) (?:be able to|help(?! but\b))",
        r"against my (?:guidelines|programming|principles)",
        r"i must (?:respectfully |politely )?(?:decline|refuse)",
    ),
    "sycophancy": _detector(
        "right great excellent fantastic apologize apologise apologies sorry thank",
        rf"{CONDITION}(?:you're|you are) (?:absolutely |completely |totally |quite |so )?right{NOT_PLACED}",
        rf"(?:great|excellent|fantastic) (?:question|point{NOT_OTHER_POINT})",
        r"i apologi[sz]e",
        r"my apologies",
        r"so sorry",
        r"thank you for (?:your patience|pointing)",
    ),
}
STOCK_MARKERS = tuple(_DETECTORS)


@public
def row_markers(row: Any, names: Sequence[str] | None = None) -> dict[str, int]:
    """Which stock markers one row's reply trips: name -> 1 present, 0 not, in the order of `names` (all without).

    The reply is `final_text`, else the last assistant turn with words in `messages`, less code and quotations. An
    unknown name is a `KeyError` that lists the known ones.

    >>> row_markers({"final_text": "Certainly! It depends on the depot."}, ["hedging", "refusal"])
    {'hedging': 1, 'refusal': 0}
    """
    return _markers(row, _known(names))


@public
def behavioral_markers(rows: Iterable[Any], names: Sequence[str] | None = None) -> dict[str, float]:
    """Share of rows whose reply trips each stock marker, 0 to 1 at 4 decimals; 0.0 for each without rows.

    Deprecated: `style_report` gives intervals, phrases and what the reward pays for. Names as for `row_markers`.

    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     behavioral_markers([{"final_text": "It depends."}, {"final_text": "Tuesday."}], ["hedging"])
    {'hedging': 0.5}
    """
    _deprecated("behavioral_markers", "style_report")
    held = RowTable(rows).rows
    if not held:
        return dict.fromkeys(_listed(names), 0.0)
    wanted = _known(names)
    marked = [_markers(row, wanted) for row in held]
    return {name: round(sum(found[name] for found in marked) / len(held), 4) for name in wanted}


@public
def mark_rows(
    rows: Iterable[Any],
    names: Sequence[str] | None = None,
    extra: Mapping[str, Callable[[dict[str, Any]], Any]] | None = None,
) -> list[Any]:
    """Copies of the rows with the stock markers in `markers` (1 present, 0 not); other markers are kept.

    `extra` maps further marker names to callables of a row: the answer as a number (numeric text and booleans count);
    one that raises or answers anything else adds nothing to that row. Items that are no rows are handed on; the input
    is not changed. Names as for `row_markers`.

    Deprecated: 1 for a tic reads a `delta_report` backwards; use `style_markers`.

    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     mark_rows([{"final_text": "Done."}], ["refusal"], {"chars": lambda row: len(row["final_text"])})
    [{'final_text': 'Done.', 'markers': {'refusal': 0, 'chars': 5.0}}]
    """
    _deprecated("mark_rows", "style_markers")
    wanted = _known(names)
    if extra is not None and not (isinstance(extra, Mapping) and all(map(callable, extra.values()))):
        raise TypeError(f"extra must map marker names to callables, got {extra!r}")
    return [_marked(row, wanted, extra or {}) if is_mapping(row) else row for row in row_items(rows)]


@public
@report_of("behavioral_markers")
def format_markers(report: Mapping[str, float]) -> str:
    """One line a marker, its share in whole percent, highest first; `""` for none.

    >>> print(format_markers({"refusal": 0.04, "hedging": 0.5}))
      hedging: 50%
      refusal: 4%
    """
    ranked = sorted(report.items(), key=lambda item: -item[1])
    return "\n".join(f"  {printable(name)}: {rate:.0%}" for name, rate in ranked)


def _listed(names: Sequence[str] | None) -> Sequence[str]:
    if isinstance(names, str):
        raise TypeError(f"names must be a list of marker names, got the text {names!r}: use [{names!r}]")
    return names or STOCK_MARKERS


def _known(names: Sequence[str] | None) -> list[str]:
    wanted = list(_listed(names))
    for name in wanted:
        if name not in STOCK_MARKERS:
            raise KeyError(f"unknown marker {name!r}: known are {', '.join(STOCK_MARKERS)}{meant(name, STOCK_MARKERS)}")
    return wanted


def _markers(row: Any, names: list[str]) -> dict[str, int]:
    text = (reply(row) or "") if is_mapping(row) else ""
    words = frozenset(text_words(text))
    return {name: int(_DETECTORS[name].fires(text, words)) for name in names}


def _marked(row: Mapping[str, Any], names: list[str], extra: Mapping[str, Callable[..., Any]]) -> dict[str, Any]:
    kept = row.get("markers")
    marked = {**row, "markers": {**(kept if is_mapping(kept) else {}), **_markers(row, names)}}
    for name, detect in extra.items():
        with suppress(Exception):  # the caller's code: one row it cannot read is no reason to lose the others
            if (value := finite(detect(marked))) is not None:
                marked["markers"][name] = value
    return marked


@cache
def _deprecated(name: str, instead: str) -> None:
    warn(f"{name} is deprecated: use {instead}", DeprecationWarning)
