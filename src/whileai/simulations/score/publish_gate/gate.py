"""`publish_gate`: may these rows leave, and what must whoever trains on them know?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from whileai.simulations.defaults import DIFFICULTY_BAND
from whileai.simulations.reports import Report, counted, wrapped
from whileai.simulations.rows.table import RowTable, row_items
from whileai.simulations.rows.values import is_mapping
from whileai.simulations.schema.types import PolicyRef
from whileai.simulations.score.hack_scan import hack_scan
from whileai.simulations.score.hygiene import (
    dedupe_groups,
    length_report,
    near_duplicate_prompts,
    reward_correlations,
)
from whileai.simulations.score.optimize import group_signal
from whileai.simulations.score.optimize.arguments import checked_band, checked_mode, pair_of
from whileai.simulations.score.optimize.cautions import correlation_lines, length_lines, repeat_lines
from whileai.simulations.score.optimize.rewards import label_notes
from whileai.simulations.score.optimize.spoken import replies
from whileai.simulations.score.publish_gate.calibration import calibrate
from whileai.simulations.signature import public

_RL = "rl"
_HACKED = "reward_hack"


class PublishGateError(ValueError):
    """The dataset must not be published as it stands; the message says why.

    >>> try:
    ...     publish_gate([{"task_id": "a", "reward": 1}] * 4, mode="rl")
    ... except PublishGateError as refused:
    ...     print(isinstance(refused, ValueError))
    True
    """


@public
def publish_gate(
    rows: Iterable[Any],
    mode: str | None = None,
    band: tuple[float, float] = DIFFICULTY_BAND,
    policy: PolicyRef | dict[str, Any] | str | None = None,
    model: str | None = None,
    strict: bool = True,
    endorsed: Sequence[str] = (),
    strict_hacks: bool = False,
) -> Report:
    """Calibrate the rows, check that they can train, and report what whoever trains on them must know.

    Rows are RL-shaped when `mode` is `rl` or a task has two rows. Such rows are refused when none is graded
    (`ungraded_rl_rows`), when no task has rollouts that disagree (`no_mixed_groups`: no gradient), and with
    `strict_hacks` when the reward is best explained by something that is not `endorsed` (`reward_hack`). A refusal is a
    `PublishGateError`, with `strict=False` it is in the report. Only the `calibration` stamp changes on the rows, also
    when the call raises; nothing is dropped. `mode` is `rl`, `sft`, `explore`, `adaptive` or None, else a `ValueError`.

    Keys: `ok`, `judge_trust` (found on the rows), `rl_shaped`, `mode`, `band`, `signal`, `calibration`, `duplicates`,
    `near_duplicate_prompts`, `length`, `correlations`, `hack_scan` (None unless RL-shaped), `warnings`, `refusal`.

    >>> rows = [{"task_id": t, "prompt": t, "reward": r} for t in "ab" for r in (1, 1)]
    >>> publish_gate(rows)
    Traceback (most recent call last):
    whileai.simulations.score.publish_gate.gate.PublishGateError: no_mixed_groups: all 2 groups agree on their \
reward, so a grouped update has no gradient: sample harder or easier tasks, or more rollouts
    """
    low, high = checked_band(*pair_of(band))
    rl = checked_mode(mode) == _RL
    items = row_items(rows)
    held = RowTable(items)
    rl_shaped = rl or len(set(held.tasks.tolist())) < len(held)
    calibration = calibrate(items, policy, model)
    signal = group_signal(held.rows, low, high)
    scan = hack_scan(held.rows, endorsed=endorsed) if rl_shaped else None
    refusal = _refusal(held, calibration, signal, scan, strict_hacks) if rl_shaped else None
    if refusal is not None and strict:
        raise PublishGateError(refusal)
    values: dict[str, Any] = {
        "ok": refusal is None,
        "judge_trust": _judge_trust(held),
        "rl_shaped": rl_shaped,
        "mode": mode,
        "band": [low, high],
        "signal": dict(signal),
        "calibration": calibration,
        "duplicates": dedupe_groups(held.rows)[1],
        "near_duplicate_prompts": near_duplicate_prompts(held.rows),
        "length": length_report(held.rows),
        "correlations": reward_correlations(held.rows),
        "hack_scan": None if scan is None else dict(scan),
        "warnings": [],
        "refusal": refusal,
    }
    said = _warnings(values, any(map(replies, held.rows)))
    values["warnings"] = [*_not_judged(scan, strict_hacks), *said]
    return Report(values, show=format_gate)


def _refusal(table: RowTable, calibration: dict[str, Any], signal: Any, scan: Any, strict_hacks: bool) -> str | None:
    if not calibration["n_stamped"]:
        none = f"ungraded_rl_rows: none of {counted(calibration['n_rows'], 'row')} has a 0/1 reward"
        return "; ".join([f"{none}: grade first, then publish", *label_notes(table)])
    if not signal["n_mixed"]:
        n = signal["n_groups"] - signal["n_single"]
        why = f"all {counted(n, 'group')} agree on their reward" if n else "no task has two graded rollouts"
        return (
            f"no_mixed_groups: {why}, so a grouped update has no gradient: sample harder or easier tasks, or more "
            "rollouts"
        )
    if strict_hacks and scan["regime"] == _HACKED:
        return f"reward_hack: {scan['warnings'][0] if scan['warnings'] else scan['top_feature']}"
    return None


def _not_judged(scan: Any, strict_hacks: bool) -> Iterator[str]:
    """That `strict_hacks` had nothing to hold the reward against."""
    if strict_hacks and scan is not None and not scan["endorsed_matched"]:
        why = "names no feature there is" if scan["endorsed"] else "is empty"
        yield (
            f"strict_hacks judged nothing: endorsed {why}; name in it what the reward is meant to follow, as in "
            "tool:lookup_order"
        )


def _judge_trust(held: RowTable) -> Any:
    for meta in held.column("judge_meta"):
        if is_mapping(meta) and meta.get("trust"):
            return meta["trust"]
    return None


def _warnings(values: dict[str, Any], has_replies: bool) -> Iterator[str]:
    if values["rl_shaped"] and values["refusal"] is None:
        yield from _signal_warnings(values)
    if has_replies:  # else a task and a reward are all there is, and rows of a task look alike
        yield from repeat_lines(values["duplicates"], verb="present")
    near = values["near_duplicate_prompts"]
    if near["n_pairs"]:
        yield (
            f"{counted(near['n_pairs'], 'pair')} of asks say nearly the same ({near['n_prompts_involved']:,} asks): "
            "each pair weighs as one task twice, drop one side"
        )
    yield from length_lines(values["length"])
    yield from correlation_lines(values["correlations"])
    if values["hack_scan"] is not None and values["refusal"] is None:
        yield from values["hack_scan"]["warnings"]


def _signal_warnings(values: dict[str, Any]) -> Iterator[str]:
    signal, calibration, (low, high) = values["signal"], values["calibration"], values["band"]
    if outside := signal["n_mixed"] - signal["n_in_band"]:
        yield (
            f"{outside:,} of {counted(signal['n_mixed'], 'mixed ask')} outside the band {low:.0%}-{high:.0%}: little "
            "contrast in each, trim_out_of_band leaves them out"
        )
    if unanimous := signal["n_all_zero"] + signal["n_all_one"]:
        yield f"{counted(unanimous, 'unanimous ask')} present: no gradient there, trim_unanimous_groups leaves them out"
    if n := calibration["n_unstamped"]:
        yield f"{counted(n, 'row')} without a 0/1 label: grade them, or leave them out"
    if n := calibration["n_carried"]:
        yield (
            f"{counted(n, 'row')} kept the calibration carried from before a selection: k={signal['k']} is what is "
            "left here"
        )


def format_gate(report: Any) -> str:
    """Whether the rows may leave, their signal, and each warning on a line.

    >>> rows = [{"task_id": "a", "prompt": "Hi", "reward": 1}]
    >>> print(publish_gate(rows))
    ok: 1 row, 1 task, not RL-shaped
    """
    calibration, signal = report["calibration"], report["signal"]
    verdict = "ok" if report["ok"] else "refused"
    shape = "RL-shaped" if report["rl_shaped"] else "not RL-shaped"
    lines = [
        f"{verdict}: {counted(calibration['n_rows'], 'row')}, {counted(calibration['n_tasks'], 'task')}, {shape}",
    ]
    if report["refusal"]:
        lines += wrapped(report["refusal"])
    if report["rl_shaped"]:
        low, high = report["band"]
        lines.append(
            f"mixed {signal['n_mixed']:,} (in band {low:.0%}-{high:.0%} {signal['n_in_band']:,})  "
            f"all zero {signal['n_all_zero']:,}  all one {signal['n_all_one']:,}  single {signal['n_single']:,}"
        )
    return "\n".join([*lines, *(line for text in report["warnings"] for line in wrapped(f"! {text}"))])
