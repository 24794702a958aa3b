"""One rollout: an ask, a world, an agent, and the row that comes of it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from whileai.simulations.models import ModelError
from whileai.simulations.rows.failure import call_failed
from whileai.simulations.rows.formats.generation import joined_logprobs, summed
from whileai.simulations.run.agent import Agent, HopelessModelError, Scene
from whileai.simulations.run.ask import Ask, Rollout
from whileai.simulations.run.current import entered
from whileai.simulations.run.draw import below
from whileai.simulations.run.executed import ExecutedWorld
from whileai.simulations.run.situations import Situation
from whileai.simulations.run.traces import conversation
from whileai.simulations.run.transcript import STUB, Transcript
from whileai.simulations.run.user import Person
from whileai.simulations.run.world import World
from whileai.simulations.schema.copies import owned
from whileai.simulations.score.checklist.vocabulary import ToolCondition, WorldState
from whileai.simulations.score.grading import behavior_signature
from whileai.simulations.score.judging.background import LoopLostError
from whileai.simulations.score.judging.crew import ENDING, error_text
from whileai.simulations.score.judging.hand import Hand
from whileai.simulations.score.optimize.junk import has_markup

SCHEMA_VERSION = "1"
HEAD_CHARS = 120  # characters of the system prompt on a row; surface.md
USER_FAILED = "user_error"
_OF_THE_WORLD = ("hidden_state", "reference")  # what `privileged` says of a mock world
_NOT_OURS = {"world_state": WorldState.UNKNOWN.value, "tool_condition": ToolCondition.SUCCESS.value}
_MANY = 2**31  # numbers of rollouts that a replay draws from

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Played:
    """A row, how many faults the world injected into the calls of each tool, and whether it saw none of its calls."""

    row: Row
    injected: dict[str, int]
    unseen: bool = False


def lost_by(row: Mapping[str, Any]) -> str | None:
    """Why a row is no rollout of the agent: it raised, it said nothing, its calls were left in its words; else None.

    >>> [lost_by({"final_text": said}) for said in ("<agent error: TimeoutError>", " ", "Hi")]
    ['agent_error', 'empty_reply', None]
    """
    said = row["final_text"]
    if said.startswith(STUB):
        return "agent_error"
    if not said.strip():
        return "empty_reply"
    return "tool_markup" if has_markup(said) else None


def prompt_sha(system_prompt: str) -> str:
    """The 16 hex digits that name a system prompt.

    >>> prompt_sha("Be brief.")
    '213c22ed7234eb11'
    """
    return hashlib.sha256(system_prompt.encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Stage:
    """What all rollouts of a run share; `play` makes one of them, and never raises for what an agent does."""

    def __init__(
        self,
        agent: Agent,
        *,
        tools: Sequence[Any],
        system_prompt: str,
        seed: int,
        run_id: str,
        person: Person | None = None,
        execute: Callable[[str, dict[str, Any]], Any] | None = None,
        stamps: Mapping[str, Any] | None = None,
        scaffold: str | None = None,
    ) -> None:
        self._agent, self._tools, self._seed, self._person, self._execute = agent, tools, seed, person, execute
        self._stamps = dict(stamps or {})
        sha = prompt_sha(system_prompt)
        self._policy_version = f"{agent.name}@{sha}"
        self._lineage = {
            "run_id": run_id,
            "system_prompt_sha": sha,
            "system_prompt_head": system_prompt[:HEAD_CHARS],
            "system_prompt_chars": len(system_prompt),
            **({"scaffold": scaffold} if scaffold else {}),
        }

    def play(self, rollout: Rollout, hand: Hand) -> Played:
        """One rollout; an agent that raises gives the row of what it did until then."""
        while True:
            try:
                return self._played(rollout, hand)
            except LoopLostError:  # another agent blocked the loop: begin anew, in a new world
                hand.take(hand.place)

    def late(self, rollout: Rollout, seconds: float) -> Played:
        """The rollout of an agent that gave no reply in time."""
        script = Transcript()
        script.fail(f"TimeoutError: no reply within {seconds:g} s")
        return Played(self._row(rollout, script, []), {})

    def _played(self, rollout: Rollout, hand: Hand) -> Played:
        ask, script = rollout.ask, Transcript()
        script.ask(ask.prompt)
        world = self._world(rollout, hand)
        brief = {"asked": ask.prompt, **ask.told()}
        scene = Scene(
            prompt=ask.prompt,
            call=world.call,
            awaited=hand.awaited,
            person=lambda so_far: self._answer(brief, so_far),
            script=script,
        )
        with entered(world, self._number(rollout)):
            try:
                self._agent.play(scene)
            except (*ENDING, LoopLostError, HopelessModelError):
                raise
            except ModelError as error:
                script.fail(f"ModelError: {error}")
            except BaseException as error:  # an agent that calls sys.exit costs its rollout, not the run
                script.fail(error_text(error))
        injected = Counter(entry["tool"] for entry in world.log if entry.get("fault"))
        unseen = bool(ask.situation.faults) and not world.log and script.n_calls() > 0
        return Played(self._row(rollout, script, world.log), dict(injected), unseen)

    def _answer(self, brief: Mapping[str, Any], script: Transcript) -> str | None:
        """What the person says next; a user model that fails ends the conversation, and is no fault of the agent."""
        if self._person is None:
            return None
        try:
            return self._person.next(brief, script)
        except ModelError:
            script.ended_by = USER_FAILED
            return None

    def _world(self, rollout: Rollout, hand: Hand) -> Any:
        if self._execute is not None:
            return ExecutedWorld(self._execute, hand.awaited)
        return World(self._tools, rollout.ask.seed, situation=rollout.ask.situation, rollout_index=rollout.index)

    def _number(self, rollout: Rollout) -> int:
        """What tells a seeded agent this rollout from others; a replay draws anew, by its own seed."""
        if not rollout.ask.replayed:
            return rollout.index
        return below(_MANY, "replay", self._seed, rollout.ask.situation.id, rollout.ask.phrasing, rollout.index)

    def _row(self, rollout: Rollout, script: Transcript, log: Sequence[Mapping[str, Any]]) -> Row:
        ask, situation = rollout.ask, rollout.ask.situation
        row: Row = {
            **self._agent.fields,
            **script.extra,
            "scenario_id": situation.id,
            **owned(ask.fields),
            "rollout_index": rollout.index,
            "prompt": ask.prompt,
            "steps": script.steps,
            "final_text": script.final_text,
        }
        row["messages"] = script.messages if len(script.messages) > 1 else conversation(row)
        if situation.dimensions:
            row["scenario_dimensions"] = dict(situation.dimensions)
        row |= {name: value for name, value in {**situation.labels, **ask.labels}.items() if value is not None}
        row |= self._of_the_world(situation, script, log) | self._provenance(rollout, script)
        row["privileged"] = {**situation.privileged, **owned(ask.privileged)}
        row |= self._stamps
        row["behavior_signature"] = behavior_signature(row)
        row["schema_version"] = SCHEMA_VERSION
        return row

    def _of_the_world(self, situation: Situation, script: Transcript, log: Sequence[Mapping[str, Any]]) -> Row:
        met = any(entry.get("fault") for entry in log) or any(
            call_failed(step.get("result"), tool=step["tool"], arguments=step.get("arguments"), step=step)
            for step in script.steps
            if isinstance(step.get("tool"), str)
        )
        found: Row = {"faults": {tool: dict(fault) for tool, fault in situation.faults.items()}, "fault_detected": met}
        if situation.world_state:
            found["world_state"] = situation.world_state
        return found

    def _provenance(self, rollout: Rollout, script: Transcript) -> Row:
        ask, agent = rollout.ask, self._agent
        called = dict.fromkeys(step["tool"] for step in script.steps if isinstance(step.get("tool"), str))
        found: Row = {
            "tools_used": list(called),
            "model_version": agent.model_version,
            "policy_version": self._policy_version,
            "writer_model": ask.writer,
            "user_model": None if self._person is None else self._person.name,
            "sampling": owned(agent.sampling),
            "seed": ask.seed,
            "lineage": {
                **self._lineage,
                **_planted(ask.situation),
                **ask.lineage,
                **({"replay_seed": self._seed} if ask.replayed else {}),
                **({"eval_run": rollout.run} if rollout.run is not None else {}),
            },
        }
        if script.finish_reason is not None:
            found["finish_reason"] = script.finish_reason
        if script.ended_by is not None:
            found["ended_by"] = script.ended_by
        if (usage := summed(script.usages)) is not None:
            found["usage"] = usage
        if (logprobs := joined_logprobs(script.logprobs)) is not None:
            found |= {"token_logprobs": logprobs, "logprob": sum(logprobs), "n_tokens": len(logprobs)}
        return found


def without_world(ask: Ask) -> Ask:
    """The ask where tools are executed for real: how the world stands, and what fails, is then not ours to say."""
    situation = ask.situation
    dimensions = {**situation.dimensions, **_NOT_OURS} if situation.dimensions else {}
    known = {name: block for name, block in ask.privileged.items() if name not in _OF_THE_WORLD}
    bare = replace(situation, dimensions=dimensions, world_state="", faults={})
    return replace(ask, situation=bare, privileged=known)


def _planted(situation: Situation) -> dict[str, Any]:
    """What the world of a situation is about, which the axes do not say: with it `tasks=` builds the world again."""
    if not situation.wanted and not situation.facts:
        return {}
    found = {
        "wanted": [{"tool": tool, "arguments": owned(arguments)} for tool, arguments in situation.wanted],
        "entity": situation.entity,
        "twin": situation.twin,
        "facts": dict(situation.facts),
    }
    return {"planted": {name: value for name, value in found.items() if value}}
