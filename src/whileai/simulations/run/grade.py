"""The three ways a run is graded: by a callable in place, by a judge on copies, by a model in place."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from whileai.simulations.arguments import whole
from whileai.simulations.defaults import DEFAULT_CONCURRENCY, JUDGE_MAX_TOKENS, JUDGE_PAYLOAD_CHARS
from whileai.simulations.errors import meant
from whileai.simulations.reports import Report, counted, out_of, printable, wrapped
from whileai.simulations.rows.grade import label
from whileai.simulations.rows.task import task_key
from whileai.simulations.rows.values import as_text
from whileai.simulations.run.played import Played
from whileai.simulations.score.judging.judge import Judge
from whileai.simulations.score.judging.loop import run_judge
from whileai.simulations.score.judging.names import judge_name_of
from whileai.simulations.score.judging.scored import ScoredData

Row = dict[str, Any]
TRUST = ("warn", "require", "off")
UNMEASURED, TRUSTED, NOT_TRUSTED = "unmeasured", "ok", "not_ok"
_GOLD = "gold_reward"
_NO_GOLD = (
    "the judge {name} is unmeasured: no row has a label of a person (gold_reward), so nobody knows how often it is "
    "wrong; label some rows (attach_labels) and read judge_trust(rows)"
)


def checked_trust(trust: Any) -> str:
    """One of `warn`, `require`, `off`; anything else is a `ValueError`."""
    if trust not in TRUST:
        raise ValueError(f"trust must be one of {', '.join(TRUST)}, got {trust!r}{meant(trust, TRUST)}")
    return str(trust)


def grade_in_place(
    data: Played,
    grader: Callable[[Row], Any],
    *,
    concurrency: int = DEFAULT_CONCURRENCY,
    version: str | None = None,
    scale: tuple[float, float] | None = None,
    trust: str = "warn",
) -> None:
    """Write the verdicts of a plain callable on the rows of a run; what is hollow about them goes to its warnings.

    The run id follows from the grader and the rows, so that equal runs graded alike stay equal.
    """
    trust = checked_trust(trust)
    scored = run_judge(
        data,
        grader,
        concurrency=_calls(concurrency),
        version=version,
        scale=scale,
        run_id=_run_id(data, judge_name_of(grader), version),
    )
    cautions = trust_cautions(scored, trust, is_model=False)
    write_back(data, scored)
    data.warn(*scored.warnings, *unjudged(scored.rows), *cautions)


def grade_copies(
    data: Played,
    judge: Any,
    *,
    concurrency: int = DEFAULT_CONCURRENCY,
    version: str | None = None,
    scale: tuple[float, float] | None = None,
    trust: str = "warn",
) -> ScoredData:
    """Copies of the rows of a run with a judge's verdicts; the run itself stays as it is."""
    trust = checked_trust(trust)
    spec = getattr(judge, "spec", None)
    scored = run_judge(
        data,
        judge,
        concurrency=_calls(concurrency),
        version=version or getattr(judge, "version", None),
        scale=scale,
        model=spec if isinstance(spec, str) else None,
    )
    scored.warnings += [*unjudged(scored.rows), *trust_cautions(scored, trust, is_model=True)]
    return scored


def grade_by_model(
    data: Played,
    judge: Judge,
    *,
    concurrency: int = DEFAULT_CONCURRENCY,
    version: str | None = None,
    scale: tuple[float, float] | None = None,
    trust: str = "warn",
    rubric: Any = None,
) -> Report:
    """Write the verdicts of a model judge on the rows of a run, and say how that went."""
    scored = grade_copies(data, judge, concurrency=concurrency, version=version, scale=scale, trust=trust)
    write_back(data, scored)
    data.judge_model = judge.spec
    data.warn(*scored.warnings)
    return _report(scored.rows, "reward", judge, version, scored.warnings, rubric)


def second_opinion(
    data: Played, judge: Judge, *, concurrency: int, version: str | None = None, rubric: Any = None
) -> Report:
    """Write a model's verdicts beside those of the rows, as `llm_reward` and `llm_reason`; `reward` stays."""
    calls = _calls(concurrency)
    scored = run_judge(data, judge, concurrency=calls, version=version, model=judge.spec, quiet=True)
    for row, verdict in zip(data.trajectories, scored.rows, strict=True):
        row["llm_reward"] = verdict["reward"]
        row.pop("llm_reason", None)
        if verdict["reward"] is None:
            continue
        row["llm_reason"] = as_text(verdict.get("reason"))
    return _report(data.trajectories, "llm_reward", judge, version, [], rubric)


def model_judge(
    data: Played,
    model: Any,
    rubric: Any,
    *,
    api_key: Any = None,
    use_privileged: bool = False,
    payload_chars: int = JUDGE_PAYLOAD_CHARS,
    max_tokens: int = JUDGE_MAX_TOKENS,
) -> Judge:
    """The model judge of a run: it sees the policy and the tools of the run's agent."""
    return Judge(
        rubric,
        model=model,
        api_key=api_key,
        policy=data.profile.policy,
        tools=data.profile.tools or None,
        use_privileged=use_privileged,
        payload_chars=payload_chars,
        max_tokens=max_tokens,
    )


def trust_cautions(scored: ScoredData, trust: str, *, is_model: bool) -> list[str]:
    """What the gold labels on the rows say against the judge; a judge's rows get the word under `judge_meta.trust`.

    With `require` anything against it, and no label at all, is a `RuntimeError`. A rule (`is_model` false) without
    labels is not warned of: it says what it checks.
    """
    from whileai.simulations.score.judge_trust import judge_trust

    if trust == "off" or not scored.rows:
        return []
    name = printable(scored.judge_name, 60)
    if all(row.get(_GOLD) is None for row in scored.rows):
        word, said = UNMEASURED, [_NO_GOLD.format(name=name)] if is_model or trust == "require" else []
    else:
        report = judge_trust(scored.rows)
        word = TRUSTED if report["ok"] else NOT_TRUSTED if report["n_labeled"] else UNMEASURED
        said = [] if report["ok"] else [f"trust in {name}: {line}" for line in report["warnings"]]
    if trust == "require" and word != TRUSTED:
        reasons = "; ".join(said) or f"{name} did not clear the floors of judge_trust"
        raise RuntimeError(f'trust="require" and nothing was graded: {reasons}')
    if is_model:
        for row in scored.rows:
            _stamp(row, scored.model, word)
    return said


def _stamp(row: Row, model: str | None, word: str) -> None:
    meta = row.get("judge_meta")
    known = {} if model is None else {"model": model}
    row["judge_meta"] = {**known, **(meta if isinstance(meta, dict) else {}), "trust": word}


def _calls(concurrency: Any) -> int:
    """How many calls may be under way: never more than 32."""
    return max(1, min(whole("concurrency", concurrency), DEFAULT_CONCURRENCY))


def write_back(data: Played, scored: ScoredData) -> None:
    """Put the verdicts of scored copies on the rows they are copies of; the rows stay the same objects."""
    for row, copy in zip(data.trajectories, scored.rows, strict=True):
        row.clear()
        row.update(copy)


def _run_id(data: Played, judge_name: str, version: str | None) -> str:
    digest = hashlib.sha256(repr((judge_name, version)).encode("utf-8", "surrogatepass"))
    for row in data.trajectories:
        lineage = row.get("lineage")
        earlier = lineage.get("scoring_run_id") if isinstance(lineage, dict) else None
        told = repr((task_key(row), row.get("rollout_index"), as_text(row.get("final_text")), earlier))
        digest.update(told.encode("utf-8", "surrogatepass"))
    return f"score_{digest.hexdigest()[:12]}"


def _report(
    rows: Iterable[Row], column: str, judge: Judge, version: str | None, warnings: list[str], rubric: Any
) -> Report:
    held = list(rows)
    labels = [label({"reward": row.get(column)}) for row in held]
    graded = sum(row.get(column) is not None for row in held)
    values = {
        "graded": graded,
        "unjudged": len(held) - graded,
        "n0": labels.count(0),
        "n1": labels.count(1),
        "backend": judge.spec,
        "judge_name": judge.name,
        "judge_version": version or judge.version,
        "warnings": list(warnings),
        "rubric": as_text(rubric) if rubric is not None else None,
    }
    return Report(values, show=_shown)


def unjudged(rows: list[Row]) -> list[str]:
    """How many rows have no verdict, and why the first of them has none."""
    without = [row for row in rows if row.get("reward") is None]
    if not without:
        return []
    meta = without[0].get("judge_meta")
    error = meta.get("error") if isinstance(meta, dict) else None
    why = printable(error or without[0].get("reason") or without[0].get("judge_status"), 200)
    return [f"{out_of(len(without), len(rows), 'row', 'have')} no verdict, so no part in any rate; the first: {why}"]


def _shown(report: Mapping[str, Any]) -> str:
    head = (
        f"{printable(report['judge_name'], 80)}: {counted(report['graded'], 'row')} graded, {report['n1']:,} pass, "
        f"{report['n0']:,} fail, {report['unjudged']:,} without a verdict"
    )
    return "\n".join([head, *(line for warning in report["warnings"] for line in wrapped(f"! {printable(warning)}"))])
