"""`calibrate`: the difficulty of each task for the policy that made the rows, stamped on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from whileai.simulations.reports import Report, counted, interval_text, number_text, printable
from whileai.simulations.rows.collector import collector_off
from whileai.simulations.rows.table import RowTable, row_items
from whileai.simulations.rows.values import is_mapping
from whileai.simulations.schema.types import PolicyRef
from whileai.simulations.score.logprobs import mean_kl
from whileai.simulations.score.optimize.stamp import Measured, row_student
from whileai.simulations.score.passat import PassTally
from whileai.simulations.score.publish_gate.student import checked_policy, names_a_policy, student_of
from whileai.simulations.signature import public


@public
def calibrate(
    rows: Iterable[Any],
    policy: PolicyRef | dict[str, Any] | str | None = None,
    model: str | None = None,
    ref: str | Sequence[Any] | None = None,
) -> Report:
    """Stamp `calibration` on every row with a 0/1 label, in place: how often its task was solved, over how many.

    The stamp is `{task_id, student, n, pass_rate, mean_kl, pass_rate_ci95}`, the interval Wilson's at 95%; `student`
    is the policy named by `policy` and `model`, else the row's own version. A row that carries a stamp over more
    rollouts than are here keeps its numbers: a selection drops rollouts, and measuring again would report what is left.
    `ref` (a key, or rows scored under the reference) fills `mean_kl` by task, see `mean_kl`.

    Returns `n_tasks`, `n_rows` (all that was given), `n_stamped`, `n_carried` of them, `n_unstamped`, `student` as
    named, `pass_at` and, with `ref`, the report `mean_kl`. A policy of another kind is a `TypeError`.

    >>> rows = [{"task_id": "a", "reward": reward} for reward in (1, 0, 0, 0)]
    >>> calibrate(rows)["n_stamped"], rows[0]["calibration"]["pass_rate"]
    (4, 0.25)
    """
    items = row_items(rows)
    student = student_of(checked_policy(policy), model)
    rates = PassTally()
    table = RowTable(items, rates.index)
    rates.add(table)
    kl = None if ref is None else mean_kl(table.rows, ref)
    stamps = _Stamps(table, student, {} if kl is None else kl["per_task"])
    names = table.index.names
    n_stamped = n_carried = 0
    with collector_off():
        for row, code, labelled in zip(table.rows, table.tasks.tolist(), table.binary.tolist(), strict=True):
            if labelled and isinstance(row, dict):
                n_stamped += 1
                n_carried += stamps.write(row, names[code])
    values: dict[str, Any] = {
        "n_tasks": stamps.n_tasks,
        "n_rows": len(items),
        "n_stamped": n_stamped,
        "n_carried": n_carried,
        "n_unstamped": len(items) - n_stamped,
        "student": student,
        "pass_at": rates.result().to_dict(),
    }
    return Report(values if kl is None else {**values, "mean_kl": kl}, show=format_calibration)


def format_calibration(report: Mapping[str, Any]) -> str:
    """The block of a `calibrate`: what was stamped, for whom, and how often tasks are solved."""
    rates = report["pass_at"]
    student = ", ".join(f"{name} {printable(value, 60)}" for name, value in report["student"].items() if value)
    lines = [
        f"{report['n_stamped']:,} of {counted(report['n_rows'], 'row')} stamped, of "
        f"{counted(report['n_tasks'], 'task')}: {report['n_carried']:,} keep the stamp they carried",
        f"student: {student or 'as each row says'}",
        f"pass@1 {number_text(rates['pass_at_1'])} {interval_text(rates['ci95'])}",
    ]
    if "mean_kl" in report:
        lines.append(f"mean KL {number_text(report['mean_kl']['mean_kl'])} nats a token")
    return "\n".join(lines)


class _Stamps:
    """The numbers of each task, written on its rows."""

    def __init__(self, table: RowTable, student: dict[str, Any], kl: Mapping[str, float]) -> None:
        measured = Measured(table)
        self._student = student
        self._named = names_a_policy(student)
        self._kl = kl
        self._of_task = {
            task: (rate.n or 0, rate.value, kl.get(task), tuple(measured.ends[task]))
            for task, rate in measured.rates.items()
        }
        self.n_tasks = len(self._of_task)

    def write(self, row: dict[str, Any], task: str) -> bool:
        """Stamp a row; whether it kept the numbers that it carried."""
        n, pass_rate, kl, ends = self._of_task[task]
        held = row.get("calibration")
        if held is not None and (carried := _over_more(held, n)) is not None:
            row["calibration"] = self._kept(carried, task)
            return True
        row["calibration"] = {
            "task_id": task,
            "student": self._student.copy() if self._named else row_student(row),
            "n": n,
            "pass_rate": pass_rate,
            "mean_kl": kl,
            "pass_rate_ci95": ends,
        }
        return False

    def _kept(self, carried: Mapping[str, Any], task: str) -> dict[str, Any]:
        return {
            "task_id": carried.get("task_id", task),
            "student": self._student.copy() if self._named else student_of(_policy(carried)),
            "n": carried["n"],
            "pass_rate": carried["pass_rate"],
            "mean_kl": self._kl.get(task, carried.get("mean_kl")),
            "pass_rate_ci95": carried.get("pass_rate_ci95"),
        }


def _policy(stamp: Mapping[str, Any]) -> Any:
    student = stamp.get("student")
    return student if is_mapping(student) else None


def _over_more(stamp: Any, n: float) -> Mapping[str, Any] | None:
    """A stamp whose rate is a number in [0, 1] over more than `n` rollouts; None of any other."""
    over = stamp.get("n") if is_mapping(stamp) else None
    if not isinstance(over, int) or isinstance(over, bool) or over <= n:
        return None
    rate = stamp.get("pass_rate")
    return stamp if isinstance(rate, int | float) and not isinstance(rate, bool) and 0 <= rate <= 1 else None
