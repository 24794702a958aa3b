"""`wai grade FILE`: rows with a judge's verdict on each, in a new file."""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from whileai.cli.judges import judge_of, judge_on_ray, source_version
from whileai.cli.reading import Reading
from whileai.cli.shared import SourceFormat, Strict

if TYPE_CHECKING:
    from whileai.simulations.score.judging import ScoredData

UNJUDGED = 1  # exit status when a row has no verdict
_CHECKPOINT = ".checkpoint"
_ENDINGS = (".jsonl", ".ndjson", ".json", ".parquet", ".gz", ".zst")


def grade(
    file: Annotated[str, typer.Argument(help="File, folder or glob with the rollouts; - reads standard input.")],
    output: Annotated[str, typer.Option("--output", "-o", help="Where the graded rows go: .jsonl, .json, .parquet.")],
    judge: Annotated[str | None, typer.Option(help="A function of a row: MODULE:FUNCTION or FILE.py:FUNCTION.")] = None,
    model: Annotated[str | None, typer.Option(help="A model that judges: openai:MODEL, vllm:MODEL@URL, ...")] = None,
    rubric: Annotated[str | None, typer.Option(help="What the model judges by: a rubric as JSON, or text.")] = None,
    scale: Annotated[str | None, typer.Option(help="Ratings on a scale, such as 1,5, are mapped onto 0 to 1.")] = None,
    concurrency: Annotated[int, typer.Option(help="Judge calls under way at once.", min=1)] = 8,
    timeout: Annotated[float | None, typer.Option(help="Seconds a call may take.")] = None,
    version: Annotated[
        str | None, typer.Option(help="What would change the judge's labels; keeps verdicts apart.")
    ] = None,
    checkpoint: Annotated[str | None, typer.Option(help="Where verdicts are kept; OUTPUT.checkpoint.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Judge on the Ray cluster at this address, whose machines see the folder."
        ),
    ] = None,
    strict: Strict = False,
    source_format: SourceFormat = None,
) -> None:
    """Grade rollouts with a judge.

    A second call with the same arguments judges only rows without a verdict.

    Exit status 0 when every row has a verdict, 1 when one has none, 2 for unreadable input.
    """
    from whileai.simulations.rows.write import write_rows
    from whileai.simulations.score.judging import run_judge

    kept = checkpoint or output + _CHECKPOINT
    _check_output(file, output, kept)
    chosen = judge_of(judge, model, rubric)
    reading = Reading([file], strict=strict, source_format=source_format)
    rows = [row for batch, _ in reading.batches() for row in batch]
    reading.need_rows("grade")
    asked = chosen if ray is None else judge_on_ray(ray, chosen, judge, rubric, concurrency, timeout)
    try:
        scored = run_judge(
            rows,
            asked,
            concurrency=concurrency,
            timeout=timeout,
            version=version or (source_version(chosen) if judge is not None else None),
            scale=_scale(scale),
            checkpoint=kept,
            quiet=True,  # what would be logged is in the summary
        )
    except KeyboardInterrupt:
        typer.echo(f"the verdicts so far are in {_shown(kept)}; the same command goes on from there", err=True)
        raise
    write_rows(scored.rows, output)
    found = {**_summary(rows, scored), "output": output, "checkpoint": kept, "read": reading.read}
    typer.echo(json.dumps(found, indent=2, ensure_ascii=True) if as_json else _text(found))
    if found["unjudged"]:
        raise typer.Exit(UNJUDGED)


def _check_output(file: str, output: str, kept: str) -> None:
    """Refuse what could not be written before anything is judged."""
    from whileai.simulations.rows.write import write_rows

    target = Path(output)
    if file != "-" and os.path.realpath(file) == os.path.realpath(target):
        raise ValueError(f"{output}: the rows would be written over; name another output")
    if os.path.realpath(kept) in (os.path.realpath(target), os.path.realpath(file)):
        raise ValueError(f"{kept}: the checkpoint is a file of its own; name another one")
    if target.suffix.lower() not in _ENDINGS:
        raise ValueError(f"{output}: rows are written as {', '.join(_ENDINGS)}; name such a file")
    if not target.parent.is_dir():
        raise ValueError(f"{target.parent}: there is no such folder to write to")
    with tempfile.TemporaryDirectory() as folder:
        write_rows([], Path(folder) / target.name)


def _scale(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise ValueError(f"--scale must be two numbers such as 1,5, got {text!r}") from None
    return low, high


def _summary(rows: list[dict[str, Any]], scored: ScoredData) -> dict[str, Any]:
    from whileai.simulations.score.judging.unjudged import why_unjudged
    from whileai.simulations.score.judging.warnings import one_reward

    failed = [(row, copy) for row, copy in zip(rows, scored.rows, strict=True) if copy["judge_status"] != "ok"]
    return {
        "rows": len(scored),
        "judge": scored.judge_name,
        "from_checkpoint": scored.resumed,
        "passes": len(scored.passes()),
        "failures": len(scored.failures()),
        "partials": len(scored.partials()),
        "unjudged": len(failed),
        "statuses": dict(Counter(copy["judge_status"] for _, copy in failed)),
        "first_unjudged": why_unjudged(*failed[0]) if failed else None,
        "warnings": [*scored.warnings, *one_reward(scored.rows)],
    }


def _text(found: dict[str, Any]) -> str:
    from whileai.simulations.reports import bad_records_text, counted, wrapped

    lines = [
        f"{counted(found['rows'], 'row')} graded by {_shown(found['judge'])}: {found['passes']} pass, "
        f"{found['failures']} fail, {found['partials']} partial, {found['unjudged']} without a verdict",
        f"written to {_shown(found['output'])}",
    ]
    if found["from_checkpoint"]:
        lines.append(
            f"{found['from_checkpoint']} of {counted(found['rows'], 'verdict')} from {_shown(found['checkpoint'])}, "
            "by the same judge; for new ones delete it or give another --version"
        )
    notes = [*found["warnings"], *(bad_records_text(entry) for entry in found["read"] if entry["bad"])]
    if found["unjudged"]:
        kinds = ", ".join(f"{n:,} {status}" for status, n in found["statuses"].items())
        notes.append(
            f"{kinds}: without a verdict, never a 0; the first: {found['first_unjudged']}; the same command judges "
            "only these again"
        )
    return "\n".join([*lines, *(line for note in notes for line in wrapped(f"! {note}"))])


def _shown(text: Any, most: int | None = None) -> str:
    from whileai.simulations.reports import printable

    return printable(text, most)
