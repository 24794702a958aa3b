"""The mock world: tool calls answered from schemas, consistent within an episode, with faults on schedule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.names import name_words, words_in
from whileai.simulations.rows.values import is_mapping
from whileai.simulations.run.checked import refused
from whileai.simulations.run.computed import computed
from whileai.simulations.run.deeds import EDITS, deed, set_by
from whileai.simulations.run.draw import draw
from whileai.simulations.run.faults import TIMEOUT, faulty, mode_of
from whileai.simulations.run.patterns import shaped_like
from whileai.simulations.run.records import Record, fields_of, shaped
from whileai.simulations.run.schema import Declared, declared
from whileai.simulations.run.situations import Situation
from whileai.simulations.run.texts import identifier
from whileai.simulations.run.tool import schema_of
from whileai.simulations.score.checklist.vocabulary import WorldState, axis_value

_SENDS = words_in("send email message notify text reply forward")
_NAMES = frozenset(("path", "url"))  # fields that name a record as well as an identifier does
_NEEDED = words_in(
    "attendees to email recipient customer patient passenger user repo repository assignee project account"
)
_SHOWN = 3  # records of a list


class World:
    """A world that answers tool calls in one episode.

    Its records follow from the seed and the scenario alone, so that every rollout of a situation meets the same ones;
    what an episode changes is seen by its later calls. `log` lists the calls, each `{"tool", "arguments", "result",
    "fault"}` with the mode of an injected fault or None.

    >>> there = World([{"name": "cancel_order", "parameters": {"properties": {"order_id": {}}}}])
    >>> there.call("cancel_order", {"order_id": "ORD-7"})["status"]
    'ok'
    >>> there.call("cancel_order", {"order_id": "ORD-7"})["status"]
    'already_done'
    """

    def __init__(
        self,
        tools: Any,
        seed: int = 0,
        *,
        world_state: str | None = None,
        faults: Mapping[str, Mapping[str, Any]] | None = None,
        condition: str | None = None,
        scenario_id: str = "",
        rollout_index: int = 0,
        situation: Situation | None = None,
    ) -> None:
        """A world for some tools; `situation` brings its state, its faults, its id and what is planted in it.

        `faults` is `{tool or "*": {"mode", "rate"}}`; `condition` is short for one fault of every tool.
        """
        self.situation = situation
        self.seed = seed
        self.scenario_id = situation.id if situation is not None else scenario_id
        self.rollout_index = rollout_index
        state = situation.world_state if situation is not None else world_state
        self.log: list[dict[str, Any]] = []
        self._tools = situation.schemas if situation is not None and situation.schemas else declared(tools)
        self._state = axis_value(WorldState, state)
        planned = situation.faults if situation is not None else faults or {}
        mode = mode_of(condition)
        self._faults = planned or ({"*": {"mode": mode, "rate": 1.0}} if mode else {})
        self._records: dict[tuple[str, str], Record] = {}
        self._made: list[Record] = []
        self._deleted: set[tuple[str, str]] = set()
        self._acts: set[str] = set()

    @property
    def tools(self) -> list[str]:
        """The names of its tools."""
        return list(self._tools)

    def call(self, tool: Any, arguments: Mapping[str, Any] | None = None) -> Any:
        """What a tool answers: a fault that is due first, then what is wrong with the arguments, then the record."""
        name = tool if isinstance(tool, str) else schema_of(tool)["name"]
        given = dict(arguments) if is_mapping(arguments) else {}
        fault, result = self._answer(name, given)
        self.log.append({"tool": name, "arguments": given, "result": result, "fault": fault})
        return result

    def _answer(self, name: str, given: dict[str, Any]) -> tuple[str | None, Any]:
        known = self._tools.get(name)
        if known is None:
            names = ", ".join(self._tools) or "none"
            return None, {
                "status": "error",
                "reason": "unknown_tool",
                "error": f"no tool named {name}; the tools are {names}",
            }
        fault = self._due(name)
        if fault is not None:
            seen = {name: value for name, value in given.items() if known.looks or name == known.subject}
            return fault, faulty(fault, name, self._looked_up(known, seen))
        if (refusal := refused(known, given)) is not None:
            return None, refusal
        return None, self._of_the_world(known, given)

    def _due(self, name: str) -> str | None:
        plan = self._faults.get(name) or self._faults.get("*")
        if not is_mapping(plan):
            return None
        rate = plan.get("rate", 1.0)
        due = draw(self.seed, self.scenario_id, self.rollout_index, "fault", len(self.log)) < rate
        return (mode_of(str(plan.get("mode") or TIMEOUT)) if due else None) or None

    def _of_the_world(self, tool: Declared, given: dict[str, Any]) -> Any:
        record = self._record(tool, given)
        planted = self._is_planted(tool, given)
        if (planted and self._state is WorldState.MISSING) or (record.kind, record.name) in self._deleted:
            return {"status": "not_found", "missing": [record.name or _needed(given) or tool.noun]}
        if not tool.looks or (planted and tool.changes and not tool.asks and self._state is WorldState.ALREADY_DONE):
            return self._changed(tool, given, record, planted=planted)
        return self._looked_up(tool, given)

    def _is_planted(self, tool: Declared, given: Mapping[str, Any]) -> bool:
        """Whether a call is about what the situation is about: its record, or its tool where no record is named."""
        if self.situation is None:
            return tool.subject is not None or bool(given)
        if self.situation.entity:
            return any(str(value) == self.situation.entity for value in given.values())
        return any(tool.name == name for name, _ in self.situation.wanted)

    def _record(self, tool: Declared, given: Mapping[str, Any]) -> Record:
        """The record a call names; where it names none, one that its arguments stand for."""
        named = given.get(tool.subject) if tool.subject else None
        name = "" if named is None else str(named)
        key = (tool.noun, name or "\x1f".join(f"{field}={value}" for field, value in sorted(given.items())))
        if key not in self._records:
            planted = self._is_planted(tool, given)
            facts = self.situation.facts if planted and self.situation is not None else None
            record = Record(tool.noun, name, self.seed, self.scenario_id, key[1], facts=facts)
            if planted:
                record.changed.update(self._planted_state(tool))
            self._records[key] = record
        return self._records[key]

    def _planted_state(self, tool: Declared) -> dict[str, Any]:
        if self._state is WorldState.ALREADY_DONE:
            done = self._done(tool)
            return {**({"state": done} if tool.subject or not tool.looks else {}), "note": f"already {done}"}
        if self._state is WorldState.PARTIAL and tool.subject:
            return {"state": "in progress", "note": "1 of 2 steps finished"}
        if self._state is WorldState.DUPLICATE and self.situation is not None and self.situation.twin:
            return {"note": f"there is another {tool.noun} like it: {self.situation.twin}"}
        return {}

    def _done(self, tool: Declared) -> str:
        """What was done already: what the person wants done, else that it is completed, or a question answered."""
        wanted = [self._tools[name] for name, _ in self._wanted() if name in self._tools] or [tool]
        looked = "completed" if tool.subject else "answered earlier today"
        return next((deed(one) for one in wanted if not one.looks and one.verb not in EDITS), looked)

    def _changed(self, tool: Declared, given: dict[str, Any], record: Record, *, planted: bool) -> Any:
        """The answer to a change: done, or done already by this episode or before it."""
        repeats = not tool.makes
        act = "\x1f".join(
            (tool.name, record.kind, record.name, *(f"{name}={value}" for name, value in sorted(given.items())))
        )
        if (planted and self._state is WorldState.ALREADY_DONE) or (repeats and act in self._acts):
            about = {tool.subject: given[tool.subject]} if tool.subject in given else {}
            return {"status": "already_done", "reason": "already_acted_on", **about, "state": deed(tool)}
        self._acts.add(act)
        if tool.deletes:
            self._deleted.add((record.kind, record.name))
        elif tool.makes:
            record = self._new(tool, given)
        else:
            record.changed.update(set_by(tool, given))
        return self._written(tool, given, record)

    def _new(self, tool: Declared, given: Mapping[str, Any]) -> Record:
        name = identifier(tool.made, self.seed, self.scenario_id, "new", len(self._made))
        made = self._records[tool.made, name] = Record(tool.made, name, self.seed, self.scenario_id)
        made.changed.update(given)
        self._made.append(made)
        return made

    def _written(self, tool: Declared, given: Mapping[str, Any], record: Record) -> Any:
        if tool.returns and not isinstance(tool.returns, str):
            return shaped(tool.returns, record, given)
        if tool.verb in _SENDS:
            return {
                "status": "ok",
                "message_id": record.name or identifier("message", self.seed, self.scenario_id, len(self.log)),
            }
        key = f"{tool.made.replace(' ', '_')}_id" if tool.makes or not tool.subject else tool.subject
        about = {key: given.get(key, record.name)} if given.get(key, record.name) else {}
        if tool.deletes:
            return {"status": "deleted", **about}
        if tool.makes:
            return {"status": "created", **about, **given}
        rest = {name: value for name, value in given.items() if name != key}
        status = "updated" if tool.verb in EDITS else "created" if tool.verb == "create" else "ok"
        return {"status": status, **about, **rest, **({} if tool.verb in EDITS else {"state": deed(tool)})}

    def _looked_up(self, tool: Declared, given: Mapping[str, Any]) -> Any:
        record = self._record(tool, given)
        parts = (self.seed, self.scenario_id)
        answer = computed(tool, given, *parts)
        if answer is None and tool.returns and not isinstance(tool.returns, str):
            answer = shaped(tool.returns, record, given)
            strict = tool.returns.get("additionalProperties") is False if is_mapping(tool.returns) else True
            return answer if strict else _with_news(answer, record)
        if answer is None and tool.lists:
            return self._several(tool, given)
        if answer is None:
            answer = {"status": "ok", **given, **self._found(tool, record), **record.values(fields_of(tool), given)}
        return _with_news(answer, record)

    def _several(self, tool: Declared, given: Mapping[str, Any]) -> dict[str, Any]:
        """The records a look finds: those of this episode first, then others."""
        about = self.situation.entity if self.situation is not None else ""
        twin = self.situation.twin if self.situation is not None else ""
        kinds = {self._tools[name].noun for name, _ in self._wanted() if name in self._tools}
        there = tool.noun in kinds and self._state is not WorldState.MISSING
        names = [name for name in (about, twin) if name and there]
        names = [*names, *(made.name for made in self._made if made.kind == tool.noun)]
        spare = (
            identifier(tool.noun, self.seed, self.scenario_id, "list", *sorted(map(str, given.values())), place)
            for place in range(_SHOWN)
        )
        names = [*names, *spare][: max(_SHOWN, len(names))]
        shown = [name for name in names if (tool.noun, name) not in self._deleted]
        results = [self._entry(tool, name) for name in shown]
        note = self._record(tool, given).changed.get("note")
        return {"status": "ok", "count": len(results), "results": results, **({"note": note} if note else {})}

    def _found(self, tool: Declared, record: Record) -> dict[str, str]:
        """The identifier that a look for one returns."""
        if "id" not in tool.nouns or tool.subject is not None:
            return {}
        parts = (self.seed, self.scenario_id, "found", record.name)
        name = shaped_like(tool.samples[0], *parts) if tool.samples else identifier(tool.noun, *parts)
        return {f"{tool.noun.replace(' ', '_')}_id": name}

    def _wanted(self) -> tuple[tuple[str, dict[str, Any]], ...]:
        return self.situation.wanted if self.situation is not None else ()

    def _entry(self, tool: Declared, name: str) -> dict[str, Any]:
        key = (tool.noun, name)
        record = self._records.get(key) or Record(tool.noun, name, self.seed, self.scenario_id, name)
        self._records.setdefault(key, record)
        fields = fields_of(tool)
        return {**({} if _NAMES.intersection(fields) else {"id": name}), **record.values(fields, {})}


def _with_news(answer: Any, record: Record) -> Any:
    """An answer with what happened to its record, where its own fields do not show it."""
    if not is_mapping(answer):
        return answer
    shown = {name: record.changed.get(name, value) if name != "status" else value for name, value in answer.items()}
    known = {"state"} if "status" in answer and answer["status"] == record.changed.get("state") else set()
    return {
        **shown,
        **{name: value for name, value in record.changed.items() if name not in shown and name not in known},
    }


def _needed(given: Mapping[str, Any]) -> str:
    """What is missing where no record is named: whom or where it is for, else the first text."""
    values = [value[0] if isinstance(value, list) and value else value for value in given.values()]
    texts = [(name, value) for name, value in zip(given, values, strict=True) if isinstance(value, str)]
    ranked = sorted(texts, key=lambda item: _NEEDED.isdisjoint(name_words(item[0])))
    return ranked[0][1] if ranked else ""
