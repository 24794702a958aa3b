"""What tells two callables of one name apart."""

from __future__ import annotations

import functools
from typing import Any

import pytest

import whileai.simulations as wai
from run.run_agents import TOOLS
from tables import each_of
from whileai.simulations.run.identity import identity_of


def made(word: str, n: int = 1) -> Any:
    def agent(ask: str, polite: bool = True) -> str:
        return word * n

    return agent


class Agent:
    def __init__(self, prompt: str) -> None:
        self.prompt, self.calls = prompt, 0

    def __call__(self, ask: str) -> str:
        self.calls += 1
        return self.prompt

    def asked(self, ask: str) -> str:
        return self.prompt


EQUAL = {
    "closure": (made("a"), made("a")),
    "object": (Agent("a"), Agent("a")),
    "method": (Agent("a").asked, Agent("a").asked),
    "partial": (functools.partial(max, "a"), functools.partial(max, "a")),
    "seeded agent": (wai.seeded_agent(TOOLS), wai.seeded_agent(TOOLS)),
    "builtin": (len, len),
}
OTHER = {
    "closure": (made("a"), made("b")),
    "number": (made("a"), made("a", 2)),
    "object": (Agent("a"), Agent("b")),
    "method": (Agent("a").asked, Agent("b").asked),
    "partial": (functools.partial(max, "a"), functools.partial(max, "b")),
    "seeded agent": (wai.seeded_agent(TOOLS), wai.seeded_agent(TOOLS, rate=0.5)),
    "constant": (lambda ask: {1: "a", 2: "b"}, lambda ask: {1: "a", 2: "c"}),
    "inner function": (lambda ask: [x + "a" for x in ask], lambda ask: [x + "b" for x in ask]),
}


@pytest.mark.parametrize("name", EQUAL)
def test_the_same_code_with_the_same_values_is_the_same(name: str) -> None:
    first, second = EQUAL[name]
    assert identity_of(first) == identity_of(second)


@each_of("name", OTHER)
def test_other_code_or_other_values_are_another(name: str) -> None:
    first, second = OTHER[name]
    assert identity_of(first) != identity_of(second)


def test_what_changes_while_it_runs_does_not_count() -> None:
    counted, asked = 0, []

    def agent(ask: str) -> str:
        nonlocal counted
        counted += 1
        asked.append(ask)
        return "a"

    before = identity_of(agent)
    agent("Hi")
    assert identity_of(agent) == before
    held = Agent("a")
    before = identity_of(held)
    held("Hi")
    assert identity_of(held) == before
