"""What `simulate` does with its arguments: puts a run together, plays it, and hands over what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from whileai.simulations.errors import warn
from whileai.simulations.models import open_model
from whileai.simulations.rows.values import as_text
from whileai.simulations.rows.write import write_rows
from whileai.simulations.run.agent import Agent, HopelessModelError, agent_of
from whileai.simulations.run.cautions import run_cautions
from whileai.simulations.run.checkpoint import RunCheckpoint, fingerprint
from whileai.simulations.run.data import SimulationData
from whileai.simulations.run.engine import Engine, Outcome
from whileai.simulations.run.episode import USER_FAILED, Stage, prompt_sha
from whileai.simulations.run.given import check
from whileai.simulations.run.grade import unjudged
from whileai.simulations.run.graders import Grader, grader_of
from whileai.simulations.run.identity import identity_of
from whileai.simulations.run.kept import Kept
from whileai.simulations.run.knobs import Knobs, resolve, same_value
from whileai.simulations.run.plan import Plan, planned
from whileai.simulations.run.profile import AgentProfile
from whileai.simulations.run.report import coverage_of, saturation
from whileai.simulations.run.tool import tool_schemas
from whileai.simulations.run.user import Person
from whileai.simulations.run.writer import TemplateWriter, Writer, writer_of
from whileai.simulations.score.dimensions.policy import policy_text
from whileai.simulations.score.dimensions.tools import read_tools
from whileai.simulations.score.judging.bar import judging_bar
from whileai.simulations.score.judging.crew import error_text
from whileai.simulations.score.judging.judge import Judge
from whileai.simulations.score.judging.names import judge_name_of
from whileai.simulations.score.judging.warnings import run_warnings
from whileai.simulations.score.spec import Spec, load_spec

Given = Mapping[str, Any]


@dataclass(slots=True)
class Setup:
    """A run that is ready to begin."""

    knobs: Knobs
    tools: list[Any]
    schemas: list[dict[str, Any]]
    prompt: str
    plan: Plan
    agent: Agent
    writer: Writer
    person: Person | None
    grader: Grader | None
    spec: Spec | None
    identity: str
    run_id: str

    @property
    def person_name(self) -> str | None:
        """The model that plays the user."""
        return None if self.person is None else self.person.name

    @property
    def as_there(self) -> bool:
        """Whether each ask is played as often as in the run it is from."""
        return any(ask.k is not None for ask in self.plan.asks) and not self.knobs.repeats_given

    @property
    def total(self) -> int:
        """How many rollouts the run holds at most."""
        knobs, asks = self.knobs, self.plan.asks
        most = sum(ask.k or 1 for ask in asks) if self.as_there else len(asks) * knobs.repeats
        return (most if knobs.budget is None else min(most, knobs.budget)) * (knobs.runs or 1)


def simulated(given: Given) -> SimulationData:
    """The data of one call of `simulate`, by its keywords."""
    setup = _setup(given)
    outcome = _run(setup, given)
    data = _data(setup, outcome, given)
    if given["llm_grade"]:
        _afterwards(data, "llm_grade", lambda: data.llm_grade(given["rubric"], spec=_second_model(given)))
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


def _second_model(given: Given) -> Any:
    """The model of `llm_grade`, None for the one that is configured."""
    return None if given["llm_grade"] is True else given["llm_grade"]


def _setup(given: Given) -> Setup:
    knobs = resolve(given)
    check(given, knobs)
    tools = _tools(given["tools"])
    schemas = tool_schemas(tools)
    prompt = policy_text(
        same_value("system_prompt", given["system_prompt"], "policy", given["policy"]), "system_prompt"
    )
    grader = grader_of(given["grade"], given["grader"], rubric=given["rubric"], tools=tools, system_prompt=prompt)
    agent = _agent(given, tools, prompt, knobs)
    person = _person(given["user_model"], agent, knobs)
    plan = planned(
        knobs,
        tools=tools,
        system_prompt=prompt,
        tasks=given["tasks"],
        seeds=given["seeds"],
        traces=given["traces"],
        executes=given["execute"] is not None,
        graded=grader is not None,
    )
    writer = _writer(given, plan, knobs)
    who = [agent.name, agent.sampling, writer.name, None if person is None else person.name, given["scaffold"]]
    identity = fingerprint(who, schemas, prompt, knobs.identity())
    asked = [[ask.situation.id, ask.phrasing, ask.prompt] for ask in plan.asks]
    run_id = f"sim-{fingerprint(identity, _lasting(knobs), asked)}"
    spec = None if given["spec"] is None else load_spec(given["spec"])
    if given["llm_grade"]:
        Judge(given["rubric"], model=_second_model(given))  # refused before anything is played
    acts = [identity_of(given[name]) for name in ("simulator", "execute") if callable(given[name])]
    identity = fingerprint(identity, agent.identity, acts)
    return Setup(knobs, tools, schemas, prompt, plan, agent, writer, person, grader, spec, identity, run_id)


def _tools(tools: Any) -> list[Any]:
    """The declared tools as a list; a `TypeError` that says what is accepted for anything else."""
    if isinstance(tools, str | bytes | Mapping) or not isinstance(tools, Iterable | None):
        read_tools(tools)  # refuses it
    return list(tools or ())


def _lasting(knobs: Knobs) -> dict[str, Any]:
    """The settings that make two runs different ones: not how many threads they had."""
    return {name: value for name, value in knobs.resolved().items() if name != "concurrency"}


class _NoAgent:
    """Who is tried in a run of no rollouts."""

    name = model_version = "agent"
    sampling: dict[str, Any] | None = None
    asks_model = False

    def __init__(self) -> None:
        self.identity: list[Any] = []
        self.fields: dict[str, Any] = {}

    def play(self, scene: Any) -> None:
        """Nothing is played."""


def _agent(given: Given, tools: list[Any], prompt: str, knobs: Knobs) -> Agent:
    named = given["agent"] if given["agent"] is not None else given["backend"]
    if named is None and knobs.budget == 0:
        return _NoAgent()
    return agent_of(named, tools=tools, system_prompt=prompt, knobs=knobs)


def _writer(given: Given, plan: Plan, knobs: Knobs) -> Writer:
    """Who writes the asks that have no words yet; where all have, nobody needs to be named."""
    if all(ask.prompt for ask in plan.asks):
        return TemplateWriter(knobs.seed)
    named = given["simulator"] if given["simulator"] is not None else given["backend"]
    return writer_of(named, seed=knobs.seed, temperature=knobs.temperature)


def _person(user_model: Any, agent: Agent, knobs: Knobs) -> Person | None:
    if user_model is None or user_model is False:
        return None
    if not agent.asks_model:
        raise ValueError(
            "user_model= answers an agent that is a model; a callable is asked once a rollout: let it play the user "
            "itself, or name the model as the agent"
        )
    model = open_model(user_model, purpose="simulator")
    return Person(model, patience=knobs.patience, avg_turns=knobs.avg_turns, temperature=knobs.temperature)


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
