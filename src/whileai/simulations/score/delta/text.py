"""The printed comparison, at most 100 columns wide: verdict, by how much, how sure, what to do."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from whileai.simulations.arguments import report_of
from whileai.simulations.reports import counted, printable
from whileai.simulations.score.delta.comparable import selection_bound
from whileai.simulations.score.delta.groups import weakest_first
from whileai.simulations.score.delta.guards import cannot_fail
from whileai.simulations.score.delta.names import hint
from whileai.simulations.score.delta.verdicts import NO_CHANGE, WRONG_WAY
from whileai.simulations.score.stats.summary import PASS
from whileai.simulations.signature import public

WIDTH = 100
_NAME_COLUMNS = 28
_LEAST_NAME = 14
_MOST_NAME = 40
_MOST_GROUPS = 40
_MOST_LISTED = 6
_ROUNDING = 1e-9  # a number up to this is 0
_SIDES = ("before", "after")
_SPACE = re.compile(r" (?![^\[\]]*\])")  # no line breaks within [low, high]
Lines = Iterator[str]
Report = Mapping[str, Any]


@public
@report_of("delta_report")
def format_delta_report(report: Mapping[str, Any]) -> str:
    """The block a person reads: headline, target, how sure, then one line a metric, the groups, the warnings.

    Takes the report or a plain dict of its keys; foreign names are escaped and cut.

    >>> from whileai.simulations.score.delta import delta_report
    >>> rows = [{"task_id": task, "reward": r} for task in "abcdef" for r in (1, 0)]
    >>> report = delta_report(rows, rows)
    >>> format_delta_report(report) == str(report)
    True
    """
    parts = (
        _headline, _why, _toothless, _target, _proxy, _noise, _repeats, _seeds, _combined, _directions, _family,
        _graded, _ceiling, _answered, _metrics, _one_sided, _balanced, _groups, _warnings,
    )  # fmt: skip
    return "\n".join(line.rstrip() for part in parts for text in part(report) for line in wrap(text))


def _headline(report: Report) -> Lines:
    yield report["headline_verdict"]


def _why(report: Report) -> Lines:
    """What closed the gate, beside the word that says so; causes of no comparison stand in the headline itself."""
    if report["ok"]:
        if report["headline_verdict"] == "FAIL":
            yield (
                f"because: {PASS} slipped {_change(report, PASS)}; it is not guarded, so ok stays true "
                f'(must_not_regress=["{PASS}"] makes it a gate)'
            )
        return
    said = [f"guard {_long(key)} slipped {_change(report, key)}" for key in report["regressions"]]
    if report["target_verdict"] == WRONG_WAY:
        said.append(f"target {_long(report['target'])} slipped {_change(report, report['target'])}")
    if report["over_optimized"]:
        said.append(f"over-optimized: proxy {_long(report['proxy'])} rose and the target does not credit it")
    if said:
        yield f"because: {'; '.join(said)}"


def _toothless(report: Report) -> Lines:
    """The guards that guard nothing, beside the verdict that they might be read into."""
    said = []
    for key in report["unmeasured_guards"]:
        meant = hint(key, report)
        said.append(f"{_long(key)} was not measured{f' ({meant})' if meant else ''}")
    for key in report["must_not_regress"]:
        reasons = cannot_fail(report, key) if key in report["metrics"] else ""
        said += [f"{_long(key)} cannot fail ({reasons})"] if reasons else []
    if said:
        yield f"guards: {'; '.join(said)}"


def _change(report: Report, key: str) -> str:
    entry = report["metrics"][key]
    return f"{number(entry['delta'], sign=True)} {interval(entry['ci95'])}"


def _target(report: Report) -> Lines:
    if report["target"] is not None:
        entry = report["metrics"].get(report["target"])
        said = f"{report['target_verdict']}{_amount(entry, report)}{_seeds_say(report)}"
        yield f"target {_long(report['target'])}: {said}"


def _seeds_say(report: Report) -> str:
    """Why the word departs from the interval beside it: the spread of training seeds."""
    entry = report["metrics"].get(report["target"])
    departs = report["target_verdict"] == NO_CHANGE and entry["verdict"] != "no_difference_detected"
    return "; not so across training seeds" if departs else ""


def _proxy(report: Report) -> Lines:
    if report["proxy"] is not None:
        entry = report["metrics"].get(report["proxy"])
        mark = "  OVER-OPTIMIZED" if report["over_optimized"] else ""
        yield f"proxy {_long(report['proxy'])}: {report['proxy_verdict']}{_amount(entry, report)}{mark}"


def _amount(entry: Report | None, report: Report) -> str:
    if entry is None or entry["delta"] is None:
        return ""
    level = _percent(report["level"])
    ends = f"no {level} interval" if entry["ci95"] is None else f"{level} {interval(entry['ci95'])}"
    tasks = "task" if entry["n_used"] == 1 else "tasks"
    return f"  {number(entry['delta'], sign=True)}, {ends}, {_used(entry)} {tasks}"


def _used(entry: Report) -> str:
    return f"{entry['n_used']} {'paired' if entry['paired'] else 'unpaired'}"


def _percent(level: float) -> str:
    return f"{100 * level:.4g}%"


def _noise(report: Report) -> Lines:
    if report["run_std"] is not None:
        yield (
            f"eval noise: run_std {number(report['run_std'])}, a delta under {number(report['noise_band'])} is noise"
            f" ({report['noise_rule']}; {_source(report)})"
        )
    elif report["run_std_source"] is not None:
        yield f"eval noise: no floor for the headline metric (floors of others: {_source(report)})"


def _source(report: Report) -> str:
    runs = report["eval_runs"]
    if report["run_std_source"] == "eval_run":
        return f"from {counted(runs['before'], 'run')} before and {runs['after']} after"
    return "given" if report["run_std_runs"] is None else f"given, from {report['run_std_runs']} re-runs"


def _repeats(report: Report) -> Lines:
    found = report["repeats"]
    if not found["n"]:
        yield f"repeats: {found['note']}"
        return
    spreads = []
    for side in _SIDES:
        n = found["n_runs"][side]
        spreads.append(f"{n} {side}" + (f" (max - min {number(found['spread'][side])})" if n > 1 else ""))
    tags = ", ".join(found["run_tags"][:12]) + (", ..." if found["n"] > 12 else "")
    yield f"repeats: {found['note']} with {found['pooled_tag']} ({tags}); runs {', '.join(spreads)}"


def _seeds(report: Report) -> Lines:
    seeds = report["train_runs"]
    if seeds is None:
        return
    arms = ", ".join(f"{arm} {_arm(seeds[arm], report['train_std'][arm])}" for arm in _SIDES)
    if report["train_delta"] is None:
        yield f"training seeds: {arms}; unresolved: one training seed per arm; add a seed to resolve"
    else:
        across = number(report["train_delta"], sign=True)
        yield f"training seeds: {arms}; across seeds {across} {interval(report['train_ci95'])}"


def _arm(seeds: int | None, std: float | None) -> str:
    if seeds is None:
        return "untrained"
    return f"{seeds}" if std is None else f"{seeds} (sd between seeds {number(std)})"


def _combined(report: Report) -> Lines:
    if report["combined_ci95"] is not None:
        yield (
            f"combined, beside the verdict: {interval(report['combined_ci95'])}, p {report['combined_p']:.2g} "
            f"({report['combined_rule']})"
        )


def _directions(report: Report) -> Lines:
    if report["lower_is_better"]:
        yield f"lower is better: {', '.join(map(_long, report['lower_is_better']))}"


def _family(report: Report) -> Lines:
    if report["n_metrics"] >= 2:
        yield (
            f"family error: {report['n_metrics']} metrics at {_percent(report['level'])}, up to "
            f"{report['family_error']:.0%} chance of a false flag; after Holm {after_holm(report)}"
        )


def after_holm(report: Report) -> str:
    """The changes that hold over all metrics of a report, by Holm's correction."""
    flagged = [*report["improved_holm"], *report["slipped_holm"]]
    ways = {"up": [key for key in flagged if report["metrics"][key]["delta"] > 0]}
    ways["down"] = [key for key in flagged if key not in ways["up"]]
    return "; ".join(f"still {way}: {_listed(keys, report)}" for way, keys in ways.items() if keys) or "none is left"


def _listed(keys: list[str], report: Report) -> str:
    lower = report["lower_is_better"]
    names = ", ".join(_long(key) + (" (lower is better)" if key in lower else "") for key in keys[:_MOST_LISTED])
    return names + (f" and {len(keys) - _MOST_LISTED} more" if len(keys) > _MOST_LISTED else "")


def _one_sided(report: Report) -> Lines:
    for side in _SIDES:
        if report[f"only_{side}"]:
            yield f"only {side}: {_listed(report[f'only_{side}'], report)} (not compared)"


def _graded(report: Report) -> Lines:
    shares = [report["config"][side]["graded_share"] for side in _SIDES]
    if any(share is not None and share < 1 for share in shares):
        said = ", ".join(
            f"{side} {'no rows' if share is None else f'{share:.1%}'}"
            for side, share in zip(_SIDES, shares, strict=True)
        )
        bound = number(selection_bound(report["config"]))
        yield f"graded: {said}; the ungraded rows could move the delta by up to {bound}"


def _ceiling(report: Report) -> Lines:
    if report["ceiling"]:
        yield "CEILING: little room on the before side for a gain to show"


def _answered(report: Report) -> Lines:
    shares = [report["config"][side]["answered_share"] for side in _SIDES]
    if None not in shares:
        yield f"answered: before {shares[0]:.1%}, after {shares[1]:.1%}"


def _metrics(report: Report) -> Lines:
    yield ""
    yield from _table([(name, entry, [_noise_note(entry)]) for name, entry in report["metrics"].items()])


def _noise_note(entry: Report) -> str:
    if entry["noise_band"] is not None:
        return f"noise<{number(entry['noise_band'])}"
    return str(entry.get("noise_note", ""))


def _table(rows: list[tuple[str, Report, list[str]]]) -> Lines:
    """A line each, in columns that all lines share.

    Too wide, all lose space, then the words "lower is better" (they have a line of their own), then of their names,
    and a line that is still too wide its last parts.
    """
    name = min(max((columns(printable(name)) for name, _, _ in rows), default=0), _NAME_COLUMNS)
    for gap, spelled in ((2, True), (1, True), (1, False)):
        cells = [_cells(entry, ends, spelled=spelled) for _, entry, ends in rows]
        lines = [_joined(row, _widths(cells), gap) for row in cells]
        if max(map(len, lines), default=0) <= WIDTH - name:
            break
    else:
        lines = [_fitted(row, _widths(cells)) for row in cells]
        name = min(name, WIDTH - max(map(len, lines)))
    labels = _labels([name for name, _, _ in rows], name)
    name = max(map(columns, labels), default=0)
    for label, line in zip(labels, lines, strict=True):
        yield f"{label}{' ' * (name - columns(label))}{line}"


def _widths(cells: list[list[str]]) -> list[int]:
    """Width of each column; a line's last part is not padded, so it widens none."""
    most = max(map(len, cells), default=0)
    return [max((len(row[i]) for row in cells if len(row) > i + 1), default=0) for i in range(most)]


def _joined(row: list[str], wide: list[int], gap: int) -> str:
    *padded, last = [*(cell.ljust(space) for cell, space in zip(row[:-1], wide, strict=False)), row[-1]]
    return "".join(" " * gap + cell for cell in [*padded, last])


def _fitted(row: list[str], wide: list[int]) -> str:
    kept = list(row)
    while len(line := _joined(kept, wide, 1)) > WIDTH - _LEAST_NAME:
        kept.pop()
    return line


def _labels(names: list[str], most: int) -> list[str]:
    """Names in at most so many columns; one that would print like another gets a number."""
    labels: list[str] = []
    met: Counter[str] = Counter()
    for name in names:
        shown = label = cut(printable(name), most)
        while label in met:
            met[shown] += 1
            mark = f"~{met[shown]}"
            label = cut(printable(name), max(1, most - len(mark))) + mark
        met[label] = 1
        labels.append(label)
    return labels


def _cells(entry: Report, ends: list[str], *, spelled: bool) -> list[str]:
    if entry["delta"] is None:
        return ["insufficient data"]
    cells = [
        f"{number(entry['mean_a'])} -> {number(entry['mean_b'])}",
        number(entry["delta"], sign=True),
        interval(entry["ci95"]),
        _tag(entry) + (" lower is better" if spelled and entry["lower_is_better"] else ""),
        f"({_used(entry)})",
        *ends,
    ]
    return cells if cells[-1] else cells[:-1]


def _tag(entry: Report) -> str:
    """`up`, `DOWN`, `flat`, `noise` or `n/a`; where lower is better a win is `down` and a slip `UP`."""
    if entry["verdict"] == "insufficient_data":
        return "n/a"
    if entry.get("within_noise"):
        return "noise"
    lower = entry["lower_is_better"]
    return {"b_better": "UP" if lower else "up", "a_better": "down" if lower else "DOWN"}.get(entry["verdict"], "flat")


def _balanced(report: Report) -> Lines:
    if report["balanced"] is not None:
        dropped = report["balanced"]["rows_dropped"]
        yield (
            f"balanced: dropped {dropped['before']} before rows and {dropped['after']} after rows, "
            f"{counted(report['balanced']['tasks_trimmed'], 'task')} trimmed"
        )


def _groups(report: Report) -> Lines:
    if report["groups"] is None:
        return
    yield f"by {_long(report['by'])}:" + ("" if report["groups"] else " no group on both sides")
    names = weakest_first(report["groups"])
    groups = {name: report["groups"][name] for name in names[:_MOST_GROUPS]}
    yield from _table([(f"  {name}", entry, [_row_counts(entry), _flags(entry)]) for name, entry in groups.items()])
    if len(names) > _MOST_GROUPS:
        yield f"  ... and {len(names) - _MOST_GROUPS} more groups, none of them weaker"


def _row_counts(entry: Report) -> str:
    return f"({entry['rows_a']}/{entry['rows_b']} rows)"


def _flags(entry: Report) -> str:
    words = {"low": "low", "no_gain": "no gain"}
    few = ["few tasks"] if entry["low_n"] else []
    return ", ".join([*(words[reason] for reason in entry["weak_reasons"]), *few])


def _warnings(report: Report) -> Lines:
    for warning in report["warnings"]:
        yield f"! {warning}"


def number(value: float | None, *, sign: bool = False) -> str:
    """A number in at most 9 characters: 3 decimals, and powers of ten for what they do not show.

    >>> number(0.25, sign=True), number(0.0003), number(1234567.0), number(0.00001), number(None)
    ('+0.250', '0.0003', '1.23e+06', '1.0e-05', '-')
    """
    if value is None:
        return "-"
    size = abs(value)
    if size <= _ROUNDING or 0.0005 <= size < 999.9995:
        style = ".3f"
    elif size < 1:
        style = ".4f" if size >= 0.00005 else ".1e"
    else:
        style = ".3g"
    return format(0.0 if size <= _ROUNDING else value, f"+{style}" if sign else style)


def interval(ends: Any) -> str:
    """An interval with the numbers of `number`."""
    return "-" if ends is None else f"[{number(ends[0])}, {number(ends[1])}]"


def _long(name: Any) -> str:
    return cut(printable(name), _MOST_NAME)


def columns(text: str) -> int:
    """Terminal columns of a text: two for a wide character."""
    return len(text) if text.isascii() else sum(map(_cell, text))


def _cell(character: str) -> int:
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cut(text: str, most: int) -> str:
    """A text in at most so many columns, its middle left out: both ends of a name tell it from its like.

    >>> cut("marker:argument_grounding_of_refunds", 20)
    'marker:arg…f_refunds'
    """
    if columns(text) <= most:
        return text
    head, tail = most // 2, most - 1 - most // 2
    return f"{_taken(text, head)}…{_taken(text[::-1], tail)[::-1]}"


def _taken(text: str, most: int) -> str:
    used, end = 0, 0
    for character in text:
        used += _cell(character)
        if used > most:
            break
        end += 1
    return text[:end]


def wrap(text: str) -> Lines:
    """Foreign text escaped and broken into lines of at most 100 columns, those after the first indented."""
    shown = printable(text)
    if columns(shown) <= WIDTH:
        yield shown
        return
    line = ""
    for word in _SPACE.split(shown):
        while columns(word) > WIDTH - 2:
            yield from [line] if line.strip() else []
            head = _taken(word, WIDTH - 2)
            line, word = "  ", word[len(head) :]
            yield f"  {head}"
        joined = f"{line} {word}" if line.strip() else line + word if line else word
        if columns(joined) > WIDTH:
            yield line
            joined = f"  {word}"
        line = joined
    yield line
