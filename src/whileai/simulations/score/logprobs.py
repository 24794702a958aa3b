"""What the policy's own log-probabilities say: confidence, distance from a reference, staleness."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from whileai.simulations.defaults import HACK_THRESHOLD
from whileai.simulations.errors import warn
from whileai.simulations.kernels.association import pearson
from whileai.simulations.listing import listed
from whileai.simulations.reports import Report, counted, printable
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.task import task_key
from whileai.simulations.rows.text import reply, steps_of
from whileai.simulations.rows.values import as_text, finite, is_bool, is_mapping
from whileai.simulations.signature import public

Row = Mapping[str, Any]
_QUANTILES = {"row_mean_p10": 0.1, "row_mean_p50": 0.5, "row_mean_p90": 0.9}
_UNKNOWN = "unknown"
_REF = "ref_logprob"
_MOST_TOKENS = 10**12  # beyond it a count is no count of one rollout


@public
def logprob_report(rows: Iterable[Any]) -> Report:
    """How confident the policy was, and whether the reward pays for confidence.

    Rows carry `logprob`, summed over `n_tokens` generated tokens, in nats. Keys: `n_rows`, `n_with_logprobs`,
    `n_tokens`, `mean_token_logprob` (total over total), `row_mean_p10`, `row_mean_p50`, `row_mean_p90` (quantiles of
    each row's own mean, p10 the least confident), `corr_reward_confidence` (Pearson of that mean with the 0/1 reward;
    None under 3 rows or for a constant), `n_truncated` (rows with a cut step, whose logprob is partial) and
    `warnings`. A reward that goes with confidence rewards fluency, not behavior (Gao et al. 2022, arXiv:2210.10760).

    >>> report = logprob_report([{"logprob": -4.0, "n_tokens": 8}, {"logprob": -2.0, "n_tokens": 8}])
    >>> report["mean_token_logprob"], report["row_mean_p10"]
    (-0.375, -0.5)
    """
    held = RowTable(rows).rows
    scored = [
        (row, value, n) for row in held if (value := _number(row.get("logprob"))) is not None and (n := _tokens(row))
    ]
    means = np.array([value / n for _, value, n in scored])
    tokens = sum(n for *_, n in scored)
    correlation = _confidence(means, [row for row, *_ in scored])
    n_truncated = sum(_has_cut_step(row) for row, *_ in scored)
    ranked = np.sort(means)
    values = {
        "n_rows": len(held),
        "n_with_logprobs": len(scored),
        "n_tokens": tokens,
        "mean_token_logprob": round(sum(value for _, value, _ in scored) / tokens, 4) if tokens else None,
        **{name: _quantile(ranked, share) for name, share in _QUANTILES.items()},
        "corr_reward_confidence": None if correlation is None else round(correlation, 4) + 0.0,
        "n_truncated": n_truncated,
        "warnings": [
            *_report_warnings(len(held), len(scored), correlation, n_truncated),
            *_positive_warnings([value for _, value, _ in scored]),
        ],
    }
    return Report(values, show=listed)


def _number(value: Any) -> float | None:
    """A number that is one: no text and no boolean."""
    return None if is_bool(value) or isinstance(value, str) else finite(value)


def _tokens(row: Row) -> int:
    """The row's count of generated tokens, 0 when it has no usable one."""
    count = row.get("n_tokens")
    if not isinstance(count, int | np.integer) or is_bool(count):
        return 0
    return int(count) if 0 < count <= _MOST_TOKENS else 0


def _quantile(ranked: Any, share: float) -> float | None:
    return round(float(ranked[round(share * (ranked.size - 1))]), 4) if ranked.size else None


def _confidence(means: Any, rows: list[Row]) -> float | None:
    rewards = [_number(row.get("reward")) for row in rows]
    graded = [place for place, reward in enumerate(rewards) if reward in (0, 1)]
    return pearson(means[graded], np.array([rewards[place] for place in graded], dtype=float)) if graded else None


def _has_cut_step(row: Row) -> bool:
    return any(is_mapping(step) and step.get("truncated") is True for step in steps_of(row))


def _report_warnings(n: int, n_scored: int, correlation: float | None, n_truncated: int) -> list[str]:
    said = []
    if n and not n_scored:
        said.append("no row carries logprob and n_tokens: turn on logprob capture where the rollouts are sampled")
    if correlation is not None and correlation >= HACK_THRESHOLD:
        said.append(
            f"the reward goes with the policy's confidence (r {correlation:+.2f}): check that the judge rewards "
            "behavior and not fluency"
        )
    if n_truncated:
        rollouts = "1 rollout has" if n_truncated == 1 else f"{n_truncated} rollouts have"
        said.append(f"{rollouts} a truncated step: the logprob is partial, leave them out of a ratio")
    return said


def _positive_warnings(logprobs: list[float]) -> list[str]:
    n = sum(value > 0 for value in logprobs)
    if not n:
        return []
    return [
        f"{n:,} of {counted(len(logprobs), 'row')} with a logprob above 0, which no log-probability is: give logprob as"
        " the sum of natural logs, not their negative and not probabilities"
    ]


@public
def mean_kl(rows: Iterable[Any], ref: str | Sequence[Any] = _REF) -> Report:
    """Sampled KL(policy || reference) in nats a generated token, overall and by task.

    `ref` names the key that holds the reference model's summed logprob of the same tokens, or gives rows scored under
    it (`logprob`), matched by `rollout_id`, else `scenario_id` and `rollout_index`, else prompt and final text. The
    estimate pools tokens: the sum of differences over the sum of tokens. It may be negative and is not clipped. Keys:
    `mean_kl` (6 decimals, None when nothing was used), `per_task`, `n_rows` used, `n_skipped` (a side or the token
    count is missing), `n_tokens`. A key of your own that no row has is a `UserWarning`.

    >>> mean_kl([{"task_id": "a", "logprob": -10.0, "ref_logprob": -12.0, "n_tokens": 10}])["per_task"]
    {'a': 0.2}
    """
    held = RowTable(rows).rows
    if isinstance(ref, str):
        references: list[Any] = [row.get(ref) for row in held]
        if held and ref != _REF and not any(ref in row for row in held):
            warn(f"ref: no row has {printable(ref, 60)!r}, so no KL is measured")
    else:
        known: dict[tuple[str, ...], Any] = {}
        for row in RowTable(ref).rows:
            if "logprob" in row:
                known.setdefault(_identity(row), row["logprob"])
        references = [known.get(_identity(row)) for row in held]
    sums: dict[str, list[float]] = {}
    n_used = 0
    for row, reference in zip(held, references, strict=True):
        own, other, n = _number(row.get("logprob")), _number(reference), _tokens(row)
        if own is None or other is None or not n:
            continue
        n_used += 1
        task = sums.setdefault(task_key(row), [0.0, 0])
        task[0] += own - other
        task[1] += n
    tokens = int(sum(n for _, n in sums.values()))
    values = {
        "mean_kl": round(math.fsum(total for total, _ in sums.values()) / tokens, 6) if tokens else None,
        "per_task": {task: round(total / n, 6) for task, (total, n) in sums.items()},
        "n_rows": n_used,
        "n_skipped": len(held) - n_used,
        "n_tokens": tokens,
    }
    return Report(values, show=listed)


def _identity(row: Row) -> tuple[str, ...]:
    if row.get("rollout_id"):
        return "id", as_text(row["rollout_id"])
    if row.get("scenario_id") is not None and row.get("rollout_index") is not None:
        return "index", as_text(row["scenario_id"]), as_text(row["rollout_index"])
    return "text", as_text(row.get("prompt")), reply(row) or ""


@public
def staleness_report(rows: Iterable[Any], base_model: str | None = None) -> Report:
    """Which policies sampled these rows, and whether an update can still use them.

    Rows of an older policy are usable when they carry its version and its logprobs, so that the ratio can be formed
    (Noukhovitch et al. 2024, arXiv:2410.18252). Keys: `n`, `versions` (`policy_version`, else `model_version`: rows),
    `models`, `base_model` as given, `stale` (rows of another or an unknown model; None without a base model),
    `stale_share`, `temperatures`, `sampling_coverage`, `logprob_coverage`, `token_logprob_coverage` (shares of rows,
    None without rows) and `warnings`.

    >>> report = staleness_report([{"model_version": "m1"}, {"model_version": "m2"}], base_model="m2")
    >>> report["versions"], report["stale_share"]
    ({'m1': 1, 'm2': 1}, 0.5)
    """
    held = RowTable(rows).rows
    n = len(held)
    models = Counter(_named(row, "model_version") for row in held)
    versions = Counter(_named(row, "policy_version", "model_version") for row in held)
    stale = None if base_model is None else n - models[base_model]
    sampling = [row["sampling"] for row in held if is_mapping(row.get("sampling"))]
    n_logprob = sum(_number(row.get("logprob")) is not None for row in held)
    n_listed = sum(bool(row.get("token_logprobs")) and isinstance(row["token_logprobs"], list | tuple) for row in held)
    values = {
        "n": n,
        "versions": dict(versions),
        "models": dict(models),
        "base_model": base_model,
        "stale": stale,
        "stale_share": _share(stale, n),
        "temperatures": dict(Counter(str(settings.get("temperature")) for settings in sampling)),
        "sampling_coverage": _share(len(sampling), n),
        "logprob_coverage": _share(n_logprob, n),
        "token_logprob_coverage": _share(n_listed, n),
        "warnings": _stale_warnings(n, len(versions), stale, base_model, n - n_logprob, len(sampling)),
    }
    return Report(values, show=listed)


def _named(row: Row, *keys: str) -> str:
    return next((text for key in keys if (text := as_text(row.get(key)))), _UNKNOWN)


def _share(count: int | None, n: int) -> float | None:
    return round(count / n, 4) if n and count is not None else None


def _stale_warnings(
    n: int, n_versions: int, stale: int | None, base_model: str | None, without_logprob: int, n_sampling: int
) -> list[str]:
    said = []
    if n_versions > 1:
        said.append(
            f"{n_versions} policy versions are mixed: an update needs the ratio to the one that sampled each row"
        )
    if stale:
        said.append(f"{stale}/{n} rows were not sampled by {base_model}: correct for it, or sample them again")
    if n_versions > 1 and without_logprob:
        said.append(f"{without_logprob}/{n} rows carry no logprob, so that no ratio can be formed: leave them out")
    if 0 < n_sampling < n:
        said.append(f"{n - n_sampling}/{n} rows do not say how they were sampled: record sampling on every row")
    return said
