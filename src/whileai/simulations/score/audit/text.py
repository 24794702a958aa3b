"""What an audit says: its summary, its warnings, and the printed block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whileai.simulations.arguments import report_of
from whileai.simulations.reports import counted, out_of, printable, wrapped
from whileai.simulations.rows.values import as_text
from whileai.simulations.score.audit.sides import NO_REASON, Rate, Side
from whileai.simulations.signature import public

MIN_AUDITED_FAILS = 20  # failed rows checked, below which the rate is called coarse; convention
_KIND_CHARS = 60
_NAME_CHARS, _INDEX_CHARS, _REASON_CHARS = 18, 5, 25


def summary_of(fails: Side, others: Side, fn: Rate, wrong: int | None) -> str:
    """Of how many failures checked the judge says they are right, and how many that makes of all."""
    if fn.n:
        return f"judge overturned {fn} of the failures checked: about {wrong:,} of all {fails.n:,} are right"
    if not fails.n:
        return f"no failed row to audit: the verifier failed 0 rows and passed {others.n:,}"
    return f"no failed row was audited: the judge answered 0 of {len(fails.sampled)} drawn from {fails.n:,} failures"


def warnings_of(
    fails: Side,
    others: Side,
    fn: Rate,
    fp: Rate,
    fn_warn: float,
    kinds: Mapping[str, Mapping[str, int]],
    said: str,
) -> Iterator[str]:
    """What is wrong with the verifier or with the audit, each with what to do about it."""
    if not fn.n:
        yield said
    if fn.over(fn_warn):
        kind, counts = next(iter(kinds.items()))
        yield (
            f"VERIFIER: {said}; most overturned is {printable(kind, _KIND_CHARS)!r} "
            f"({counts['fn']} of {counts['n']}): mend the verifier before training on it"
        )
    if 0 < fn.n < MIN_AUDITED_FAILS:
        yield (
            f"only {counted(fn.n, 'failed row')} checked, too few to rest on below {MIN_AUDITED_FAILS}: raise sample "
            "or grade more rows"
        )
    if fp.over(fn_warn):
        yield f"the judge failed {fp} of the passed rows it checked: the verifier passes wrong answers; tighten it"
    if errors := fails.errors + others.errors:
        asked = len(fails.sampled) + len(others.sampled)
        yield (
            f"the judge gave no verdict on {out_of(errors, asked, 'row')}, which are in no rate: "
            "run_judge(rows[:5], judge) shows the reason in judge_meta"
        )
    if fn.n or fp.n:
        yield "these rates are as good as the judge: check it with judge_agreement or judge_trust on labelled rows"


@public
@report_of("audit_grades")
def format_audit(report: Mapping[str, Any]) -> str:
    """The block a person reads: the summary, a line a kind of reason, a line an overturned row.

    Takes the report of `audit_grades` or a plain dict of its keys; an empty one gives an empty text.

    >>> print(format_audit({"summary": "no failed row was judged again", "reasons": {}}))
    no failed row was judged again
    """
    lines = wrapped(printable(report["summary"]), "    ") if report.get("summary") else []
    for kind, counts in (report.get("reasons") or {}).items():
        lines.append(f"  {printable(kind, _KIND_CHARS)}: {counts['fn']} of {counts['n']} overturned")
    for each in report.get("examples") or ():
        verifier, judge = (_reason(each.get(f"{who}_reason")) for who in ("verifier", "judge"))
        lines.append(f"  {_name(each)}: verifier '{verifier}', judge '{judge}'")
    return "\n".join(lines)


def _reason(reason: Any) -> str:
    return printable(as_text(reason) or NO_REASON, _REASON_CHARS)


def _name(example: Mapping[str, Any]) -> str:
    index = example.get("rollout_index")
    scenario = printable(as_text(example.get("scenario_id")) or "row", _NAME_CHARS)
    return scenario if index is None else f"{scenario}#{printable(index, _INDEX_CHARS)}"


def block(report: Mapping[str, Any]) -> str:
    """`format_audit`, then the warnings that say more than the summary."""
    said = [warning for warning in report["warnings"] if warning != report["summary"]]
    return "\n".join([format_audit(report), *(line for warning in said for line in wrapped(f"! {warning}"))])
