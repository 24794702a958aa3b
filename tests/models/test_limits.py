"""How fast and how much a run may ask."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tables import each_of
from whileai.simulations.models import Budget, ModelError, RateLimit
from whileai.simulations.models.exchange import cost_of, pause_after
from whileai.simulations.models.wires.base import asked_wait


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_requests_are_spaced_evenly_and_idle_time_is_not_saved_up() -> None:
    clock = Clock()
    limit = RateLimit(requests=60, clock=clock)
    waits = [limit.wait() for _ in range(3)]
    clock.now += 10
    assert [*waits, limit.wait(), limit.wait()] == [0, 1, 2, 0, 1]


def test_a_large_request_takes_the_time_of_its_tokens() -> None:
    limit = RateLimit(requests=60, tokens=6000, clock=Clock())
    assert [limit.wait(1000), limit.wait(10), limit.wait(10)] == [0, 10, 11]


def test_threads_get_different_places() -> None:
    limit = RateLimit(requests=60, clock=Clock())
    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(lambda _: limit.wait(), range(100))) == list(range(100))


def test_a_budget_of_tokens_refuses_what_it_does_not_hold() -> None:
    budget = Budget(tokens=100)
    budget.take(60)
    with pytest.raises(ModelError, match="does not hold the next request of up to 60"):
        budget.take(60)
    budget.settle(60, 10)
    budget.take(60)
    assert (budget.requests_used, budget.tokens_used) == (2, 70)


@each_of("kind", [RateLimit, Budget])
@each_of("given", [{}, {"requests": -1}, {"tokens": 1.5}, {"requests": True}])
def test_limits_are_whole_numbers(kind: Any, given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"needs requests=|must be a whole number"):
        kind(**given)


@each_of(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2),
        ({"retry-after": " 0.5 "}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Fri, 31 Dec 1999 23:59:59 GMT"}, 0),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "9" * 400}, None),
    ],
)
def test_the_wait_a_server_asks_for(headers: dict[str, str], seconds: float | None) -> None:
    assert asked_wait(headers) == seconds


def test_waits_double_from_four_tenths_of_a_second() -> None:
    waits = [pause_after(ModelError("500", again=True), failed) for failed in (1, 2, 3, 4)]
    assert [low <= wait <= 1.25 * low for wait, low in zip(waits, (0.4, 0.8, 1.6), strict=False) if wait] == [True] * 3
    assert waits[3] is None


def test_what_cannot_help_is_not_tried_again() -> None:
    assert pause_after(ModelError("404"), 1) is None
    assert pause_after(ModelError("429", again=True, wait=3600), 1) is None
    assert (pause_after(ModelError("429", again=True, wait=2), 1) or 0) >= 2


def test_the_cost_of_a_request_holds_its_whole_reply() -> None:
    body = {"messages": [{"role": "user", "content": "x" * 3000}], "max_tokens": 50}
    assert 1050 <= cost_of(body) < 1100
    assert cost_of({"messages": [], "max_completion_tokens": 50}) == 50
