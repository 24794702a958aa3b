"""`push_rows`: rows to a folder, the Hugging Face Hub or a registry, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from whileai.simulations.arguments import between
from whileai.simulations.defaults import PROVE_EFFECT
from whileai.simulations.registry.arguments import check_together, checked_facts, checked_rows
from whileai.simulations.registry.bundle import Bundle, json_text, write_bundle
from whileai.simulations.registry.card import gate_said, holdout_power, lineage, measured
from whileai.simulations.registry.deadline import checked_timeout
from whileai.simulations.registry.readme import readme
from whileai.simulations.registry.split import Split, checked_fraction, shared_prompts, split_rows
from whileai.simulations.registry.target import resolved
from whileai.simulations.reports import Report, counted, printable, wrapped
from whileai.simulations.signature import public

_HOLDOUT = "holdout"
Row = dict[str, Any]


@public
def push_rows(
    rows: Iterable[Any],
    name: str | os.PathLike[str],
    *,
    target: str | os.PathLike[str] | None = None,
    api_key: str | None = None,
    parent: str | None = None,
    gate: bool = False,
    mode: str | None = None,
    purpose: str = "train",
    agent: str | None = None,
    description: str | None = None,
    endorsed: Sequence[str] = (),
    strict_hacks: bool = False,
    prove_effect: float = PROVE_EFFECT,
    holdout: float | None = None,
    publish: bool = False,
    timeout: float | None = None,
) -> Report:
    """Check rows, then put them where others can take them from; the same rows pushed twice are one dataset.

    `name` is the dataset's name, which goes to `target`: a folder, `hf://OWNER/NAME` or the URL of a registry; by
    default the registry at `WHILEAI_API_URL`. Or `name` is the place itself: `hf://OWNER/NAME`, or a path that begins
    with `./`, `../`, `/` or `~`. A registry is sent `api_key`, else `WHILEAI_API_KEY`; the Hub `api_key`, else the
    token huggingface_hub finds. See `docs/push.md` for what is written and how it is sent.

    `gate=True` runs `publish_gate` with `mode`, `endorsed` and `strict_hacks` on the rows to train on, and stamps
    their calibration on what is sent. `holdout` is the share of tasks, by hash of their id, that goes into a split of
    its own; `prove_effect` the gain it should be large enough to show. `publish=True` makes the dataset public, at once
    and as a whole; without it a registry and a new repository of the Hub keep it private. `parent` names the dataset
    it was made from. `timeout` is in seconds for the whole upload to a registry. Rows are left as they are, and leave
    as `exported_row` has them: without anything privileged. `rows` are dicts or an object with `trajectories`.

    Returns the entry: `datasetId` (of its content), `name`, `target`, `version`, `created` (false when it was there),
    `published`, `path` or `url`, `n_rows`, `n_tasks`, `sha256` of the rows to train on, `files`, `gate` (the report,
    None without), `holdout` (None without), `holdout_tasks`, `card`, `n_parts` and `n_sent`, `warnings`.

    `PublishGateError` when the gate refuses; `ValueError` for a wrong argument, no rows, a reply that quotes its
    privileged block, `publish` without `agent`, and when no target is named; `RegistryError` when a target does not
    take it. Nothing is published then.

    >>> import tempfile
    >>> rows = [{"task_id": task, "prompt": task, "reward": r} for task in "ghij" for r in (0, 1)]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     entry = push_rows(rows, "refunds", target=folder + "/refunds", gate=True, mode="rl", holdout=0.25)
    >>> entry["version"], entry["n_rows"], entry["holdout_tasks"]
    (1, 6, ['j'])
    """
    facts = checked_facts(parent=parent, mode=mode, purpose=purpose, agent=agent, description=description)
    fraction, effect = checked_fraction(holdout), between("prove_effect", prove_effect, 0, 1, ends=False)
    check_together(facts, fraction, gate=gate, publish=publish, endorsed=endorsed, strict_hacks=strict_hacks)
    name, place = resolved(name, target, api_key)
    seconds = checked_timeout(timeout)
    pushed = _Pushed(checked_rows(rows), {"name": name, **facts}, fraction, effect)
    if gate:
        pushed.run_gate(endorsed, strict_hacks)
    card = pushed.card()

    def build(folder: Path) -> Bundle:
        texts = {"card.json": json_text(card), "README.md": readme(card)}
        built.append(write_bundle(folder, pushed.facts, pushed.data(), texts))
        return built[-1]

    built: list[Bundle] = []
    delivered = place.deliver(build, publish=publish, timeout=seconds)
    entry = pushed.entry(built[-1], str(place), card)
    delivered["warnings"] = [*entry["warnings"], *delivered.get("warnings", [])]
    return Report({**entry, **delivered}, show=format_push)


class _Pushed:
    """The rows of one push by side, and what is said of them."""

    def __init__(self, rows: list[Row], facts: dict[str, Any], fraction: float | None, effect: float) -> None:
        self.facts = facts
        self.gate: Report | None = None
        self._fraction, self._effect = fraction, effect
        _refuse_leaks(rows)
        split = split_rows(rows, fraction)
        self._split = Split([dict(row) for row in split.train], split.held, split.tasks)
        self._warnings: list[str] = []

    def run_gate(self, endorsed: Sequence[str], strict_hacks: bool) -> None:
        """Run the gate on the rows to train on; they are copies, so that the stamps are on what is sent."""
        from whileai.simulations.score.publish_gate import publish_gate

        self.gate = publish_gate(
            self._split.train, mode=self.facts["mode"], endorsed=endorsed, strict_hacks=strict_hacks
        )

    def card(self) -> dict[str, Any]:
        """The card, and the warnings on it."""
        split, purpose = self._split, self.facts["purpose"]
        rows = [*split.train, *split.held]
        splits = {purpose: measured(split.train)}
        held = None
        warnings = list(self.gate["warnings"]) if self.gate is not None else []
        if self._fraction is not None:
            splits[_HOLDOUT] = measured(split.held)
            power, said = holdout_power(rows, len(split.tasks), self._effect)
            held = {"fraction": self._fraction, "n_rows": len(split.held), "n_tasks": len(split.tasks), **power}
            warnings += said
            if n := shared_prompts(split):
                warnings.append(
                    f"{counted(n, 'ask')} of held-out tasks are also asked in training rows under another id: give one "
                    "situation one scenario_id, or run decontaminate"
                )
        self._warnings = warnings
        return {
            **self.facts,
            "splits": splits,
            "gate": gate_said(self.gate),
            "holdout": held,
            "lineage": lineage(rows, self.facts["parent"]),
            "warnings": warnings,
        }

    def data(self) -> dict[str, Iterable[Row]]:
        """The rows of each file, as they leave."""
        sides = {self.facts["purpose"]: self._split.train}
        if self._fraction is not None:
            sides[_HOLDOUT] = self._split.held
        return {_path(split): _exported(rows) for split, rows in sides.items()}

    def entry(self, bundle: Bundle, place: str, card: dict[str, Any]) -> dict[str, Any]:
        """What is known of the dataset, whatever the target said."""
        files = {file["path"]: file for file in bundle.manifest["files"]}
        main, held = files[_path(self.facts["purpose"])], None
        if self._fraction is not None:
            held = {**card["holdout"], "path": _path(_HOLDOUT), "sha256": files[_path(_HOLDOUT)]["sha256"]}
        return {
            "datasetId": bundle.dataset_id,
            **self.facts,
            "target": place,
            "n_rows": main["rows"],
            "n_tasks": card["splits"][self.facts["purpose"]]["n_tasks"],
            "sha256": main["sha256"],
            "files": bundle.manifest["files"],
            "gate": self.gate,
            "holdout": held,
            "holdout_tasks": self._split.tasks,
            "card": card,
            "n_parts": None,
            "n_sent": None,
            "warnings": list(self._warnings),
        }


def _refuse_leaks(rows: list[Row]) -> None:
    """A `ValueError` when an agent's words quote its privileged block: leaving out keys does not take that out."""
    from whileai.simulations.score.optimize.leaks import drop_privileged_leaks

    _, found = drop_privileged_leaks(rows)
    if n := found["n_dropped"]:
        first = found["leaked"][0]
        where = f"{first['scenario_id']} r{first['rollout_index']}, {first['field']}"
        quotes = f"{counted(n, 'row')} {'quotes' if n == 1 else 'quote'} the privileged block in what the agent says"
        raise ValueError(
            f"{quotes} (first: {printable(where, 120)}): leave them out, as select does; leak_report names them"
        )


def _exported(rows: Iterable[Row]) -> Iterator[Row]:
    from whileai.simulations.exports.row import exported_row

    return map(exported_row, rows)


def _path(split: str) -> str:
    return f"data/{split}.jsonl"


def format_push(entry: Any) -> str:
    """Where the dataset is, what it holds, what the gate said, and each warning on a line."""
    what = f"{counted(entry['n_rows'], 'row')} of {counted(entry['n_tasks'], 'task')}"
    version = entry["version"]
    named = entry["name"] + (f" v{version}" if isinstance(version, int) else "")
    done = "pushed" if entry["created"] else "already there:"
    place = printable(entry["path"] or entry["url"] or entry["target"])
    lines = [f"{done} {named}, {what}, {'published' if entry['published'] else 'not published'}", f"  {place}"]
    lines.append(f"  {entry['datasetId']}  sha256 {entry['sha256']}")
    if entry["n_parts"] is not None:
        others = ", the others were there" if entry["n_sent"] < entry["n_parts"] else ""
        lines.append(f"  sent {entry['n_sent']:,} of {counted(entry['n_parts'], 'part')}{others}")
    if entry["holdout"] is not None:
        held = entry["holdout"]
        lines.append(f"  holdout: {counted(held['n_rows'], 'row')} of {counted(held['n_tasks'], 'task')}")
    lines.append("  gate: not run" if entry["gate"] is None else "  gate: passed")
    return "\n".join(
        [*lines, *(line for text in entry["warnings"] for line in wrapped(f"! {printable(text)}", "    "))]
    )
