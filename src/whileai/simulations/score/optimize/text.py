"""What a selection prints: a table that adds up, what the selection is like, and what to know before training."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.reports import counted, number_text, printable, wrapped
from whileai.simulations.score.optimize.account import account_lines
from whileai.simulations.score.optimize.reasons import rl_words, sft_words
from whileai.simulations.score.optimize.signal import signal_lines


def format_rl(report: Mapping[str, Any]) -> str:
    """An RL selection as `str(report)` prints it."""
    low, high = report["band"]
    head = (
        f"RL selection: {counted(report['n_selected'], 'row')} of {counted(report['groups_selected'], 'task')},"
        f" target {report['target']:,}, band {low:g}..{high:g}" + ("" if report["enforce_band"] else " (ranked only)")
    )
    kinds = ", ".join(f"{printable(kind, 40)} {n:,}" for kind, n in report["fault_kinds"].items())
    lines = [
        head,
        *account_lines(report["account"], rl_words(low, high), "selected"),
        *signal_lines(report["signal"]),
    ]
    if kinds:
        lines.append(f"tasks by fault met: {kinds}")
    lines.append(f"reward scan: {_scanned(report['hack_scan'])}")
    graded = report["calibration"]["n_tasks"]  # where no task is, the notes on the rewards say why nothing is mixed
    cautions = [report["warning"]] if "warning" in report and graded else []
    return "\n".join([*lines, *_marked([*cautions, *report["reward_notes"], *report["hygiene_warnings"]])])


def format_sft(report: Mapping[str, Any]) -> str:
    """An SFT selection as `str(report)` prints it."""
    head = f"SFT selection: {counted(report['n_selected'], 'row')}, target {report['target']:,}, {report['selection']}"
    lines = [
        head,
        *account_lines(report["account"], sft_words(report["min_reward"]), "selected"),
        f"behaviours {report['behaviors_covered']:,} of {report['unique_behaviors']:,}  mean reward"
        f" {number_text(report['reward_mean_selected'])} (eligible {number_text(report['reward_mean_eligible'])})",
    ]
    if report.get("selection_effective") == "pass_filter":
        lines.append("most prompts have one completion: this was a pass filter, not a choice")
    cautions = [report[name] for name in ("warning", "note") if name in report]
    return "\n".join([*lines, *_marked([*cautions, *report["reward_notes"]])])


def _scanned(scan: Mapping[str, Any]) -> str:
    if scan["endorsed"] or scan["regime"] not in ("train", "pool_exhausted"):
        return str(scan["regime"])
    return f"{scan['regime']} (nothing endorsed: it names what pays, and judges nothing)"


def _marked(cautions: list[str]) -> list[str]:
    return [line for caution in cautions for line in wrapped(f"! {printable(caution)}")]
