"""`wai select FILE --mode rl|sft -o OUT`: the rows worth training on, and where every other row went."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from whileai.cli.options import in_options, options_of
from whileai.cli.ray import Ray
from whileai.cli.reading import Reading
from whileai.cli.shared import SourceFormat
from whileai.cli.whole import NOTHING, WholeFiles, checked_output, refuse_options, warnings_said, written
from whileai.cli.workers import Workers
from whileai.simulations.defaults import DEFAULT_SELECT_TARGET, DIFFICULTY_BAND
from whileai.simulations.reports import Report, printable, read_lines, wrapped


class Mode(StrEnum):
    """What the rows are for."""

    RL = "rl"
    SFT = "sft"


_RL_ONLY = frozenset({"band", "enforce_band", "order", "truncated", "endorsed", "prior", "audit", "text_gates"})
_SFT_ONLY = frozenset({"pick", "min_reward", "seed"})


def select(
    context: typer.Context,
    file: Annotated[str, typer.Argument(help="Graded rows: a file, folder or glob; - reads standard input.")],
    output: Annotated[str, typer.Option("--output", "-o", help="Where the selected rows are written.")],
    mode: Annotated[Mode, typer.Option(help="rl: whole tasks with contrast; sft: demonstrations.")] = Mode.RL,
    target: Annotated[int, typer.Option(help="About how many rows to keep.", min=1)] = DEFAULT_SELECT_TARGET,
    band: Annotated[tuple[float, float], typer.Option(help="RL: pass rates of the tasks kept.")] = DIFFICULTY_BAND,
    enforce_band: Annotated[bool, typer.Option(help="RL: drop tasks out of band, or rank them last.")] = True,
    order: Annotated[str, typer.Option(help="RL: spread over pass rates, or middle first.")] = "spread",
    truncated: Annotated[str, typer.Option(help="RL: drop, keep or penalize rollouts cut at the cap.")] = "drop",
    endorsed: Annotated[list[str] | None, typer.Option(help="RL: feature the reward should track; repeatable.")] = None,
    prior: Annotated[str | None, typer.Option(help="RL: graded rollouts of the last round.")] = None,
    audit: Annotated[str | None, typer.Option(help="RL: JSON report of audit_grades on the verifier.")] = None,
    text_gates: Annotated[str, typer.Option(help="RL: auto, require or skip the gates that read replies.")] = "auto",
    pick: Annotated[str, typer.Option("--select", help="SFT: the rejection-sampling rule.")] = "top_per_prompt",
    min_reward: Annotated[float, typer.Option(help="SFT: score that a demonstration needs.")] = 1.0,
    seed: Annotated[int, typer.Option(help="SFT: of the random rules.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    workers: Workers = None,
    ray: Ray = None,
    strict: Annotated[bool, typer.Option(help="Stop at a bad record: left out, it changes its group.")] = True,
    source_format: SourceFormat = None,
) -> None:
    """Select rows for RL or SFT.

    Every dropped row is counted under one reason, and the file is written whole. Exit status 0 when rows were
    written, 1 when none was selected, 2 for unreadable input.
    """
    checked_output(output, [file, prior, audit])
    if mode is Mode.SFT:
        refuse_options(context, _RL_ONLY, "--mode rl")
    else:
        refuse_options(context, _SFT_ONLY, "--mode sft")
    files = WholeFiles(strict=strict, source_format=source_format)
    opened = partial(Reading, [file], strict=strict, source_format=source_format, workers=workers, ray=ray)
    with warnings_said() as notes:
        if mode is Mode.SFT:
            selected, report = _for_sft(
                file, files, opened, target=target, select=pick, min_reward=min_reward, seed=seed
            )
        else:
            selected, report = _for_rl(
                file,
                files,
                opened,
                prior,
                target=target,
                lo=band[0],
                hi=band[1],
                enforce_band=enforce_band,
                endorsed=endorsed or (),
                truncated=truncated,
                order=order,
                audit=None if audit is None else _audit(audit),
                text_gates=text_gates,
            )
    wrote = written(selected, output)
    if as_json:
        shown = {**report, "mode": mode.value, "n_written": len(selected), "warnings": notes, "read": files.read}
        typer.echo(json.dumps(shown, indent=2))
    else:
        lines = [line for note in notes for line in wrapped(f"! {printable(note)}")]
        text = in_options("\n".join([str(report), *lines]), options_of(context))
        typer.echo("\n".join([*read_lines(files.read), text, wrote]))
    if not selected:
        raise typer.Exit(NOTHING)


def _for_rl(
    file: str, files: WholeFiles, opened: Callable[[], Reading], prior: str | None, **given: Any
) -> tuple[list[Any], Report]:
    """Select for RL, in two passes where the file can be read twice and no other rows are asked for."""
    from whileai.cli.passes import rl_selection
    from whileai.simulations.score.optimize import select_for_rl
    from whileai.simulations.score.optimize.rl import settings_of

    if prior is not None or file == "-":
        rows = files.rows(file, "select")
        return select_for_rl(rows, prior=None if prior is None else files.rows(prior, "compare with"), **given)
    endorsed, audit = given.pop("endorsed"), given.pop("audit")
    reading = opened()
    settings = settings_of(**given, has_tools=True, dedupe=True, drop_truncated=True)
    found = rl_selection(reading, opened, settings, endorsed, audit)
    files.read += reading.read
    return found


def _for_sft(file: str, files: WholeFiles, opened: Callable[[], Reading], **given: Any) -> tuple[list[Any], Report]:
    """Select for SFT, in two passes where the file can be read twice and the rule picks of each prompt."""
    from whileai.cli.passes import sft_selection
    from whileai.simulations.distributed.sft import DemonstrationJob
    from whileai.simulations.score.optimize import select_for_sft
    from whileai.simulations.score.optimize.arguments import choice
    from whileai.simulations.score.optimize.demonstrations import Select

    rule = Select(choice("select", given["select"], Select))
    if file == "-" or not rule.per_prompt:
        return select_for_sft(files.rows(file, "select"), **given)
    reading = opened()
    salt = "" if rule.by_score else str(given["seed"])
    job = DemonstrationJob(given["min_reward"], salt, rule.by_score)
    found = sft_selection(reading, opened, job, rule, given["target"])
    files.read += reading.read
    return found


def _audit(path: str) -> dict[str, Any] | None:
    """The report of an audit, as `json.dumps` wrote it."""
    from whileai.simulations.score.optimize.arguments import checked_audit

    try:
        return dict(checked_audit(json.loads(Path(path).read_text(encoding="utf-8"))) or {}) or None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: {error}") from None
