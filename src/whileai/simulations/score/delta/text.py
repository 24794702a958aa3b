"""The printed comparison, at most 100 columns wide: verdict, by how much, how sure, what to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whileai.simulations.arguments import report_of
from whileai.simulations.reports import counted, printable
from whileai.simulations.score.delta import sureness
from whileai.simulations.score.delta.comparable import selection_bound
from whileai.simulations.score.delta.figures import interval, number
from whileai.simulations.score.delta.groups import weakest_first
from whileai.simulations.score.delta.guards import cannot_fail
from whileai.simulations.score.delta.lines import wrap
from whileai.simulations.score.delta.names import hint
from whileai.simulations.score.delta.table import table_lines, used
from whileai.simulations.score.delta.verdicts import NO_CHANGE, WRONG_WAY
from whileai.simulations.score.stats.summary import PASS
from whileai.simulations.signature import public
from whileai.simulations.width import cut

_MOST_NAME = 40
_MOST_GROUPS = 40
_MOST_LISTED = 6
_SEEN = 0.0015  # a difference that rounding to three decimals cannot make
_SIDES = ("before", "after")
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
        _headline, _why, _toothless, _target, _proxy, sureness.noise, sureness.repeats, sureness.seeds,
        sureness.combined, _directions, _family,
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
    return f"  {number(entry['delta'], sign=True)}, {ends}, {used(entry)} {tasks}"


def _percent(level: float) -> str:
    return f"{100 * level:.4g}%"


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
    yield from table_lines([(name, entry, [_noise_note(entry)]) for name, entry in report["metrics"].items()])
    if any(map(_of_other_tasks, report["metrics"].values())):
        yield "(before -> after is over all tasks of each side, the delta over the paired ones)"


def _of_other_tasks(entry: Report) -> bool:
    """Whether the delta shown is not the difference of the means shown, as some tasks are on one side only."""
    if not entry["paired"] or entry["delta"] is None:
        return False
    return bool(abs(entry["mean_b"] - entry["mean_a"] - entry["delta"]) >= _SEEN)


def _noise_note(entry: Report) -> str:
    if entry["noise_band"] is not None:
        return f"noise<{number(entry['noise_band'])}"
    return str(entry.get("noise_note", ""))


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
    yield from table_lines(
        [(f"  {name}", entry, [_row_counts(entry), _flags(entry)]) for name, entry in groups.items()]
    )
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


def _long(name: Any) -> str:
    return cut(printable(name), _MOST_NAME)
