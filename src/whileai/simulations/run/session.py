"""One call of `simulate`: a run is set up and played, and what comes of it is handed over."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from whileai.simulations.errors import warn
from whileai.simulations.rows.values import as_text
from whileai.simulations.rows.write import write_rows
from whileai.simulations.run.agent import HopelessModelError
from whileai.simulations.run.cautions import run_cautions
from whileai.simulations.run.checkpoint import RunCheckpoint, fingerprint
from whileai.simulations.run.data import SimulationData
from whileai.simulations.run.engine import Engine, Outcome
from whileai.simulations.run.episode import USER_FAILED, Stage, prompt_sha
from whileai.simulations.run.grade import unjudged
from whileai.simulations.run.graders import Grader
from whileai.simulations.run.identity import identity_of
from whileai.simulations.run.kept import Kept
from whileai.simulations.run.profile import AgentProfile
from whileai.simulations.run.report import coverage_of, saturation
from whileai.simulations.run.setup import Given, Setup, second_model, setup_of
from whileai.simulations.score.judging.bar import judging_bar
from whileai.simulations.score.judging.crew import error_text
from whileai.simulations.score.judging.names import judge_name_of
from whileai.simulations.score.judging.warnings import run_warnings


def simulated(given: Given) -> SimulationData:
    """The data of one call of `simulate`, by its keywords."""
    setup = setup_of(given)
    outcome = _run(setup, given)
    data = _data(setup, outcome, given)
    if given["llm_grade"]:
        _afterwards(data, "llm_grade", lambda: data.llm_grade(given["rubric"], spec=second_model(given)))
    if given["output"] is not None:
        _afterwards(data, "output", lambda: write_rows(data.rows, given["output"]))
    return data


def _afterwards(data: SimulationData, name: str, act: Callable[[], Any]) -> None:
    """What follows a run: when it fails, the run stays, with a warning that says so."""
    try:
        act()
    except Exception as error:
        line = f"{name}= failed after the run, whose rows are in the data returned: {error_text(error)}"
        data.warn(line)
        warn(line)


def _run(setup: Setup, given: Given) -> Outcome:
    with ExitStack() as open_now:
        stage = Stage(
            setup.agent,
            tools=setup.tools,
            system_prompt=setup.prompt,
            seed=setup.knobs.seed,
            run_id=setup.run_id,
            person=setup.person,
            execute=given["execute"],
            stamps={} if setup.spec is None else {"spec_id": setup.spec.id, "spec_version": setup.spec.version},
            scaffold=given["scaffold"],
        )
        checkpoint = None if given["checkpoint"] is None else RunCheckpoint(given["checkpoint"])
        if checkpoint is not None:
            open_now.enter_context(checkpoint)
        engine = Engine(
            stage,
            setup.plan.asks,
            setup.writer,
            setup.knobs,
            run_id=setup.run_id,
            kept=Kept(
                checkpoint,
                identity=setup.identity,
                run_id=setup.run_id,
                judged_by="" if setup.grader is None else _grader_identity(setup.grader, given),
            ),
            grader=setup.grader,
            until=given["until"],
            show=open_now.enter_context(judging_bar(setup.total, None, "simulating")),
            on_progress=given["on_progress"],
            total=setup.total,
        )
        try:
            return engine.run()
        except HopelessModelError as error:
            refused = str(error)
    raise ValueError(f"the agent cannot be asked, so nothing was played: {refused}")


def _grader_identity(grader: Grader, given: Given) -> str:
    """What tells the verdicts of a grader from those of others: its name, and its version or its code."""
    return fingerprint(judge_name_of(grader), identity_of(grader), as_text(given["rubric"]))


def _data(setup: Setup, outcome: Outcome, given: Given) -> SimulationData:
    knobs, rows = setup.knobs, outcome.rows
    profile = AgentProfile(tools=setup.schemas, policy=setup.prompt, name=setup.agent.name, rubric=given["rubric"])
    facts = {
        "planned_pairs": setup.plan.pairs,
        "budget": None if knobs.budget is None else knobs.budget * (knobs.runs or 1),
        "budget_per_run": knobs.budget,
        "rollouts_requested": outcome.requested,
        "lost_by": outcome.lost_by,
        "stopped_because": outcome.stopped_because,
        "saturation": saturation(rows),
        "requested": {"hard_share": knobs.hard_share, "fault_rate": knobs.fault_rate},
        "knobs": knobs.resolved(),
        "injected": outcome.injected,
    }
    said = [*outcome.warnings, *run_cautions(setup, outcome, given)]
    if setup.grader is not None:
        said += [*unjudged(rows), *run_warnings(rows, setup.schemas, True)]
    spec = getattr(setup.grader, "spec", None)
    return SimulationData(
        rows,
        profile=profile,
        mode=knobs.mode,
        budget=knobs.budget,
        stopped_because=outcome.stopped_because,
        warnings=said,
        coverage=coverage_of(rows, facts),
        system_prompts={prompt_sha(setup.prompt): setup.prompt},
        writer_model=setup.writer.name,
        user_model=setup.person_name,
        judge_model=spec if isinstance(spec, str) else None,
        metadata={"run_id": setup.run_id, "seed": knobs.seed, "resumed": outcome.resumed},
        declared_tools=setup.schemas,
        search={"rollouts_requested": outcome.requested, "repeat_policy": knobs.repeat_policy},
        degraded=outcome.degraded or any(row.get("ended_by") == USER_FAILED for row in rows),
    )
