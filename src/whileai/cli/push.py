"""`wai push FILE --to TARGET`: rows to a folder, the Hugging Face Hub or a registry, whole or not at all."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer

from whileai.cli.shared import SourceFormat
from whileai.cli.whole import WholeFiles
from whileai.simulations.defaults import PROVE_EFFECT
from whileai.simulations.reports import read_lines


class Mode(StrEnum):
    """How the rows were made, and what for."""

    EXPLORE = "explore"
    SFT = "sft"
    RL = "rl"
    ADAPTIVE = "adaptive"


class Purpose(StrEnum):
    """What the dataset is for."""

    TRAIN = "train"
    HOLDOUT = "holdout"
    EVAL = "eval"


def push(
    file: Annotated[str, typer.Argument(help="Rollouts: a file, folder or glob; - reads standard input.")],
    to: Annotated[
        str | None,
        typer.Option(help="A folder, hf://OWNER/NAME or https://HOST; else the registry at WHILEAI_API_URL."),
    ] = None,
    name: Annotated[str | None, typer.Option(help="The dataset's name; by default the last part of --to.")] = None,
    gate: Annotated[bool, typer.Option(help="Run the publish gate first, and push nothing that it refuses.")] = True,
    mode: Annotated[Mode | None, typer.Option(help="rl, sft, explore or adaptive; rl is gated as such.")] = None,
    purpose: Annotated[Purpose, typer.Option(help="What the rows are for.")] = Purpose.TRAIN,
    agent: Annotated[str | None, typer.Option(help="Whose rollouts they are.")] = None,
    description: Annotated[str | None, typer.Option(help="A sentence for the card.")] = None,
    parent: Annotated[str | None, typer.Option(help="The dataset these rows were made from.")] = None,
    endorsed: Annotated[list[str] | None, typer.Option(help="Gate: what the reward should track; repeatable.")] = None,
    strict_hacks: Annotated[bool, typer.Option(help="Gate: refuse a reward best explained by other features.")] = False,
    holdout: Annotated[float | None, typer.Option(help="Share of tasks that goes into a split of its own.")] = None,
    prove_effect: Annotated[float, typer.Option(help="Gain that the holdout should be able to show.")] = PROVE_EFFECT,
    publish: Annotated[bool, typer.Option(help="Make it public; needs --agent.")] = False,
    timeout: Annotated[float | None, typer.Option(help="Seconds for the whole upload to a registry.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the entry as JSON.")] = False,
    strict: Annotated[bool, typer.Option(help="Stop at a bad record, which would be missing.")] = True,
    source_format: SourceFormat = None,
) -> None:
    """Check rollouts and push them.

    Keys come from the environment (WHILEAI_API_KEY, HF_TOKEN).
    """
    from whileai.simulations.registry import push_rows
    from whileai.simulations.registry.target import name_of, resolved

    if name is None and (to is None or to.lower().startswith(("http:", "https:"))):
        raise ValueError(
            "name the dataset with --name, or a place of its own with --to (./data/refunds, hf://OWNER/NAME)"
        )
    name = name or name_of(to or "")
    resolved(name, to)  # before the rows are read: a place that is none is said at once
    files = WholeFiles(strict=strict, source_format=source_format)
    entry = push_rows(
        files.rows(file, "push"),
        name,
        target=to,
        parent=parent,
        gate=gate,
        mode=None if mode is None else mode.value,
        purpose=purpose.value,
        agent=agent,
        description=description,
        endorsed=endorsed or (),
        strict_hacks=strict_hacks,
        prove_effect=prove_effect,
        holdout=holdout,
        publish=publish,
        timeout=timeout,
    )
    if as_json:
        typer.echo(json.dumps({**entry, "read": files.read}, indent=2))
    else:
        typer.echo("\n".join([*read_lines(files.read), str(entry)]))
