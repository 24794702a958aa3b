"""Agents: any callable, and a model behind an endpoint that is given the tools and asked until it is through."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from whileai.simulations.errors import MissingExtraError
from whileai.simulations.models import ModelError, open_model
from whileai.simulations.models.named import NamedModel
from whileai.simulations.rows.content import content_text
from whileai.simulations.rows.text import Kind, last_agent_text, message_events
from whileai.simulations.rows.values import as_text, is_mapping
from whileai.simulations.run.forms import form_of
from whileai.simulations.run.identity import identity_of
from whileai.simulations.run.knobs import Knobs
from whileai.simulations.run.tool import tool_schemas
from whileai.simulations.run.transcript import Transcript, called, error_result, jsonable
from whileai.simulations.schema.copies import owned
from whileai.simulations.score.judging.names import judge_name_of

_REPLY_FIELDS = ("final_text", "final", "output", "response", "answer")
OWN_GRADE = "agent_"  # before the name of a field in which an agent grades itself
_GRADES = (

    "reward", "reward_spec", "judge_status", "judge_name", "judge_meta", "reason", "failure_class", "markers",
    "llm_reward", "llm_reason", "gold_reward", "gold_kind",
)  # fmt: skip
OWN_GRADES = tuple(f"{OWN_GRADE}{name}" for name in _GRADES)
_HOPELESS = frozenset({401, 403, 404})  # statuses that the next rollout would meet too


class HopelessModelError(Exception):
    """A model that refused the first request in a way that no further one would change: it ends the run."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What one rollout gives an agent: the ask, the tools of the world, the person, and a way to wait."""

    prompt: str
    call: Callable[[str, dict[str, Any]], Any]
    awaited: Callable[[Any], Any]
    person: Callable[[Transcript], str | None]
    script: Transcript


class Agent(Protocol):
    """Whoever is tried: `play` writes what happens to the script of the scene."""

    name: str
    model_version: str
    sampling: dict[str, Any] | None
    asks_model: bool
    identity: list[Any]  # what tells it from others of its name
    fields: dict[str, Any]  # what a row has where it said nothing of it

    def play(self, scene: Scene) -> None:
        """One rollout."""


def agent_of(agent: Any, *, tools: Sequence[Any], system_prompt: str, knobs: Knobs) -> Agent:
    """The agent that `simulate` was given: a callable, a spec, a model object, or the one that is configured.

    A `ValueError` when none is named anywhere, for a misspelt spec, and for log-probabilities that no server gives.
    """
    if callable(agent) and not callable(getattr(agent, "complete", None)):
        return CallableAgent(agent)
    if agent is not None and not isinstance(agent, str | NamedModel) and not callable(getattr(agent, "complete", None)):
        raise ValueError(
            "agent must be a callable (message -> {'steps': [...], 'final_text': ...} or text), a model spec such as "
            f"'openai:gpt-4o', or a model object, got {type(agent).__name__}"
        )
    return EndpointAgent(open_model(agent, purpose="agent"), tools, system_prompt, knobs)


class CallableAgent:
    """A callable from the ask to a reply, plain or async; what it returns is read by `told`."""

    asks_model = False
    sampling: dict[str, Any] | None = None

    def __init__(self, function: Callable[[str], Any]) -> None:
        self._function = function
        named = judge_name_of(function)
        self.name = self.model_version = {"lambda_judge": "lambda_agent", "judge": "agent"}.get(named, named)
        self.identity = identity_of(function)
        self.fields: dict[str, Any] = dict(getattr(function, "seeded_fields", {}))

    def play(self, scene: Scene) -> None:
        """Ask it once."""
        raw = self._function(scene.prompt)
        told(scene.awaited(raw) if hasattr(raw, "__await__") else raw, scene.script)


def told(raw: Any, script: Transcript) -> None:
    """Write what a callable agent returned to a script: text is a reply, a dict holds steps, a reply and more.

    Steps may be left out where there are `messages`. What an agent says of its own grade is kept as `agent_reward` and
    the like: it grades nothing. A `TypeError` for anything else.

    >>> script = Transcript()
    >>> told({"steps": [{"tool": "get", "arguments": {"id": 5}, "result": "paid"}], "final_text": "Paid."}, script)
    >>> script.final_text, len(script.steps)
    ('Paid.', 1)
    """
    if raw is None or isinstance(raw, str):
        script.final_text = raw or ""
        return
    if not is_mapping(raw):
        raise TypeError(f"the agent returned {type(raw).__name__}: it must return text, or a dict with final_text")
    given = jsonable(owned(dict(raw)))
    steps, messages = given.pop("steps", None), given.pop("messages", None)
    if messages and (not isinstance(messages, list) or not all(map(is_mapping, messages))):
        raise TypeError(f"the agent's messages are {_kinds(messages)}: they must be a list of dicts")
    reply = next((given.pop(field) for field in _REPLY_FIELDS if given.get(field) is not None), None)
    script.final_text = content_text(reply) if reply is not None else last_agent_text(messages)
    script.steps = _steps(steps) if steps else _of_messages(messages)
    if messages:
        script.messages = messages
    named = {as_text(key): value for key, value in given.items() if value is not None}
    script.extra = {f"{OWN_GRADE}{name}" if name in _GRADES else name: value for name, value in named.items()}


def _kinds(value: Any) -> str:
    if not isinstance(value, list):
        return type(value).__name__
    return "a list of " + ", ".join(sorted({type(entry).__name__ for entry in value}))


def _steps(steps: Any) -> list[dict[str, Any]]:
    if not isinstance(steps, list | tuple):
        raise TypeError(f"the agent's steps are {type(steps).__name__}: they must be a list of dicts")
    found = []
    for number, step in enumerate(steps, 1):
        if not is_mapping(step):
            raise TypeError(f"step {number} of the agent is {type(step).__name__}: it must be a dict")
        found.append(called(step) if "tool" in step else dict(step))
    return found


def _of_messages(messages: Any) -> list[dict[str, Any]]:
    """The steps that a chat tells: its calls, and what was said before the last reply."""
    found: list[dict[str, Any]] = []
    happened = message_events(messages)
    for event in happened[1:] if happened and happened[0].kind is Kind.USER else happened:
        if event.kind is Kind.CALL and event.call is not None:
            if event.call.speech:
                found.append({"text": event.call.speech})
            found.append({"tool": event.call.name, "arguments": event.call.arguments, "result": event.call.result})
        elif event.kind in (Kind.USER, Kind.AGENT):
            found.append({"user" if event.kind is Kind.USER else "text": event.text})
    return found[:-1] if found and "text" in found[-1] else found


class EndpointAgent:
    """A model that is given the tools: it is asked, its calls are made, and so on until it speaks without calling."""

    asks_model = True

    def __init__(self, model: Any, tools: Sequence[Any], system_prompt: str, knobs: Knobs) -> None:
        if not callable(getattr(model, "complete", None)):
            raise ValueError(
                f"the agent {type(model).__name__} has no `complete`, so it cannot be given tools: pass a spec"
            )
        self._model, self._knobs = model, knobs
        spec = str(getattr(model, "spec", ""))
        form = form_of(spec)
        if knobs.logprobs and not form.gives_logprobs:
            raise ValueError(
                f"logprobs=True: {spec} gives no log-probabilities; ask it through an OpenAI-compatible server"
            )
        self._form = form(tool_schemas(tools), system_prompt)
        self.name = self.model_version = str(getattr(model, "model", "") or spec or type(model).__name__)
        self.identity: list[Any] = ["model", spec]
        self.fields: dict[str, Any] = {}
        self.sampling: dict[str, Any] | None = {
            "temperature": knobs.temperature,
            "max_tokens": knobs.max_tokens,
            **knobs.sampling,
        }
        self._answered = False

    def play(self, scene: Scene) -> None:
        """Ask it until it is through, or the turns are used up (`ended_by` is then `max_turns`)."""
        script = scene.script
        for turn in range(self._knobs.max_turns):
            said = self._form.read(self._complete(script), turn)
            script.say(said)
            for call in said.calls:
                if call.unreadable is not None:
                    result: Any = error_result(f"the arguments of {call.name} are no JSON object: send one")
                elif script.n_calls() >= self._knobs.max_calls:
                    result = error_result(f"no more than {self._knobs.max_calls} calls are made: answer now")
                else:
                    result = scene.call(call.name, call.arguments)
                script.result(call, result)
            if not said.calls:
                words = scene.person(script) if said.text.strip() else None
                if words is None:
                    return
                script.answer(words)
        script.ended_by = "max_turns"

    def _complete(self, script: Transcript) -> Mapping[str, Any]:
        body = self._form.body(script.messages, self.sampling or {}, logprobs=self._knobs.logprobs)
        try:
            reply: Mapping[str, Any] = self._model.complete(body)
        except MissingExtraError as error:
            raise HopelessModelError(str(error)) from None
        except ModelError as error:
            if not self._answered and (error.status in _HOPELESS or ": no key" in str(error)):
                raise HopelessModelError(str(error)) from None
            raise
        self._answered = True
        return reply
