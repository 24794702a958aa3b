from __future__ import annotations

import threading
import time

import pytest

from whileai.simulations.score.judging.threads import in_threads


@pytest.mark.parametrize("concurrency", [0, 1, 3, 50])
def test_results_keep_the_order_of_the_items(concurrency: int) -> None:
    assert in_threads(lambda n: time.sleep(0.001 * (5 - n)) or n, range(5), concurrency) == [0, 1, 2, 3, 4]


def test_no_more_than_so_many_at_once() -> None:
    lock, running, most = threading.Lock(), 0, 0

    def work(_: int) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.005)
        with lock:
            running -= 1

    in_threads(work, range(20), 4)
    assert most == 4


def test_an_interrupt_drops_what_was_not_begun() -> None:
    begun: list[int] = []

    def work(n: int) -> None:
        begun.append(n)
        if n == 0:
            raise KeyboardInterrupt
        time.sleep(0.02)

    with pytest.raises(KeyboardInterrupt):
        in_threads(work, range(200), 2)
    assert len(begun) < 200
