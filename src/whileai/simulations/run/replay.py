"""Asks taken from elsewhere: the tasks of an earlier run, the flawed rollouts of traces, a list of seeds."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from whileai.simulations.rows.load import load_rows
from whileai.simulations.rows.task import task_id
from whileai.simulations.rows.text import ask_text
from whileai.simulations.rows.values import as_text, is_mapping
from whileai.simulations.run.ask import PINNED, SEED, Ask
from whileai.simulations.run.checkpoint import fingerprint
from whileai.simulations.run.schema import Declared
from whileai.simulations.run.situations import Situation
from whileai.simulations.run.traces import load_traces, mine_traces

LABELS = (
    "stance", "tier", "tone", "length", "ask", "ask_family", "vagueness", "phrasing", "pressure", "user", "texture",
    "history", "intent_known", "tool_known",
)  # fmt: skip
_CARRIED = ("task_id", "calibration", "stage", "spec_id", "spec_version")  # what a task keeps in its next rollouts
_RUN_FIELDS = ("run_id", "eval_run", "scoring_run_id")

Row = Mapping[str, Any]


class Origin(NamedTuple):
    """What asks get that their rows do not say: the seed of their worlds, the tools as the world reads them."""

    seed: int
    schemas: Mapping[str, Declared]


def pinned(tasks: Any, origin: Origin) -> list[Ask]:
    """The asks of earlier rows, each once, in the order they first appear, with the world they were played in.

    `tasks` is a run, scored data, rows, task dicts with a `prompt`, prompts as text, or a file of any of these that
    `load_rows` reads. `k` of an ask is how many rollouts of it there were, None when no task has more than one.
    A `TypeError` for anything else, a `ValueError` when no entry has a prompt.

    >>> rows = [{"scenario_id": "s1", "prompt": "Hi"}] * 2
    >>> [(ask.situation.id, ask.prompt, ask.k) for ask in pinned(rows, Origin(0, {}))]
    [('s1', 'Hi', 2)]
    """
    asks: dict[tuple[str, str], Ask] = {}
    counts: Counter[tuple[str, str]] = Counter()
    wordings: Counter[str] = Counter()
    for row in _rows("tasks", tasks):
        prompt = ask_text(row)
        if not prompt:
            continue
        known = _id(row, prompt), prompt
        counts[known] += 1
        if known not in asks:
            asks[known] = _of_row(row, known[0], prompt, wordings[known[0]], origin)
            wordings[known[0]] += 1
    if not asks:
        raise ValueError("tasks= holds no row with a prompt: pass the rows, the SimulationData or the file of a run")
    if max(counts.values()) > 1:
        for known, ask in asks.items():
            ask.k = counts[known]
    return list(asks.values())


def seeded_asks(seeds: Any, origin: Origin) -> list[Ask]:
    """The asks of `seeds=`: texts or dicts with a `prompt`, or a file of them, each a situation of its own.

    >>> [ask.prompt for ask in seeded_asks(["Where is order 5257?"], Origin(0, {}))]
    ['Where is order 5257?']
    """
    prompts = dict.fromkeys(prompt for row in _rows("seeds", seeds) if (prompt := ask_text(row)))
    if not prompts:
        raise ValueError("seeds= holds no ask: pass a list of texts, of dicts with a prompt, or a file of them")
    return [
        Ask(Situation(_made_id(prompt), {}, {}, {}, "", schemas=origin.schemas), 0, origin.seed, prompt, writer=SEED)
        for prompt in prompts
    ]


def flawed_asks(traces: Any, origin: Origin) -> tuple[list[Ask], Counter[str]]:
    """The asks of the recorded rollouts that met a fault or failed, and how often each situation was visited.

    A trace of `simulate` keeps its situation and its world; the ask of any other is played as it stands.
    """
    rows = load_traces(traces)
    visits = Counter(name for row in rows if (name := task_id(row)))
    flawed = [rows[place] for place in mine_traces(rows)["flaw_rows"]]
    asks = pinned(flawed, origin) if any(map(ask_text, flawed)) else []
    for ask in asks:
        ask.k = None
        ask.writer = SEED if ask.writer == PINNED else ask.writer
    return asks, visits


def _rows(name: str, source: Any) -> Iterator[Row]:
    """The rows of a source, prompts given as text among them."""
    if isinstance(source, str | os.PathLike):
        yield from load_rows(source)
        return
    held = getattr(source, "trajectories", source)
    if isinstance(held, Mapping | bytes) or not isinstance(held, Iterable):
        raise TypeError(f"{name}= takes rows, a run, prompts or the path of a file, got {type(source).__name__}")
    for entry in held:
        if isinstance(entry, str):
            yield {"prompt": entry}
        elif is_mapping(entry):
            yield entry
        else:
            raise TypeError(f"{name}= takes rows (dicts) or prompts (texts), and one entry is {type(entry).__name__}")


def _id(row: Row, prompt: str) -> str:
    return task_id(row) or _made_id(prompt)


def _made_id(prompt: str) -> str:
    return f"sc-{fingerprint(prompt)}"


def _of_row(row: Row, name: str, prompt: str, wording: int, origin: Origin) -> Ask:
    lineage, privileged = _mapping(row.get("lineage")), _mapping(row.get("privileged"))
    planted, dimensions = _mapping(lineage.get("planted")), _mapping(row.get("scenario_dimensions"))
    situation = Situation(
        id=name,
        dimensions=dict(dimensions),
        labels={label: row[label] for label in LABELS if row.get(label) is not None},
        faults={tool: dict(_mapping(fault)) for tool, fault in _mapping(row.get("faults")).items()},
        world_state=as_text(row.get("world_state") or dimensions.get("world_state")),  # an export leaves "unknown" out
        wanted=tuple(_wanted(planted.get("wanted"))),
        entity=as_text(planted.get("entity")),
        twin=as_text(planted.get("twin")),
        facts=dict(_mapping(planted.get("facts"))),
        schemas=origin.schemas,
    )
    source = next((as_text(lineage[field]) for field in _RUN_FIELDS if lineage.get(field)), "unknown")
    given, writer = row.get("seed"), row.get("writer_model")
    return Ask(
        situation,
        wording,
        given if type(given) is int else origin.seed,
        prompt,
        writer=writer if isinstance(writer, str) and writer else PINNED,
        lineage={"replayed_from_run": source},
        fields={field: row[field] for field in _CARRIED if row.get(field) is not None},
        privileged=privileged,
    )


def _wanted(planted: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    for call in planted if isinstance(planted, list | tuple) else ():
        if is_mapping(call) and isinstance(call.get("tool"), str):
            yield call["tool"], dict(_mapping(call.get("arguments")))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if is_mapping(value) else {}
