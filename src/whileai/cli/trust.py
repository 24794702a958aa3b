"""`wai trust FILE`: can the judge behind these rewards be trusted? Its exit status is a gate for CI."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from whileai.cli.compare import NOT_OK
from whileai.cli.html import HELP, checked_page, page_written
from whileai.cli.judges import judge_of, rubric_in
from whileai.cli.options import in_options, options_of
from whileai.cli.reading import Reading
from whileai.cli.shared import AsJson, SourceFormat, Strict
from whileai.simulations.defaults import JUDGE_CHECK_SAMPLE, MIN_AGREEMENT, MIN_KAPPA
from whileai.simulations.page.held import Held
from whileai.simulations.reports import counted, printable, read_lines, wrapped

GOLD = "gold_reward"  # where a page looks for the label
CONCURRENCY = 8  # judge calls in flight; convention
EVERY_PROBE = ("all", "injection")


def trust(
    context: typer.Context,
    files: Annotated[
        list[str], typer.Argument(help="Graded rollouts: files, folders or globs, pooled; - reads stdin.")
    ],
    gold: Annotated[
        str | None, typer.Option(help="Labels to attach first: JSON lines with a key and a 0/1 label.")
    ] = None,
    kind: Annotated[str, typer.Option(help="Who made those labels: human, program or model.")] = "human",
    column: Annotated[str, typer.Option(help="Row key of the gold label.")] = "gold_reward",
    judge: Annotated[
        str | None, typer.Option(help="The judge, to try it: MODULE:FUNCTION or FILE.py:FUNCTION.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="The same when it is a model: openai:MODEL, vllm:MODEL@URL")] = None,
    rubric: Annotated[str | None, typer.Option(help="What that model judges by: a rubric as JSON, or text.")] = None,
    probe: Annotated[list[str] | None, typer.Option(help="Trick to try on it; may be given again; every one.")] = None,
    sample: Annotated[int, typer.Option(help="Rows it judges again, and once a trick.", min=1)] = JUDGE_CHECK_SAMPLE,
    concurrency: Annotated[int, typer.Option(help="Judge calls under way at once.")] = CONCURRENCY,
    timeout: Annotated[float | None, typer.Option(help="Seconds a call may take.")] = None,
    min_agreement: Annotated[
        float, typer.Option(help="Floor of the lower bound of agreement.", min=0, max=1)
    ] = MIN_AGREEMENT,
    min_kappa: Annotated[float, typer.Option(help="Floor of kappa.", min=-1, max=1)] = MIN_KAPPA,
    allow_model_gold: Annotated[bool, typer.Option("--allow-model-gold", help="Let a model's labels count.")] = False,
    disagreements: Annotated[
        bool, typer.Option("--disagreements", help="List the rows the judge and the labels differ on.")
    ] = False,
    html: Annotated[str | None, typer.Option(help=HELP)] = None,
    as_json: AsJson = False,
    strict: Strict = False,
    source_format: SourceFormat = None,
) -> None:
    """Say whether a judge can be trusted.

    By agreement with labels, bias for length and leaks; exit status 0 when the judge can be trusted, 1 when
    not.

    With --judge, or --model and --rubric, it is also asked again and tried with the tricks that policies learn.
    """
    from whileai.simulations.score.judge_trust import judge_trust
    from whileai.simulations.score.judge_trust.report import disputed
    from whileai.simulations.score.labels import attach_labels

    asked = None if judge is None and model is None and rubric is None else judge_of(judge, model, rubric)
    if probe and asked is None:
        raise ValueError("--probe tries tricks on a judge: give it, as --judge MODULE:FUNCTION or --model SPEC")
    if gold is not None and column != GOLD:
        raise ValueError(f"--gold puts its labels in {GOLD}, --column {column} reads others: leave one of the two out")
    if gold is not None and any(os.path.realpath(gold) == os.path.realpath(file) for file in files):
        raise ValueError(f"{gold}: the rows would be their own labels; name a file of labels that somebody else gave")
    checked_page(html, [*files, *([gold] if gold else [])])
    reading = Reading(files, strict=strict, source_format=source_format, counts_only=asked is None and html is None)
    held = Held()
    for batch, file in reading.batches():
        held.add(batch, file)
    reading.need_rows("check")
    rows = held.rows
    labels: dict[str, Any] | None = None
    if gold is not None:
        rows, labels = attach_labels(rows, gold, kind=kind)
        if not labels["labels"]:
            raise ValueError(f"{gold}: no labels to attach")
    found = judge_trust(
        rows,
        asked,
        gold=column,
        sample=sample,
        concurrency=concurrency,
        probes=None if asked is None else probe or EVERY_PROBE,
        rubric=_rubric_text(rubric),
        min_agreement=min_agreement,
        min_kappa=min_kappa,
        allow_model_gold=allow_model_gold,
        timeout=timeout,
    )
    wrote = [] if html is None else [_page(held, rows, column, found, reading, html)]
    if as_json:
        typer.echo(json.dumps({**found, "labels": labels, "read": reading.read}, indent=2))
    else:
        said = in_options(str(found), options_of(context))
        shown = _to_review(found["disagreements"], disputed(rows, column)) if disagreements else [said]
        typer.echo("\n".join([*read_lines(reading.read), *_label_lines(gold, labels), *shown, *wrote]))
    if not found["ok"]:
        raise typer.Exit(NOT_OK)


def _page(held: Held, rows: list[Any], column: str, found: Mapping[str, Any], reading: Reading, path: str) -> str:
    """The report's page, with what was found of the judge."""
    from whileai.simulations.page.document import report_document
    from whileai.simulations.score.overview import overview

    held.rows = rows if column == GOLD else [{**row, GOLD: row.get(column)} for row in rows]
    return page_written(report_document(held, overview(held.rows), reading.read, reading.located, found), path)


def _rubric_text(path: str | None) -> str | None:
    """The words of a rubric file, for the trick that repeats them."""
    if path is None:
        return None
    held = rubric_in(Path(path))
    if isinstance(held, str):
        return held
    from whileai.simulations.score.rubric import Rubric

    return Rubric.from_dict(held).checklist()


def _label_lines(gold: str | None, labels: dict[str, Any] | None) -> list[str]:
    if labels is None:
        return []
    who = ", ".join(printable(name, 30) for name in labels["annotators"][:5])
    attached = f"{labels['matched']} of {counted(labels['labels'], 'label')} attached"
    lines = [f"{printable(gold, 60)}: {attached}" + (f", by {who}" if who else "")]
    return lines + [line for warning in labels.get("warnings", ()) for line in wrapped(f"! {printable(warning)}")]


def _to_review(queue: list[dict[str, Any]], rows: list[Any]) -> list[str]:
    from whileai.simulations.score.labels.identity import indexed_id, rollout_id

    if not queue:
        return ["no row on which the judge and the labels differ"]
    return [
        f"{printable(rollout_id(row) or indexed_id(row) or each['task'], 40)}: "
        f"gold {each['gold']}, judge {each['judge']}: " + printable(each["reason"] or each["final_text"])
        for each, row in zip(queue, rows, strict=True)
    ]
