"""What a row's time is, and what ends with it when the row is given up."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from models.server import FaultyServer
from whileai.simulations.models import Budget, chat, exchange, open_model
from whileai.simulations.score.judging import Judge, run_judge
from whileai.simulations.score.pairwise import judge_pairs, pairwise_judge

Row = dict[str, Any]
VERDICT = '{"reason": "ok", "score": 1}'


def rows(n: int) -> list[Row]:
    return [{"prompt": "p", "final_text": f"reply {i}"} for i in range(n)]


def statuses(scored: Any) -> set[str]:
    return {row["judge_status"] for row in scored}


class Slow:
    """A model that takes its time for the warm-up and none for a row."""

    spec = model = "slow"

    def __init__(self, seconds: float, timeout: float = 60.0) -> None:
        self.seconds, self.timeout, self.over = seconds, timeout, threading.Event()

    def ask(self, messages: list[Row], *, max_tokens: int, temperature: float = 0.0) -> str:
        if len(messages) == 1:
            self.over.wait(self.seconds)
        return VERDICT


@pytest.mark.parametrize("wrapped", [False, True])
def test_the_warm_up_is_on_no_rows_clock(wrapped: bool) -> None:
    judge = Judge("r", model=Slow(0.7))
    scored = run_judge(rows(12), (lambda row: judge(row)) if wrapped else judge, timeout=0.35, concurrency=4)
    assert statuses(scored) == {"ok"}


def test_a_warm_up_that_hangs_is_given_up_and_the_rows_are_sent() -> None:
    model = Slow(60, timeout=0.3)
    assert statuses(run_judge(rows(4), Judge("r", model=model), timeout=5, concurrency=2)) == {"ok"}
    model.over.set()


def test_loading_a_client_is_on_no_rows_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = chat.wire_of

    def slowly(*given: Any) -> Any:
        time.sleep(0.8)
        return connect(*given)

    with FaultyServer('{"winner": "A", "reason": "ok"}') as server:
        open_model(f"vllm:m@{server.url}/v1").ask([{"role": "user", "content": "?"}], max_tokens=5)  # is loaded
        monkeypatch.setattr(chat, "wire_of", slowly)
        judge = pairwise_judge(f"vllm:m@{server.url}/v1")
        pairs = [{"chosen": row, "rejected": row} for row in rows(3)]
        assert judge_pairs(pairs, judge, timeout=0.6, swap=False)[1]["failed"] == 0


@pytest.mark.parametrize("ends", ["timeout", "interrupt"])
def test_rows_that_are_given_up_send_nothing_more(ends: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "BACKOFF", 0.02)
    budget = Budget(requests=1000)
    with FaultyServer(VERDICT, lambda number, _: "silent" if number else None) as server:
        judge = Judge("r", model=open_model(f"vllm:m@{server.url}/v1", timeout=0.4, budget=budget))
        judge._warm()  # the model is awake, so all that follows is rows

        def ended(row: Row) -> Any:
            if row["final_text"] != "reply 3":
                return judge(row)
            until = time.monotonic() + 10
            while len(server.posts) < 2 and time.monotonic() < until:
                time.sleep(0.01)
            raise KeyboardInterrupt

        if ends == "timeout":
            assert statuses(run_judge(rows(4), judge, timeout=0.2, concurrency=2, quiet=True)) == {"timeout"}
        else:
            with pytest.raises(KeyboardInterrupt):
                run_judge(rows(4), ended, concurrency=4)
        time.sleep(0.2)
        sent, used = len(server.posts), budget.requests_used
        time.sleep(0.8)  # a try of 0.4 s would have ended and another one come
        assert (len(server.posts), budget.requests_used) == (sent, used)
        assert used <= 5


def test_the_time_of_a_row_is_its_own_and_holds() -> None:
    def judge(row: Row) -> int:
        threading.Event().wait(5 if row["final_text"] == "reply 1" else 0)
        return 1

    scored = run_judge(rows(3), judge, timeout=0.4, concurrency=1)
    assert [row["judge_status"] for row in scored] == ["ok", "timeout", "ok"]
