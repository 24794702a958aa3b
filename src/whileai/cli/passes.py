"""A selection from files in two passes: first a lean record of each row, then the rows that were selected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from whileai.cli.reading import Reading
from whileai.cli.tally import JobTally
from whileai.simulations.distributed.flow import FlowJob
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
    return selected_of(_rows(again(), found.order), found, settings, endorsed, audit)


def sft_selection(
    reading: Reading, again: Opened, job: DemonstrationJob, rule: Select, target: int
) -> tuple[list[Any], Report]:
    """`select_for_sft` of files, by the rules that pick of each prompt: a record of each prompt is held."""
    shard, said = reading.gathered(partial(JobTally, job)).found()
    reading.need_rows("select")
    found = chosen_of([] if shard is None else list(shard.values()), target, rule)
    held = _rows(again(), found.order)
    rows = [held[at] for at in found.order]
    return rows, sft_report(said or Said(), found, eval_sourced(rows), target, rule, job.least)


def _rows(reading: Reading, wanted: Iterable[int]) -> dict[int, Any]:
    """The rows of some numbers."""
    left = set(wanted)
    found: dict[int, Any] = {}
    start = 0
    for batch, _ in reading.batches():
        for at in left.intersection(range(start, start + len(batch))):
            found[at] = batch[at - start]
        start += len(batch)
        if len(found) == len(left):
            break
    return found
