"""A call that is given up, and its clock."""

from __future__ import annotations

import threading
import time
from concurrent.futures import CancelledError

import pytest

from models.server import FaultyServer, waited_for
from whileai.simulations.models import Budget, RateLimit, exchange, open_model
from whileai.simulations.models.call import Call, paused

ASK = [{"role": "user", "content": "?"}]


def test_a_call_that_is_given_up_ends_its_request_and_asks_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "BACKOFF", 0.02)
    call, met, budget = Call(), [], Budget(requests=100)
    with FaultyServer(faults=lambda number, _: "silent" if number else None) as server:
        spec = f"vllm:m@{server.url}/v1"
        open_model(spec).ask(ASK, max_tokens=5)  # loads the library, however long that takes
        model = open_model(spec, timeout=0.4, budget=budget)

        def ask_twice() -> None:
            with call.within():
                for _ in range(2):
                    try:
                        model.ask(ASK, max_tokens=5)
                    except CancelledError as error:
                        met.append(error)

        thread = threading.Thread(target=ask_twice)
        thread.start()
        assert waited_for(lambda: len(server.posts) == 2)
        call.cancel()
        thread.join(5)
        assert len(met) == 2
        used = budget.requests_used
        time.sleep(0.8)  # when another try would have come
        assert budget.requests_used == used
        assert len(server.posts) == 2


def test_a_call_within_another_is_given_up_with_it() -> None:
    outer, inner = Call(), Call()
    with outer.within(), inner.within():
        outer.cancel()
    assert inner.cancelled
    ended = Call()
    with (outer := Call()).within(), ended.within():
        pass
    outer.cancel()
    assert not ended.cancelled


def test_the_clock_stands_still_while_something_is_paused() -> None:
    call = Call()
    with call.within(), paused():
        with paused():
            time.sleep(0.05)
        time.sleep(0.05)
        assert call.elapsed() < 0.05
    assert call.elapsed() < 0.05
    time.sleep(0.05)
    assert call.elapsed() >= 0.05


def test_a_place_in_the_queue_of_a_rate_takes_no_time_and_when_given_up_no_budget() -> None:
    call, budget = Call(), Budget(requests=100, tokens=10_000)
    with FaultyServer() as server:
        model = open_model(f"vllm:m@{server.url}/v1", rate=RateLimit(requests=2), budget=budget)
        assert model.ask(ASK, max_tokens=5) == "ready"
        used = budget.requests_used, budget.tokens_used

        def ask() -> None:
            with call.within(), pytest.raises(CancelledError):
                model.ask(ASK, max_tokens=5)

        call.begin()
        thread = threading.Thread(target=ask)
        thread.start()
        assert waited_for(lambda: budget.requests_used == 2)
        time.sleep(0.3)
        assert call.elapsed() < 0.3
        call.cancel()
        thread.join(5)
        assert waited_for(lambda: (budget.requests_used, budget.tokens_used) == used)
        assert len(server.posts) == 1
