"""`judge_probes`: the reward hacks a policy finds first, tried on the judge on purpose."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from whileai.simulations.arguments import between, whole
from whileai.simulations.defaults import ALPHA, CI_LEVEL, FLIP_FLAG, JUDGE_CHECK_SAMPLE, POWER, PROBE_MIN_N
from whileai.simulations.kernels.intervals import wilson
from whileai.simulations.kernels.proportions import resolvable_share
from whileai.simulations.reports import Report, counted
from whileai.simulations.rows.table import RowTable
from whileai.simulations.score.judge_trust.draw import balanced
from whileai.simulations.score.judge_trust.paying import beyond_chance, pays
from whileai.simulations.score.judge_trust.text import format_probes
from whileai.simulations.score.judge_trust.tricks import ADDITIVE, TRICKS, Trick, chosen
from whileai.simulations.score.judging.loop import run_judge
from whileai.simulations.score.judging.unjudged import why_unjudged
from whileai.simulations.score.labels.label import exact_label
from whileai.simulations.signature import public

CONCURRENCY = 8  # judge calls in flight; convention
SOURCE = "judge_trust"  # lineage of rows judged for a check
_PLACES = 4


class Graded(NamedTuple):
    """A row with the 0/1 reward on it."""

    row: dict[str, Any]
    label: int


class Verdicts(NamedTuple):
    """What a judge said again of some rows: their 0/1 labels before and after, None after without a 0/1 verdict."""

    before: list[int]
    after: list[int | None]
    errors: int
    first_error: str | None = None

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Both labels of the rows that have both."""
        return [(b, a) for b, a in zip(self.before, self.after, strict=True) if a is not None]

    def told_errors(self) -> dict[str, Any]:
        """The keys of a report that say how many calls gave no verdict, and where there are some why the first."""
        return {"errors": self.errors, **({"first_error": self.first_error} if self.errors else {})}


class Moves(NamedTuple):
    """How many of n verdicts went from fail to pass and from pass to fail."""

    up: int
    down: int
    n: int


def moves(pairs: Iterable[tuple[int | None, int | None]]) -> Moves:
    """The moves of pairs of labels; a pair with a None is left out.

    >>> moves([(0, 1), (1, 1), (1, 0), (0, None)])
    Moves(up=1, down=1, n=3)
    """
    both = [(before, after) for before, after in pairs if before is not None and after is not None]
    return Moves(sum(a > b for b, a in both), sum(a < b for b, a in both), len(both))


def graded_rows(rows: Iterable[Any]) -> list[Graded]:
    """The rows whose `reward` is exactly 0 or 1, in order."""
    read = ((row, exact_label(row.get("reward"))) for row in RowTable(rows).rows if isinstance(row, dict))
    return [Graded(row, label) for row, label in read if label is not None]


def judged_again(
    parts: Sequence[Sequence[tuple[int, dict[str, Any]]]],
    judge: Callable[[dict[str, Any]], Any],
    concurrency: int,
    timeout: float | None,
) -> list[Verdicts]:
    """The verdicts on several lists of rows, each row beside its earlier label, judged in one run."""
    rows = [row for part in parts for _, row in part]
    scored = run_judge(rows, judge, source=SOURCE, concurrency=concurrency, timeout=timeout, quiet=True)
    judged = iter(scored.rows)
    return [_verdicts(part, [next(judged) for _ in part]) for part in parts]


def _verdicts(part: Sequence[tuple[int, dict[str, Any]]], judged: list[dict[str, Any]]) -> Verdicts:
    failed = [(row, copy) for (_, row), copy in zip(part, judged, strict=True) if copy["judge_status"] != "ok"]
    after = [exact_label(copy["reward"]) for copy in judged]
    return Verdicts([label for label, _ in part], after, len(failed), why_unjudged(*failed[0]) if failed else None)


@public
def judge_probes(
    rows: Iterable[Any],
    judge: Callable[[dict[str, Any]], Any],
    probes: str | Sequence[str] = "all",
    rubric: str | None = None,
    sample: int = JUDGE_CHECK_SAMPLE,
    seed: int = 0,
    concurrency: int = CONCURRENCY,
    flip_flag: float = FLIP_FLAG,
    *,
    timeout: float | None = None,
) -> Report:
    """Change graded rows the way a policy learns to, judge them again, and see which change pays.

    At most `sample` rows with a 0/1 `reward` are drawn with `seed`, half of them failures where there are enough of
    both; they are judged once a probe and not changed. Additive probes (`filler`, `keyword_stuffing`,
    `success_claim`, `prompt_echo`, `sycophancy`, `injection`) add text to the reply: `exploit_rate` is the net share
    of failing replies that then pass, (`flips_up` - `flips_down`) / failing, at least 0. Replacement probes
    (`empty_format`, `refusal`) leave nothing of it: the share that passes all the same. `probes` are names, or
    `"all"` for every one but `injection` (text that poses as the end of the record, as an instruction and as a
    verdict): ask for that with `["all", "injection"]`. `rubric` is the text `keyword_stuffing` takes its words from,
    else the row's system message. `timeout` is in seconds a call.

    Keys: `n` rows drawn, `probes` {name: entry}, `exploitable_by` (names), `warnings` (one a probe in it), `notes` (one
    a probe with too few rows to say, or with a rate that chance gives; calls without a verdict, with the cause of the
    first). An entry has `n` (0/1 before and after), `kind`, `pass_before`, `pass_after`, `flips_up`, `flips_down`,
    `net_flips`, `denominator`, `exploit_rate`, `ci95` (Wilson), `low_power` (a denominator from 1 to 19: never
    flagged), `resolves` (the least rate that many rows tell from `flip_flag`), `flagged` (a rate of `flip_flag` or more
    that a judge which only flips at random does not give, at 0.05 over the probes asked), `errors`, calls without a
    verdict, and with any `first_error`; shares are None without rows. A probe that fits no row has `n` 0 and `skipped`,
    the reason. ValueError for an unknown probe or a bad argument. Gao et al. 2022, arXiv:2210.10760.

    >>> rows = [{"prompt": "Cancel it", "final_text": f"Cannot, {i}.", "reward": 0} for i in range(20)]
    >>> report = judge_probes(rows, lambda row: "verified" in row["final_text"], ["filler", "success_claim"])
    >>> report["exploitable_by"], report["probes"]["filler"]["exploit_rate"]
    (['success_claim'], 0.0)
    """
    names = chosen(probes)
    if rubric is not None and not isinstance(rubric, str):
        raise ValueError(f"rubric must be its text, got {type(rubric).__name__}: of a Rubric pass .checklist()")
    flip_flag, sample = between("flip_flag", flip_flag, 0, math.inf), whole("sample", sample, 1)
    graded = graded_rows(rows)
    places = balanced([each.label for each in graded], sample, seed)
    held = [graded[place] for place in places]
    values: dict[str, Any] = {"n": len(held), "probes": {}, "exploitable_by": [], "warnings": [], "notes": []}
    if held:
        values["probes"] = _entries(held, judge, names, rubric, concurrency, timeout, flip_flag)
        values["exploitable_by"] = [name for name, entry in values["probes"].items() if entry.get("flagged")]
        values["warnings"] = [_exploit(name, values["probes"][name]) for name in values["exploitable_by"]]
        values["notes"] = [note for name, entry in values["probes"].items() for note in _notes(name, entry, flip_flag)]
        values["notes"] += _lost(values["probes"].values())
    else:
        values["note"] = "no row has a 0/1 reward, so there is nothing to probe: grade the rows with run_judge"
    return Report(values, show=format_probes)


def _entries(
    held: list[Graded],
    judge: Callable[[dict[str, Any]], Any],
    names: list[str],
    rubric: str | None,
    concurrency: int,
    timeout: float | None,
    flip_flag: float,
) -> dict[str, dict[str, Any]]:
    parts = [_played(TRICKS[name], held, rubric) for name in names]
    verdicts = judged_again(parts, judge, concurrency, timeout)
    entries: dict[str, dict[str, Any]] = {
        name: _entry(TRICKS[name], found, flip_flag) if part else {"n": 0, "skipped": TRICKS[name].cannot}
        for name, part, found in zip(names, parts, verdicts, strict=True)
    }
    tested = [entry for entry in entries.values() if entry.get("denominator", 0) >= PROBE_MIN_N]
    for entry, beyond in zip(tested, beyond_chance(tested, flip_flag), strict=True):
        entry["flagged"] = pays(entry, flip_flag) and beyond
    return entries


def _played(trick: Trick, held: list[Graded], rubric: str | None) -> list[tuple[int, dict[str, Any]]]:
    played = ((label, trick.play(row, rubric)) for row, label in held)
    return [(label, row) for label, row in played if row is not None]


def _entry(trick: Trick, found: Verdicts, flip_flag: float) -> dict[str, Any]:
    pairs = found.pairs
    n, additive, (up, down, _) = len(pairs), trick.kind == ADDITIVE, moves(pairs)
    passed_before, passed_after = sum(before for before, _ in pairs), sum(after for _, after in pairs)
    denominator = n - passed_before if additive else n
    paid = max(0, up - down) if additive else passed_after
    low_power = 0 < denominator < PROBE_MIN_N
    return {
        "n": n,
        "kind": trick.kind,
        "pass_before": _share(passed_before, n),
        "pass_after": _share(passed_after, n),
        "flips_up": up,
        "flips_down": down,
        "net_flips": max(0, up - down),
        "denominator": denominator,
        "exploit_rate": _share(paid, denominator),
        "ci95": tuple(wilson(paid, denominator, CI_LEVEL)) if denominator else None,
        "low_power": low_power,
        "resolves": resolvable_share(denominator, flip_flag, ALPHA, POWER) if low_power else None,
        "flagged": False,
        **found.told_errors(),
    }


def _share(part: int, whole_count: int) -> float | None:
    return round(part / whole_count, _PLACES) if whole_count else None


def _exploit(name: str, entry: Mapping[str, Any]) -> str:
    low, high = entry["ci95"]
    said = f"[{low:.2f}, {high:.2f}], {entry['flips_up']} up and {entry['flips_down']} down"
    if entry["kind"] == ADDITIVE:
        paid = f"{entry['exploit_rate']:.0%} of {entry['denominator']} failing replies pass once it is added"
    else:
        paid = f"{entry['exploit_rate']:.0%} of {entry['denominator']} replies pass with their content gone"
    return f"probe {name}: {paid} ({said}); {_FIXES.get(name, _FIX)}"


_FIX = "tell the judge in its rubric that this earns nothing, and probe again before training on it"
_FIXES = {
    "empty_format": "have the judge check what the call was given and what it returned, not its form",
    "refusal": "add a hard rule to the rubric that the ask is carried out",
    "injection": "mark the rollout as data in the judge's prompt (rubric_judge does) or gate the reward on a program",
    "success_claim": "have the judge check the claim against the tool results, not the words",
}


def _lost(entries: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    failed = [entry for entry in entries if entry.get("errors")]
    if failed:
        calls = counted(sum(entry["errors"] for entry in failed), "probe call")
        yield f"the judge gave no verdict on {calls}; the first: {failed[0]['first_error']}"


def _notes(name: str, entry: Mapping[str, Any], flip_flag: float) -> Iterator[str]:
    of = "failing replies" if entry.get("kind") == ADDITIVE else "replies"
    if entry.get("low_power"):
        yield (
            f"probe {name}: only {entry['denominator']} {of}, {PROBE_MIN_N} are needed to flag it: a rate under "
            f"{entry['resolves']:.2f} cannot be told from the flag; grade more {of} or raise sample"
        )
    elif pays(entry, flip_flag) and not entry["flagged"]:
        yield (
            f"probe {name}: {entry['exploit_rate']:.0%} of {entry['denominator']} {of} is no more than a judge that "
            f"flips at random gives; grade more {of} or raise sample to tell"
        )
