"""`optimize`: rows from a run, a file or a list, selected for SFT or RL, and written."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from whileai.simulations.defaults import DEFAULT_SELECT_TARGET, DIFFICULTY_BAND
from whileai.simulations.reports import Report
from whileai.simulations.score.optimize.arguments import checked_mode, pair_of
from whileai.simulations.score.optimize.rl import select_for_rl
from whileai.simulations.score.optimize.sft import FULL_REWARD, select_for_sft
from whileai.simulations.signature import public

SFT, RL = "sft", "rl"
_COMPRESSED = (".gz", ".zst")
_NOT_WRITTEN = ("", ".csv", ".tsv", ".arrow", ".eval")  # what `write_rows` refuses, and no suffix


@public
def optimize(
    source: Any,
    mode: str | None = None,
    target: int = DEFAULT_SELECT_TARGET,
    output: str | os.PathLike[str] | None = None,
    band: tuple[float, float] = DIFFICULTY_BAND,
    enforce_band: bool = True,
    select: str = "top_per_prompt",
    min_reward: float = FULL_REWARD,
    endorsed: Sequence[str] = (),
    truncated: str = "drop",
    order: str = "spread",
    audit: Mapping[str, Any] | None = None,
) -> tuple[list[Any], Report]:
    """Select the rows worth training on, for SFT (`select_for_sft`) or RL (`select_for_rl`), and write them.

    `source` is a list of rows, a path that `load_rows` reads, or a run with `trajectories` (whose `mode` is the
    default here, and whose `profile.tools` say whether the agent has tools). `mode` is `sft` in any
    case, or `rl`, as which `explore` and `adaptive` and no mode count; another one is a `ValueError`. `target`, and
    for SFT `select` and `min_reward`, for RL `band` and the rest, are those of the selector.

    The rows go to `output`, else for a path to `<stem>.<mode>.jsonl` (or the suffix it has) beside it, which is
    replaced whole; the source is only overwritten when `output` names it. The report is the selector's and `mode`;
    when a file was written `path` and `n_written`. A broken record is a `ValueError`, a missing file a
    `FileNotFoundError`.

    >>> rows = [{"task_id": task, "reward": r} for task, r in [("a", 1), ("a", 0), ("b", 1), ("b", 1)]]
    >>> selected, report = optimize(rows)
    >>> report["mode"], len(selected)
    ('rl', 2)
    """
    wanted = checked_mode(mode) or getattr(source, "mode", None)
    chosen = SFT if str(wanted).lower() == SFT else RL
    held = _rows_of(source)
    if chosen == SFT:
        selected, report = select_for_sft(held, target=target, select=select, min_reward=min_reward)
    else:
        low, high = pair_of(band)
        selected, report = select_for_rl(
            held,
            target=target,
            lo=low,
            hi=high,
            enforce_band=enforce_band,
            has_tools=_has_tools(source),
            endorsed=endorsed,
            truncated=truncated,
            order=order,
            audit=audit,
        )
    report["mode"] = chosen
    path = _target(source, output, chosen)
    if path is not None:
        report["path"], report["n_written"] = os.fspath(path), _write(selected, path)
    return selected, report


def _rows_of(source: Any) -> Any:
    if isinstance(source, str | os.PathLike):
        from whileai.simulations.rows.load import load_rows

        return list(load_rows(source, strict=True))
    held = None if isinstance(source, list) else getattr(source, "trajectories", None)
    return source if held is None else held


def _has_tools(source: Any) -> bool:
    """False for a run whose profile says that the agent has none."""
    tools = getattr(getattr(source, "profile", None), "tools", None)
    return tools is None or len(tools) > 0


def _target(source: Any, output: Any, mode: str) -> Path | None:
    if output is not None:
        return Path(output)
    return beside(Path(source), mode) if isinstance(source, str | os.PathLike) else None


def beside(path: Path, mode: str) -> Path:
    """Where a selection from a file goes: beside it, its mode before its suffix.

    >>> beside(Path("runs/a.jsonl.gz"), "rl").as_posix(), beside(Path("a"), "sft").as_posix()
    ('runs/a.rl.jsonl.gz', 'a.sft.jsonl')
    """
    packed = path.suffix if path.suffix.lower() in _COMPRESSED else ""
    bare = path.with_suffix("") if packed else path
    suffix = ".jsonl" if bare.suffix.lower() in _NOT_WRITTEN else bare.suffix
    return bare.with_name(f"{bare.stem}.{mode}{suffix}{packed}")


def _write(rows: list[Any], path: Path) -> int:
    from whileai.simulations.exports.row import fit_for_files
    from whileai.simulations.rows.write import write_rows

    path.parent.mkdir(parents=True, exist_ok=True)
    return write_rows(fit_for_files(rows), path)
