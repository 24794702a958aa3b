"""The warnings of a trust report, each with its fix, in the order they are printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whileai.simulations.defaults import MIN_GOLD, PROBE_MIN_N
from whileai.simulations.reports import counted, out_of, printable
from whileai.simulations.score.judge_trust.flags import (
    CONSISTENCY,
    FILLER,
    KAPPA,
    flags,
    labels_needed,
    silent,
    under_floor,
)
from whileai.simulations.score.judge_trust.halves import HALVES_GAP_FLAG, halves_gap, halves_p
from whileai.simulations.score.judge_trust.scorers import Foreign
from whileai.simulations.score.judge_trust.text import p_text

Report = Mapping[str, Any]
_SIDES = ("short", "long")
_GUESSING = 0.2  # kappa under which agreement is hardly more than chance; Landis and Koch 1977, "slight"


def cautions(report: Report, foreign: Foreign | None) -> list[str]:
    """Every warning that the report's own keys and the scorers of the rows call for."""
    measured = report["agreement"]["n"] > 0
    said = [
        *(report["agreement"]["warnings"] if measured else ()),
        *([foreign.text()] if foreign else ()),
        *_skipped(report["skipped"]),
        *_agreement(report),
        *_halves(report["held_out_halves"]),
        *_length(report),
        *_perturbation(report),
        *((report["probes"] or {}).get("warnings", ())),
        *_errors(report),
    ]
    wanting = foreign or flags(report) or silent(report) or report["skipped"]["over_floor"]
    return said if measured or wanting else [*said, _unmeasured(report)]


def _skipped(skipped: Report) -> Iterator[str]:
    k, n = skipped["fractional"], skipped["n_gold"]
    if not k:
        return
    left_out = f"{out_of(k, n, 'labeled row')} ({k / n:.0%}) left out of the agreement for a fractional reward"
    if skipped["over_floor"]:
        yield (
            f"{left_out}, over {skipped['floor']:.0%}: the rows kept are those the judge was sure about, so agreement "
            'reads high; make the criteria kind="hard", so that every reward is 0 or 1'
        )
    else:
        yield f'{left_out}; under {skipped["floor"]:.0%}, so it stands; kind="hard" criteria would count them'


def _agreement(report: Report) -> Iterator[str]:
    agreement, floors = report["agreement"], report["floors"]
    if report["gold_degenerate"]:
        label = "passes" if agreement["gold_pass_rate"] else "failures"
        other = "failures" if agreement["gold_pass_rate"] else "passes"
        yield (
            f"all gold labels ({agreement['n']}) are {label}: kappa and the length check are not read; "
            f"label some {other} too"
        )
    if under_floor(report):
        floor, needed = floors["min_agreement"], labels_needed(report)
        low = _apart(agreement["ci95"][0], floor)
        said = f"agreement {agreement['agreement']:.0%} on {counted(agreement['n'], 'label')} may be as low as {low}"
        if needed is not None:
            more = f"label {counted(needed, 'row')} in all"
            yield f"{said}, under {floor:.2f}: the sample is short, not the judge poor; {more}"
        else:
            yield f"{said}, under {floor:.2f}: change the judge or its rubric; {_READ}"
    if KAPPA in flags(report):
        kappa, floor = agreement["kappa"], floors["min_kappa"]
        guessing = ", the judge is guessing" if kappa < _GUESSING else ""
        yield f"kappa {_apart(kappa, floor)} is under {floor:.2f}{guessing}: change the judge or its rubric; {_READ}"


_READ = "the rows to read are in disagreements"


def _apart(value: float, floor: float) -> str:
    """A value under a floor with the decimals that show it."""
    short = f"{value:.2f}"
    return f"{value:.4f}" if short == f"{floor:.2f}" else short


def _halves(halves: Report) -> Iterator[str]:
    gap = halves_gap(halves)
    if gap is not None and abs(gap) >= HALVES_GAP_FLAG:
        a, b = (f"{halves[half]['agreement']:.0%} of {halves[half]['n']}" for half in "ab")
        yield (
            f"the task halves differ ({p_text(halves_p(halves))}): the judge agrees with {a} labels in half a and {b} "
            "in half b; when that holds with more labels, the rubric fits only the tasks it was written on: mend it on "
            "others"
        )


def _length(report: Report) -> Iterator[str]:
    found, degenerate = report["length_sensitivity"], report["gold_degenerate"]
    if degenerate or not (found["flagged"] or found["labels_may_explain"]):
        return
    verdict = "flagged" if found["flagged"] else "labels_may_explain"
    entries = [(name[-1], found[name]) for name in ("gold_1", "gold_0") if found[name].get(verdict)]
    label, worst = min(entries, key=lambda each: each[1]["p_value"])
    sides = {side: (round(worst[f"judge_pass_{side}"] * worst[f"n_{side}"]), worst[f"n_{side}"]) for side in _SIDES}
    rates = " and ".join(f"{passed} of {n} {side} replies" for side, (passed, n) in sides.items())
    measured = f"of rows with gold {label} the judge passes {rates} ({p_text(worst['p_value'])})"
    if found["flagged"]:
        yield (
            f"length bias: {measured}, more than wrong labels alone would give; say in the rubric that length earns "
            "nothing, then grade again"
        )
        return
    longer = worst["gap_long_minus_short"] > 0
    passed, n = sides["long" if longer == (label == "0") else "short"]
    wrong = passed if label == "0" else n - passed
    yield (
        f"length: {measured}. Either length moves it or {wrong} of these labels are wrong, which looks the "
        f"same where passes are {'longer' if longer else 'shorter'} than fails: read those rows, they are in "
        f"disagreements; {_by_filler(report['perturbation'])}"
    )


def _by_filler(again: Report | None) -> str:
    """What added words alone do to the verdicts, which no label has a part in."""
    if again is None:
        return "judge_trust(rows, judge) also tries what added words alone do"
    if again.get("filler_flip_rate") is None or again["n"] < PROBE_MIN_N:
        return f"added words were tried on too few rows to tell: have it judge {PROBE_MIN_N} or more again (sample=)"
    moved = f"added words alone turn {again['filler_flips_up']} fails and {again['filler_flips_down']} passes"
    whose = "so it is the judge" if again["flagged_length"] else "which speaks for the judge"
    return f"{moved} of {counted(again['n'], 'row')}, {whose}"


def _perturbation(report: Report) -> Iterator[str]:
    again, flagged = report["perturbation"] or {}, flags(report)
    if CONSISTENCY in flagged:
        yield (
            f"{again['consistency_flip_rate']:.0%} of verdicts flip when the same rows are judged again: set the "
            "judge's temperature to 0, or take the majority of several calls"
        )
    if FILLER in flagged:
        up, down = again["filler_flips_up"], again["filler_flips_down"]
        turned = f"{up} fails into passes and {down} passes into fails"
        yield (
            f"neutral filler alone turns {turned} of {counted(again['n'], 'row')}: the judge "
            f"{'pays for' if up > down else 'punishes'} length; say in the rubric that length earns nothing"
        )


def _errors(report: Report) -> Iterator[str]:
    again, probes = report["perturbation"] or {}, (report["probes"] or {}).get("probes", {})
    failed, calls = again.get("errors", 0), 2 * again.get("n", 0)
    in_probes = sum(entry.get("errors", 0) for entry in probes.values())
    causes = (entry.get("first_error") for entry in (again, *probes.values()))
    cause = printable(next(filter(None, causes), "not recorded"))
    nothing = ", which so measured nothing" if silent(report) else ""
    if failed or in_probes:
        beside = f" and {in_probes} of the probes" if in_probes else ""
        yield (
            f"the judge gave no verdict on {out_of(failed, calls, 'call')} of judging again{beside}{nothing}; the "
            f"first: {cause}"
        )
    elif nothing:
        yield (
            f"the judge gave no 0/1 verdict on {calls} calls of judging again{nothing}: make its criteria "
            'kind="hard", or have it return 0 or 1'
        )


def _unmeasured(report: Report) -> str:
    missing = printable(report["agreement"]["warnings"][0])
    probes = '; until then judge_trust(rows, judge, probes="all") shows what fools it' if report["n_rows"] else ""
    return f"unmeasured: {missing} ({MIN_GOLD} rows or more){probes}"
