"""How many rollouts made up no argument, and which arguments the others made up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Unpack

from whileai.simulations.reports import Report, printable
from whileai.simulations.rows.table import RowTable
from whileai.simulations.score.grounding.row import Options, checker_for
from whileai.simulations.signature import public

MOST_LISTED = 10  # arguments in the report; convention
_SHOWN = 60  # characters of an example in print


@public
def grounding_report(rows: Iterable[Any], **options: Unpack[Options]) -> Report:
    """The share of rollouts whose tool arguments all came from the conversation, and the arguments that did not.

    `rows` counts the rows, `rows_with_calls` those with a call. `grounded_rate` is over all rows, one without calls is
    grounded; None without rows. `invented` lists up to ten of `{"argument": "tool.key", "rows", "example"}`: how many
    rows made it up and the first value seen, most rows first. For an interval over tasks give `mark_grounding` to
    `marker_summary`. Options are those of `ungrounded_arguments`.

    >>> def asked(prompt):
    ...     return {"prompt": prompt, "steps": [{"tool": "refund", "arguments": {"order_id": "ORD-7788"}}]}
    >>> print(grounding_report([asked("Refund ORD-7788"), asked("Refund my order")]))
    grounded 0.5000 of 2 rows (2 with calls)
      refund.order_id: 1 row, such as 'ORD-7788'
    """
    checker = checker_for("grounding_report", options)
    n_rows = n_grounded = n_with_calls = 0
    counts: dict[str, int] = {}
    examples: dict[str, str] = {}
    for row in RowTable(rows).rows:
        offenders, has_calls = checker.check(row)
        n_rows += 1
        n_with_calls += has_calls
        n_grounded += not offenders
        made_up: dict[str, str] = {}
        for offender in offenders:
            made_up.setdefault(offender.argument, offender.value)
        for argument, value in made_up.items():
            counts[argument] = counts.get(argument, 0) + 1
            examples.setdefault(argument, value)
    most = sorted(counts, key=lambda argument: -counts[argument])[:MOST_LISTED]
    values = {
        "rows": n_rows,
        "grounded_rate": round(n_grounded / n_rows, 4) if n_rows else None,
        "rows_with_calls": n_with_calls,
        "invented": [{"argument": name, "rows": counts[name], "example": examples[name]} for name in most],
    }
    return Report(values, show=_text)


def _text(report: Mapping[str, Any]) -> str:
    if report["grounded_rate"] is None:
        return "no rows"
    rows = "row" if report["rows"] == 1 else "rows"
    lines = [
        f"grounded {report['grounded_rate']:.4f} of {report['rows']} {rows} ({report['rows_with_calls']} with calls)"
    ]
    for item in report["invented"]:
        rows = "row" if item["rows"] == 1 else "rows"
        lines.append(
            f"  {printable(item['argument'])}: {item['rows']} {rows}, such as '{printable(item['example'], _SHOWN)}'"
        )
    return "\n".join(lines)
