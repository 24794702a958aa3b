"""A sizing in words: its notes and warnings, and the block a person reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whileai.simulations.defaults import CI_LEVEL
from whileai.simulations.reports import bad_records_text, counted, interval_text, printable, wrapped
from whileai.simulations.score.stats.basis import NO_SPREAD, Basis
from whileai.simulations.score.stats.labels import LabelSums

FEW_TASKS = 50  # tasks below which the small-sample count is over 4% above the normal formula, and leads the print


def sizing_notes(values: Mapping[str, Any]) -> Iterator[str]:
    """Where the sd comes from, and what that takes for granted."""
    sd = values["task_std"]
    if values["sd_source"] == "rows":
        low, high = values["n_tasks_range"]
        yield (
            f"sd {sd:.4f} measured over {values['n_paired']} shared tasks, which leave it within "
            f"{interval_text(values['task_std_range'])} at {CI_LEVEL:.0%}: {low} to {high} tasks"
        )
    elif values["sd_source"] == "given":
        yield f"sd {sd:g} as given, not checked here"
    else:
        yield (
            f"the model spreads the gain evenly over tasks and takes the runs as independent: {values['n_tasks']} "
            f"tasks; {values['n_tasks_concentrated']} if the fewest tasks that can carry the gain do. "
            "Rows of two runs on the same tasks (before, after) measure the sd instead"
        )


def pairing_note(basis: Basis, before: LabelSums | None) -> Iterator[str]:
    """How much less pairing needs than the model asks for, by how the tasks of one run differ."""
    spread = None if before is None else before.spread()
    if before is None or not spread or basis.source != "model" or basis.warning:
        return
    within = 1 - float(before.means().var()) / (basis.base * (1 - basis.base))
    if within > NO_SPREAD:
        yield (
            f"task pass rates spread by {spread:.3f} (sd): the model asks for up to {1 / within:.2f} times the tasks "
            "that pairing needs"
        )
    else:
        yield (
            f"task pass rates spread by {spread:.3f} (sd): each task passed always or never, all variance is between "
            "tasks, and the model asks for far more tasks than pairing needs"
        )


def sizing_warning(report: Mapping[str, Any], saturated: str) -> Iterator[str]:
    """Why there is no size as asked, one sentence: rows that size nothing, a gain without room, or both."""
    base = report["base"]
    room = f"no run can gain {report['effect']:g} from a base of {base:.4g}: the room is {1 - base:.3g}"
    impossible = _exceeds_room(report)
    if saturated:
        yield f"{saturated}; {room}" if impossible else saturated
    elif impossible:
        yield f"{room}; size for a smaller gain or use harder tasks"


def _exceeds_room(report: Mapping[str, Any]) -> bool:
    return bool(report["effect"] > 1 - report["base"] + NO_SPREAD)


def format_holdout_size(report: Mapping[str, Any]) -> str:
    """The sizing as lines of at most 100 columns: the count, what it rests on, warnings, notes.

    A gain that no run can make has no count: the warning that it cannot be made comes first.

    >>> from whileai.simulations.score.stats import holdout_size
    >>> print(format_holdout_size(holdout_size(0.3)).splitlines()[0])
    10 tasks show a gain of 0.3 (8 by the normal formula, which is short for few tasks)
    """
    return "\n".join(_lines(report))


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    impossible = _exceeds_room(report)
    warnings = [line for warning in report["warnings"] for line in wrapped(f"! {printable(warning)}")]
    if impossible:
        yield from warnings
    if report["saturated"] or not impossible:
        yield _count_line(report)
    yield (
        f"  k {counted(report['k'], 'rollout')} a task, base {report['base']:.3g}, power {report['power']:g}, "
        f"alpha {report['alpha']:g}, paired by task"
    )
    yield (
        f"  sd of a task's difference {report['task_std']:.4f} ({report['sd_source']}), "
        f"half-width at {1 - report['alpha']:.4g} with {report['n_tasks']} tasks: {report['half_width']:.4f}"
    )
    read = report.get("read") or ()
    for entry in read:
        formats = ", ".join(entry["formats"]) or "no rows"
        yield from wrapped(f"  {printable(entry['source'], 60)}: {formats}, {counted(entry['rows'], 'row')}", "    ")
        if entry["bad"]:
            yield from wrapped(f"! {bad_records_text(entry)}")
    if not impossible:
        yield from warnings
    for note in [note for entry in read for note in entry["notes"]] + list(report["notes"]):
        yield from wrapped(f"- {printable(note)}")


def _count_line(report: Mapping[str, Any]) -> str:
    normal, small = report["n_tasks"], report["n_tasks_small"]
    gain = f"a gain of {report['effect']:g}"
    if normal < FEW_TASKS:
        return f"{small} tasks show {gain} ({normal} by the normal formula, which is short for few tasks)"
    return f"{normal} tasks show {gain} ({small} by the small-sample formula)"
