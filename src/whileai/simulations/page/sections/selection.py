"""Which rows a selection for RL would keep, and what each gate would drop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from whileai.simulations.defaults import DIFFICULTY_BAND
from whileai.simulations.page.material import Material
from whileai.simulations.reports import counted
from whileai.simulations.score.optimize.cut import Truncated
from whileai.simulations.score.optimize.flow import Flow, Settings
from whileai.simulations.score.optimize.order import Order
from whileai.simulations.score.optimize.reasons import rl_words
from whileai.simulations.score.optimize.spoken import replies
from whileai.simulations.web.document import Section, Step

SELECTION_ID = "selection"


def selection_section(material: Material, overview: Mapping[str, Any]) -> Section | None:
    """The account of `select_for_rl` without a target; None unless some task has two 0/1 grades."""
    rollouts = overview["difficulty"]["rollouts"]
    if rollouts is None or rollouts["max"] < 2:
        return None
    account, n_tasks = account_of(material.rows)
    words = rl_words(*DIFFICULTY_BAND)
    steps: list[Step] = [_step("rows given", account["given"], "given")]
    steps += [_step(words[reason], n, "dropped") for reason, n in account["dropped"].items() if n]
    steps.append(_step("kept", account["kept"], "kept"))
    return {
        "id": SELECTION_ID,
        "title": "Selection for RL",
        "lead": f"{counted(account['kept'], 'row')} of {counted(n_tasks, 'task')} would be kept, of "
        f"{account['given']:,}.",
        "blocks": [{"kind": "steps", "title": "Where every row goes", "rows": steps}],
        "more": "wai select FILE --mode rl -o OUT writes them; --mode sft picks demonstrations.",
    }


def account_of(rows: Sequence[Any]) -> tuple[dict[str, Any], int]:
    """The account of `select_for_rl` with room for every row, and the tasks kept; no row is stamped or copied.

    >>> passes = {"a": "1100", "b": "1111"}
    >>> account_of([{"task_id": task, "reward": int(r)} for task, rewards in passes.items() for r in rewards])[1]
    1
    """
    low, high = DIFFICULTY_BAND
    settings = Settings(
        target=max(1, len(rows)),
        low=low,
        high=high,
        enforce_band=True,
        has_tools=True,
        dedupe=True,
        truncated=Truncated.DROP,
        order=Order.SPREAD,
        text_gates="auto",
    )
    flow = Flow([row for row in rows if isinstance(row, dict)], settings)
    flow.without_prior(None)
    flow.without_leaks()
    flow.marked()
    flow.gated(any(map(replies, flow.rows)))
    flow.picked(flow.trimmed())
    return flow.account.values(), flow.values["groups_selected"]


def _step(label: str, value: int, kind: Any) -> Step:
    return {"label": label, "value": value, "kind": kind, "note": None}
