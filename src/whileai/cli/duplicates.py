"""`wai duplicates FILE...`: asks that say nearly the same, and rollouts that repeat within an ask."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from whileai.cli.prompts import prompts_as_rows
from whileai.cli.ray import Ray
from whileai.cli.reading import Reading
from whileai.cli.shared import AsJson, SourceFormat, Strict
from whileai.cli.workers import Workers
from whileai.simulations.arguments import between
from whileai.simulations.defaults import NEAR_DUP_JACCARD
from whileai.simulations.reports import counted, printable, read_lines

_SHOWN = 5


def duplicates(
    files: Annotated[list[str], typer.Argument(help="Files, folders or globs, pooled; - reads standard input.")],
    threshold: Annotated[float, typer.Option(help="Share of their words two asks have in common.")] = NEAR_DUP_JACCARD,
    as_json: AsJson = False,
    workers: Workers = None,
    ray: Ray = None,
    strict: Strict = False,
    source_format: SourceFormat = None,
) -> None:
    """Find nearly equal asks, and repeats within an ask.

    Nearly equal asks weigh as one task twice and leak over a split.
    """
    from whileai.simulations.score.hygiene.repeats import Repeats

    threshold = between("threshold", threshold, 0, 1)
    source_format = prompts_as_rows(files, source_format)
    reading = Reading(files, strict=strict, source_format=source_format, workers=workers, ray=ray)
    repeats = reading.gathered(Repeats)
    reading.need_rows("compare")
    asks, rollouts = repeats.asks(threshold), {**repeats.rollouts(), "not_compared": repeats.silent}
    found = {"read": reading.read, "asks": asks, "rollouts": rollouts}
    typer.echo(json.dumps(found, indent=2) if as_json else "\n".join(_lines(found)))


def _lines(found: dict[str, Any]) -> list[str]:
    asks, rollouts = found["asks"], found["rollouts"]
    lines = [
        *read_lines(found["read"]),
        f"{counted(asks['n_prompts'], 'distinct ask')}: {counted(asks['n_pairs'], 'pair')} with at least "
        f"{asks['threshold']:.0%} of their words in common, {asks['n_prompts_involved']:,} asks in one",
    ]
    for pair in asks["examples"][:_SHOWN]:
        lines += [f"  {pair['jaccard']:.2f}  {printable(pair['a'], 90)}", f"        {printable(pair['b'], 90)}"]
    if more := asks["n_pairs"] - min(_SHOWN, len(asks["examples"])):
        lines.append("  and " + counted(more, "more pair"))
    if (n := rollouts["n"]) == rollouts["not_compared"]:
        return [*lines, f"{counted(n, 'row')} without a reply or a call: no rollouts to compare"]
    lines.append(
        f"{counted(rollouts['n'], 'rollout')}: {rollouts['n_dropped']:,} ({rollouts['duplicate_rate']:.1%}) repeat an "
        f"earlier one of their ask, in {counted(rollouts['groups_affected'], 'ask')}"
    )
    if rollouts["conflicting_rewards"]:
        n = rollouts["conflicting_rewards"]
        lines.append(f"! {counted(n, 'repeat')} got another reward than the first: noise of the judge")
    if n := rollouts["not_compared"]:
        lines.append(f"! {counted(n, 'rollout')} without a reply or a call: not compared with the others")
    return lines
