"""What a page shows, as plain JSON values: `render(document)` draws it and knows nothing of rows.

A number is a float or int, None where it is undefined; it comes with its interval (`low`, `high`) and its `n` wherever
it has them. Text is plain text: it is escaped, and control characters are made visible, by the page. A `filter` is a
key of `filters` and makes a number, bar, point or row a button that opens the rollouts behind it.

    document
      headline                  the three numbers a reader came for
      warnings                  each with what to do
      sections > blocks         facts, intervals, histogram, bars, scatter, confusion, steps, table, text
      filters                   which rollouts stand behind a number
      rollouts > items > turns  the sample that the viewer holds
      queue                     what a person should look at, most wanted first
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

Tone: TypeAlias = Literal["good", "bad", "flat", "unknown"]


class FirstBad(TypedDict):
    """The first record of a source that could not be read."""

    record: int
    reason: str


class Source(TypedDict):
    """What was read of one file; `formats` counts the rows of each format."""

    source: str
    formats: Mapping[str, int]
    rows: int
    bad: int
    first_bad: FirstBad | None
    notes: Sequence[str]


class Warned(TypedDict):
    """A warning, what to do about it, and the id of the section that shows it (None for none)."""

    text: str
    fix: str | None
    section: str | None


class Headline(TypedDict):
    """One large number: `value` in [0, 1] for a rate; `text` is shown in its place when given."""

    label: str
    value: float | None
    low: float | None
    high: float | None
    n: int | None
    note: str | None
    text: NotRequired[str | None]
    filter: NotRequired[str | None]


class Fact(TypedDict):
    """A label and a short value in words."""

    label: str
    value: str
    note: str | None
    filter: NotRequired[str | None]


class Facts(TypedDict):
    """A few facts, as a list of terms."""

    kind: Literal["facts"]
    title: NotRequired[str | None]
    items: Sequence[Fact]


class IntervalRow(TypedDict):
    """One estimate with its ends; `tone` is told by shape and word as well as by colour."""

    label: str
    value: float | None
    low: float | None
    high: float | None
    n: int | None
    note: str | None
    tone: Tone
    filter: str | None


class Intervals(TypedDict):
    """Estimates with whiskers on one axis: an interval plot, a forest plot.

    `unit` says how numbers are written and the axis is bounded: a rate lies in [0, 1], a delta and a correlation around
    0. `reference` is a line with its label (0 of a delta, the floor of a scan), `band` a shaded range; `of` says what
    the `n` of the rows counts.
    """

    kind: Literal["intervals"]
    title: str
    unit: Literal["rate", "delta", "correlation", "number"]
    reference: float | None
    reference_label: str | None
    band: Sequence[float] | None
    band_label: NotRequired[str | None]
    domain: Sequence[float] | None
    rows: Sequence[IntervalRow]
    of: NotRequired[str | None]


class Bin(TypedDict):
    """A bar of a histogram from `low` to `high`."""

    label: str
    low: float
    high: float
    count: int
    filter: str | None


class Histogram(TypedDict):
    """Counts over a number; `x` names the axis, `y` what is counted, `band` shades a range of it."""

    kind: Literal["histogram"]
    title: str
    x: str
    y: NotRequired[str]
    bins: Sequence[Bin]
    band: Sequence[float] | None
    band_label: NotRequired[str | None]


class Bar(TypedDict):
    """A bar and what is written at its end (the value itself when `text` is None)."""

    label: str
    value: float | None
    text: str | None
    filter: str | None


class Bars(TypedDict):
    """Sizes of named things on one axis from 0."""

    kind: Literal["bars"]
    title: str
    x: str
    rows: Sequence[Bar]


class Point(TypedDict):
    """A dot with a name."""

    label: str
    x: float
    y: float
    filter: str | None


class Scatter(TypedDict):
    """Points on two axes, with the line x = y where `diagonal`."""

    kind: Literal["scatter"]
    title: str
    x: str
    y: str
    points: Sequence[Point]
    diagonal: bool


class Cell(TypedDict):
    """A count of a confusion table."""

    count: int
    filter: str | None


class Confusion(TypedDict):
    """Counts of one label against another; `cells[i][j]` is row i, column j; equal labels agree."""

    kind: Literal["confusion"]
    title: str
    row_axis: NotRequired[str | None]
    column_axis: NotRequired[str | None]
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Sequence[Cell]]


class Step(TypedDict):
    """A line of an account: what was given, what each gate dropped, what was kept."""

    label: str
    value: int
    kind: Literal["given", "dropped", "kept"]
    note: str | None
    filter: NotRequired[str | None]


class Steps(TypedDict):
    """An account that adds up: given minus dropped is kept."""

    kind: Literal["steps"]
    title: str
    rows: Sequence[Step]


class Column(TypedDict):
    """A column of a table.

    A cell is text, a number (`number`), a share in [0, 1] (`rate`), a signed difference (`delta`), or for any but text
    `{"value", "low", "high"}` (`interval` is a rate that is meant to be one); None is a dash and sorted last.
    """

    key: str
    label: str
    type: Literal["text", "number", "rate", "delta", "interval"]


class Table(TypedDict):
    """Rows under columns: sortable, paged, searched when `search`; a row's `filter` opens its rollouts.

    The page writes the first rows into the HTML and shows all of them by script.
    """

    kind: Literal["table"]
    title: str
    columns: Sequence[Column]
    rows: Sequence[Mapping[str, Any]]
    search: bool


class Text(TypedDict):
    """A printed block, shown as it is."""

    kind: Literal["text"]
    title: NotRequired[str | None]
    text: str


Block: TypeAlias = Facts | Intervals | Histogram | Bars | Scatter | Confusion | Steps | Table | Text


class Section(TypedDict):
    """A part of the page: `id` is its anchor (letters, digits, `-`), `lead` one sentence that says what is seen.

    `more` is one sentence at the end that says where to read on.
    """

    id: str
    title: str
    lead: str
    blocks: Sequence[Block]
    more: str | None
    group: NotRequired[str | None]


class Filter(TypedDict):
    """The rollouts behind a number: indexes into `rollouts["items"]`, and how many rows there are of them in all."""

    label: str
    rollouts: Sequence[int]
    total: int


class Flag(TypedDict):
    """A check that fired; `evidence` is a stretch of the rollout's text that is marked in it, where it has one."""

    name: str
    evidence: str | None


class Turn(TypedDict):
    """What somebody said, called or was told; `id` joins a call and its result."""

    who: Literal["system", "user", "agent", "thought", "call", "result", "note"]
    text: str
    name: NotRequired[str | None]
    id: NotRequired[str | None]
    failed: NotRequired[bool]


class Rollout(TypedDict):
    """One episode. `key` is the name `attach_labels` finds its row by; None where a name would fit several rows.

    `side` tells apart rollouts of one name in two runs. `length` is in characters, `cut` says that turns or texts were
    left out to keep the page small.
    """

    key: str | None
    task: str
    attempt: str | int | None
    reward: float | None
    label: Literal["pass", "fail", "partial", "other", "ungraded"]
    status: str | None
    reason: str | None
    gold: float | None
    side: NotRequired[str | None]
    file: str | None
    row: int | None
    flags: Sequence[Flag]
    markers: Mapping[str, Any]
    length: int | None
    cut: bool
    turns: Sequence[Turn]


class Rollouts(TypedDict):
    """The rollouts that the viewer holds: `shown` of `total`, by a `rule` said in a sentence with its full stop."""

    total: int
    shown: int
    rule: str
    items: Sequence[Rollout]


class Queued(TypedDict):
    """A rollout that a person should judge (index into `rollouts["items"]`), and why."""

    rollout: int
    why: Sequence[str]
    rank: float


class Document(TypedDict):
    """All that a page shows."""

    title: str
    subtitle: NotRequired[str | None]
    sources: Sequence[Source]
    warnings: Sequence[Warned]
    headline: Sequence[Headline]
    sections: Sequence[Section]
    filters: Mapping[str, Filter]
    rollouts: Rollouts
    queue: Sequence[Queued]
    made: NotRequired[str | None]


class Serve(TypedDict):
    """Where a served page sends labels, all same-origin paths.

    Each label is POSTed to `labels` as one JSON object, the line that the labels file would hold (`key`, `label` 1, 0,
    or None for unsure, `annotator`, `kind`, `note`, `ts`; `"label": "cleared"` takes it back), with the header
    `X-Wai-Token: <token>`; any 2xx answer counts as saved. Where `version` is a path, it is fetched every few seconds
    with the same header, and a body other than `at` makes the page offer to reload. `given` holds labels saved before.
    """

    labels: str
    token: str
    version: NotRequired[str | None]
    at: NotRequired[str | None]
    given: NotRequired[Sequence[Mapping[str, Any]]]
