"""What a run warns of: rollouts that are lost, old or unfinished, and arguments that had no say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from whileai.simulations.reports import counted, out_of, printable
from whileai.simulations.run.agent import OWN_GRADE, OWN_GRADES
from whileai.simulations.run.engine import TIME, Outcome
from whileai.simulations.run.episode import USER_FAILED
from whileai.simulations.run.transcript import STUB

if TYPE_CHECKING:
    from whileai.simulations.run.setup import Setup

_OF_THE_GRID = ("dimensions", "fault_rate", "phrasings", "requests_per_situation", "traces")


def run_cautions(setup: Setup, outcome: Outcome, given: Mapping[str, Any]) -> list[str]:
    """What is hollow about a run, each with what to do."""
    return [*_taken(outcome, given), *_cut(setup, outcome), *_past_the_world(outcome), *_without_say(outcome, given)]


def _taken(outcome: Outcome, given: Mapping[str, Any]) -> Iterator[str]:
    """What was not made anew."""
    if outcome.resumed:
        grades = f", {outcome.regraded} of them with their grade" if outcome.regraded else ""
        yield (
            f"{out_of(outcome.resumed, len(outcome.rows), 'rollout', 'are')} from the checkpoint "
            f"{printable(given['checkpoint'])}{grades}; for new ones name another file"
        )


def _cut(setup: Setup, outcome: Outcome) -> list[str]:
    """What was lost or not played."""
    knobs, n = setup.knobs, len(outcome.rows)
    found = []
    if outcome.lost_by:
        first = next((row["final_text"] for row in outcome.rows if row["final_text"].startswith(STUB)), "")
        why = ", ".join(f"{reason} {count}" for reason, count in sorted(outcome.lost_by.items()))
        found.append(
            f"{out_of(outcome.lost_by.total(), n, 'rollout', 'were')} lost ({why})"
            + (f"; the first: {first}" * bool(first))
        )
    wanted = sum(ask.k or 1 for ask in setup.plan.asks)
    if setup.as_there and knobs.budget is not None and knobs.budget < wanted:
        found.append(
            f"budget={knobs.budget} is under the {counted(wanted, 'rollout')} that these tasks had, so some have fewer "
            f"now: pass budget={wanted}"
        )
    if unanswered := sum(row.get("ended_by") == USER_FAILED for row in outcome.rows):
        found.append(
            f"{out_of(unanswered, n, 'conversation')} ended early, since the user model {setup.person_name} failed"
        )
    if outcome.stopped_because == TIME:
        found.append(
            f"time_budget={knobs.time_budget:g} ended the run after {n} of up to {counted(setup.total, 'rollout')}"
        )
    return found


def _past_the_world(outcome: Outcome) -> Iterator[str]:
    """Calls that no planned fault could meet."""
    if outcome.unseen or outcome.strays:
        what = [f"{counted(outcome.unseen, 'rollout')} with a planned fault called tools" if outcome.unseen else ""]
        what.append(f"{counted(outcome.strays, 'call')} came from threads of no rollout" if outcome.strays else "")
        yield (
            f"{' and '.join(filter(None, what))}, and the rollout's world saw none of it, so no fault was met: call "
            "world(tools).call in the agent's own thread, or start threads with contextvars.copy_context().run or "
            "asyncio.to_thread"
        )


def _without_say(outcome: Outcome, given: Mapping[str, Any]) -> Iterator[str]:
    """What was given and did nothing."""
    named = next((name for name in ("tasks", "seeds") if given[name] is not None), None)
    idle = [name for name in _OF_THE_GRID if given[name] is not None] if named else []
    if idle:
        listed = " and ".join(f"{name}=" for name in idle)
        yield f"{named}= says what is asked, so {listed} had no say: leave {named}= or the other out"
    if given["rubric"] is not None and not (given["grade"] is True or given["llm_grade"]):
        yield "rubric= grades nothing by itself: pass grade=True or llm_grade=, or call data.grade()"
    if own := sum(any(name in row for name in OWN_GRADES) for row in outcome.rows):
        yield (
            f"the agent's reply holds a grade of its own in {out_of(own, len(outcome.rows), 'rollout')}; it is kept as "
            f"{OWN_GRADE}reward and counts for nothing: pass grader=, which may read it"
        )
