"""What a checkpoint has of a run: the words of asks, rollouts, verdicts, each under the name of what it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from whileai.simulations.run.ask import Ask, Rollout
from whileai.simulations.run.checkpoint import RunCheckpoint, fingerprint
from whileai.simulations.run.episode import Played, Row, lost_by


class Kept:
    """The checkpoint of one run, or none: everything is then played, and kept nowhere.

    `identity` is what one rollout follows from, `judged_by` what tells its grader from others: the file holds those of
    other runs and graders too.
    """

    def __init__(
        self, checkpoint: RunCheckpoint | None, *, identity: str = "", run_id: str = "", judged_by: str = ""
    ) -> None:
        self._file, self._identity, self._run_id, self._judged_by = checkpoint, identity, run_id, judged_by

    def words(self, ask: Ask) -> bool:
        """Put the words on an ask that a model wrote for it; whether there are any."""
        entry = self._known(self._ask_key(ask))
        if entry is not None:
            ask.prompt, ask.labels, ask.writer = entry["prompt"], entry["labels"], entry["writer"]
        return entry is not None

    def keep_words(self, ask: Ask) -> None:
        """Keep what a model was asked to word."""
        if self._file is not None:
            written = {"prompt": ask.prompt, "labels": ask.labels, "writer": ask.writer}
            self._file.keep(self._ask_key(ask), written)

    def rollout(self, rollout: Rollout) -> Played | None:
        """A rollout as the file has it; None for one that it lacks, that was lost, or that was asked in other words."""
        entry = self._known(self._key(rollout))
        if entry is None or entry.get("row", {}).get("prompt") != rollout.ask.prompt or lost_by(entry["row"]):
            return None
        row = {**entry["row"], "lineage": {**entry["row"]["lineage"], "run_id": self._run_id, "resumed": True}}
        return Played(row, entry["injected"], entry.get("unseen", False))

    def keep(self, rollout: Rollout, played: Played) -> Played:
        """The rollout as it will be read."""
        if self._file is None:
            return played
        told = {"row": played.row, "injected": played.injected, **({"unseen": True} if played.unseen else {})}
        return replace(played, row=self._file.keep(self._key(rollout), told)["row"])

    def verdict(self, rollout: Rollout, played: Played) -> Played | None:
        """The rollout with the verdict of the same grader on the same row; None when the file has none."""
        entry = self._known(self._verdict_key(rollout, played.row))
        if entry is None:
            return None
        lineage = {**entry["verdict"].get("lineage", {}), **played.row["lineage"]}
        return replace(played, row={**played.row, **entry["verdict"], "lineage": lineage})

    def keep_verdict(self, rollout: Rollout, played: Played, graded: Row) -> Played:
        """The rollout with its grade, of which a good one is kept."""
        if self._file is not None and graded.get("judge_status") == "ok":
            row = played.row
            verdict = {name: value for name, value in graded.items() if name not in row or row[name] != value}
            key = self._verdict_key(rollout, row)
            graded = {**graded, **self._file.keep(key, {"verdict": verdict})["verdict"]}
        return replace(played, row=graded)

    def _known(self, key: str) -> dict[str, Any] | None:
        return None if self._file is None else self._file.known.get(key)

    def _ask_key(self, ask: Ask) -> str:
        return f"{self._identity}/{ask.situation.id}/{ask.phrasing}"

    def _key(self, rollout: Rollout) -> str:
        return f"{self._ask_key(rollout.ask)}/{rollout.index}"

    def _verdict_key(self, rollout: Rollout, row: Row) -> str:
        """By whom, and on what."""
        judged = fingerprint(self._judged_by, row["prompt"], row["steps"], row["final_text"])
        return f"{self._key(rollout)}/{judged}"
