"""`Setup`: a run put together from the arguments of `simulate`, before anything is played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from whileai.simulations.models import open_model
from whileai.simulations.run.agent import Agent, agent_of
from whileai.simulations.run.checkpoint import fingerprint
from whileai.simulations.run.given import check
from whileai.simulations.run.graders import Grader, grader_of
from whileai.simulations.run.identity import identity_of
from whileai.simulations.run.knobs import Knobs, resolve, same_value
from whileai.simulations.run.plan import Plan, planned
from whileai.simulations.run.tool import tool_schemas
from whileai.simulations.run.user import Person
from whileai.simulations.run.writer import TemplateWriter, Writer, writer_of
from whileai.simulations.score.dimensions.policy import policy_text
from whileai.simulations.score.dimensions.tools import read_tools
from whileai.simulations.score.judging.judge import Judge
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


def setup_of(given: Given) -> Setup:
    """The run that the keywords of `simulate` ask for; what cannot be played is refused here."""
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
        Judge(given["rubric"], model=second_model(given))  # refused before anything is played
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


def second_model(given: Given) -> Any:
    """The model of `llm_grade`, None for the one that is configured."""
    return None if given["llm_grade"] is True else given["llm_grade"]
