"""The block a person reads of a decontamination."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.reports import counted, printable, wrapped
from whileai.simulations.score.place import row_place

_RULES = (
    ("n_same_task", "same task id"),
    ("n_exact", "same text"),
    ("n_near", "near copy"),
    ("n_semantic", "reads alike"),
)
_SHOWN = 5


def format_decontamination(report: Mapping[str, Any]) -> str:
    """How many rows were dropped under each rule, the first of them (by number, from 1), and the notes.

    >>> print(format_decontamination({"n": 0, "n_contaminated": 0, "n_eval_rows": 0, "n_eval_texts": 0}))
    decontaminate 0 rows against 0 evaluation rows (0 texts): 0 dropped, 0 kept
    """
    n, dropped = report["n"], report["n_contaminated"]
    share = f" ({dropped / n:.1%})" if dropped else ""
    lines = [
        f"decontaminate {counted(n, 'row')} against {counted(report['n_eval_rows'], 'evaluation row')} "
        f"({counted(report['n_eval_texts'], 'text')}): {dropped:,} dropped{share}, {n - dropped:,} kept"
    ]
    for key, name in _RULES:
        if report.get(key):
            lines.append(f"  {name:<14}{report[key]:>8,}")
    for example in report.get("examples", [])[:_SHOWN]:
        place = row_place({"row": example["index"] + 1, **example})
        lines += wrapped(f"  {place}: {_shown(example)}", "      ")
    for note in report.get("notes", []):
        lines += wrapped(note if note.startswith("!") else f"- {note}")
    return "\n".join(lines)


def _shown(example: Mapping[str, Any]) -> str:
    if "task" in example:
        return f"task {printable(example['task'], 80)} is an evaluation task"
    field = printable(example["field"], 40)
    if "similarity" in example:
        return f"{field} reads like {printable(example['eval_prompt'], 60)!r} (cosine {example['similarity']:.3f})"
    if example["match"] == "exact":
        return f"{field} is an evaluation text"
    return f"{example['coverage']:.0%} of {field} is in one evaluation text: {printable(example['match'], 60)!r} ..."
