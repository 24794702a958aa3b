"""A selection from files in two passes: first a lean record of each row, then the rows that were selected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from whileai.cli.reading import Reading
from whileai.cli.tally import Job, JobTally
from whileai.simulations.distributed.lean import FlowJob
from whileai.simulations.distributed.rl import picked_of, selected_of
from whileai.simulations.distributed.sft import DemonstrationJob, Said, chosen_of, sft_report
from whileai.simulations.reports import Report
from whileai.simulations.score.optimize.cautions import eval_sourced
from whileai.simulations.score.optimize.demonstrations import Select
from whileai.simulations.score.optimize.flow import Settings

Opened = Callable[[], Reading]  # of the same files each time


def rl_selection(
    reading: Reading, again: Opened, settings: Settings, endorsed: Sequence[str], audit: Mapping[str, Any] | None
) -> tuple[list[Any], Report]:
    """`select_for_rl` of files: about 66 bytes a row are held, and the rows selected."""
    shard, steps = reading.gathered(partial(JobTally, FlowJob(settings))).found()
    reading.need_rows("select")
    found = picked_of(shard, steps, settings)
    return selected_of(_rows(reading, again, found.order), found, settings, endorsed, audit)


def sft_selection(
    reading: Reading, again: Opened, job: DemonstrationJob, rule: Select, target: int
) -> tuple[list[Any], Report]:
    """`select_for_sft` of files, by the rules that pick of each prompt: a record of each prompt is held."""
    shard, said = reading.gathered(partial(JobTally, job)).found()
    reading.need_rows("select")
    found = chosen_of([] if shard is None else list(shard.values()), target, rule)
    held = _rows(reading, again, found.order)
    rows = [held[at] for at in found.order]
    return rows, sft_report(said or Said(), found, eval_sourced(rows), target, rule, job.least)


def _rows(read: Reading, again: Opened, wanted: Iterable[int]) -> dict[int, Any]:
    """The rows of some numbers: from the parts they are in, where workers read parts, else from the beginning."""
    if read.passed:
        return read.rows_at(wanted)
    left = set(wanted)
    found: dict[int, Any] = {}
    start = 0
    for batch, _ in again().batches():
        for at in left.intersection(range(start, start + len(batch))):
            found[at] = batch[at - start]
        start += len(batch)
        if len(found) == len(left):
            break
    return found


class Passes:
    """Passes over the same files, a job each; `reading` is the first. What can be read but once is held."""

    def __init__(self, opened: Opened, *, held: bool) -> None:
        self._opened = opened
        self.reading = opened()
        self._rows = [row for batch, _ in self.reading.batches() for row in batch] if held else None

    def gathered(self, job: Job) -> tuple[Any, Any]:
        """The shard and the whole that a job gathers in one pass."""
        if self._rows is not None:
            shards, whole = job(self._rows, 0, 1)
            return shards[0], whole
        reading = self._opened() if self.reading.read else self.reading
        found: tuple[Any, Any] = reading.gathered(partial(JobTally, job)).found()
        return found
