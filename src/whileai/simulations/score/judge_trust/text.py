"""The printed trust report, at most 100 columns wide: verdict, numbers with their intervals, then what to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whileai.simulations.arguments import report_of
from whileai.simulations.defaults import PROBE_MIN_N
from whileai.simulations.reports import counted, interval_text, out_of, printable, wrapped
from whileai.simulations.score.judge_trust.flags import FROM_AGREEMENT, flags, labels_needed, silent, under_floor
from whileai.simulations.signature import public

Report = Mapping[str, Any]
_KIND_CHARS = 30
_NAME_COLUMNS = 16


@public
@report_of("judge_trust")
def format_judge_trust(report: Mapping[str, Any]) -> str:
    """The block a person reads: PASS, FAIL, INCONCLUSIVE or NOT MEASURED, each check on its line, warnings last.

    Takes the report of `judge_trust` or a plain dict of its keys; a rate that is None prints as n/a.

    >>> from whileai.simulations.score.judge_trust import judge_trust
    >>> print(format_judge_trust(judge_trust([{"task_id": "a", "reward": 1}])).splitlines()[0][:12])
    NOT MEASURED
    """
    lines = [_headline(report), *_agreement(report), *_length(report["length_sensitivity"]), *_again(report)]
    if report.get("probes"):
        lines += _probes(report["probes"])
    n = len(report["disagreements"])
    lines.append(f"disagreements to read: {n}" + (' (report["disagreements"])' if n else ""))
    return "\n".join([*_wrapped(lines), *_warnings(report["warnings"])])


def format_probes(report: Mapping[str, Any]) -> str:
    """The rows probed, one line a probe, then what had too few rows and the warnings."""
    head = f"probed {counted(report['n'], 'row')}"
    note = [report["note"]] if report.get("note") else []
    of_all = [f"- {printable(note)}" for note in report["notes"] if not note.startswith("probe ")]
    return "\n".join([*_wrapped([head, *_probes(report), *of_all, *note]), *_warnings(report["warnings"])])


def _wrapped(lines: list[str]) -> list[str]:
    return [part for line in lines for part in wrapped(line, "    ")]


def _warnings(warnings: list[str]) -> Iterator[str]:
    for warning in warnings:
        yield from wrapped(f"! {printable(warning)}")


def _headline(report: Report) -> str:
    if not report["n_labeled"] and (n_gold := report["skipped"]["n_gold"]):
        return f"{_verdict(report)}: {counted(n_gold, 'label')}, none on a row with a 0/1 reward"
    kind = printable(report.get("gold_kind") or "none", _KIND_CHARS)
    return f"{_verdict(report)}: judge against {counted(report['n_labeled'], 'label')} (gold: {kind})"


def _verdict(report: Report) -> str:
    if report["ok"]:
        return "PASS"
    found, skipped = set(flags(report)), report["skipped"]
    if found - FROM_AGREEMENT or (found and not skipped["over_floor"]):
        return "FAIL"
    if skipped["over_floor"]:
        left_out = out_of(skipped["fractional"], skipped["n_gold"], "label")
        return f"INCONCLUSIVE, {left_out} skipped, {skipped['n_used']} usable"
    if not report["n_labeled"] or not report["agreement"]["ok"]:
        return "NOT MEASURED"
    if under_floor(report) and (needed := labels_needed(report)):
        return f"INCONCLUSIVE, {counted(needed, 'label')} needed"
    return "INCONCLUSIVE, no verdicts" if silent(report) else "FAIL"


def _agreement(report: Report) -> Iterator[str]:
    agreement, skipped = report["agreement"], report["skipped"]
    yield (
        f"agreement {_percent(agreement['agreement'])}{_ends(agreement)}  n={agreement['n']}  "
        f"skipped {skipped['n_gold'] - skipped['n_used']}  kappa {_number(agreement['kappa'])}"
        f"{_ends(agreement, 'kappa_ci95')}"
    )
    counts = agreement["confusion"]
    yield "confusion " + " ".join(f"{cell}={counts[cell]}" for cell in ("tp", "fp", "fn", "tn"))
    halves = report["held_out_halves"]
    yield "  ".join(
        f"half {name} {_percent(half['agreement'])}{_ends(half)} n={half['n']}" for name, half in halves.items()
    )


def _length(found: Report) -> Iterator[str]:
    said = []
    for label in ("gold_1", "gold_0"):
        entry = found.get(label) or {}
        gap = entry.get("gap_long_minus_short")
        p = entry.get("p_value")
        told = entry.get("flagged") or entry.get("labels_may_explain")
        sides = f"{entry['n_short']} short, {entry['n_long']} long, " if told else ""
        beyond = "" if p is None else f" ({sides}{p_text(p)})"
        said.append(f"{label.replace('_', ' ')} {'n/a' if gap is None else f'{gap:+.2f}'}{beyond}")
    mark = "  FLAG" if found.get("flagged") else "  judge or labels" if found.get("labels_may_explain") else ""
    yield f"length gap, long minus short: {', '.join(said)}{mark}"


def _again(report: Report) -> Iterator[str]:
    again = report.get("perturbation")
    if again is None:
        return
    if not again["n"]:
        yield f"judged again: n/a, {again.get('note', 'no rows')}"
        return
    errors = f"  errors {again['errors']}" if again["errors"] else ""
    yield (
        f"judged again (n={again['n']}): {_percent(again['consistency_flip_rate'])} flip{_flag(again, 'consistency')}, "
        f"with filler {_percent(again['filler_flip_rate'])} flip "
        f"+{again['filler_flips_up']}/-{again['filler_flips_down']}{_flag(again, 'length')}{errors}"
    )


def _flag(again: Report, what: str) -> str:
    return " FLAG" if again[f"flagged_{what}"] else ""


def _probes(found: Report) -> Iterator[str]:
    for name, entry in found["probes"].items():
        label = f"probe {printable(name):<{_NAME_COLUMNS}}"
        if "skipped" in entry:
            yield f"{label} skipped: {printable(entry['skipped'])}"
            continue
        passed = f"pass {_percent(entry['pass_before'])} -> {_percent(entry['pass_after'])}"
        moved = f"+{entry['flips_up']}/-{entry['flips_down']}"
        errors = f"  errors {entry['errors']}" if entry["errors"] else ""
        rate = f"{_number(entry['exploit_rate'])}{_ends(entry)}"
        yield f"{label} {rate:<17}  {passed}  {moved}{_mark(entry)}{errors}"
    for name, entry in found["probes"].items():
        if not entry.get("low_power"):
            yield from (f"- {printable(note)}" for note in found["notes"] if note.startswith(f"probe {name}: "))
    thin = {e["denominator"]: e["resolves"] for e in found["probes"].values() if e.get("low_power")}
    if thin:
        tells = ", ".join(f"n={n} tells {share:.2f} or more" for n, share in sorted(thin.items()))
        yield (
            f"- low power: no flag below {PROBE_MIN_N} rows, where chance moves a rate too far ({tells}); grade more "
            "rows (failing ones for what is added), or raise sample"
        )


def _mark(entry: Report) -> str:
    if entry["flagged"]:
        return "  EXPLOITABLE"
    if entry["n"] and not entry["denominator"]:
        return "  no failing reply to try"
    return f"  low power (n={entry['denominator']})" if entry["low_power"] else ""


def p_text(p: float) -> str:
    """A p value as it is printed.

    >>> p_text(0.0312), p_text(0.0)
    ('p 0.031', 'p < 0.0001')
    """
    return "p < 0.0001" if p < 0.0001 else f"p {p:.2g}"


def _percent(rate: float | None) -> str:
    return "n/a" if rate is None else f"{rate:.0%}"


def _number(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.2f}"


def _ends(entry: Report, key: str = "ci95") -> str:
    ends = entry.get(key)
    return "" if ends is None else f" {interval_text(ends, 2)}"
