from __future__ import annotations

import asyncio
import sys
import time
from typing import Any

import pytest

from whileai.simulations.score.judging.calls import outcomes


@pytest.mark.parametrize("concurrency", [0, 1, 3, 50])
def test_outcomes_keep_the_order_of_the_items(concurrency: int) -> None:
    found = outcomes(lambda n: time.sleep(0.001 * (5 - n)) or n, range(5), concurrency)
    assert [outcome.value for outcome in found] == [0, 1, 2, 3, 4]


def ends(_: int) -> None:
    sys.exit("over")


def cancels(_: int) -> None:
    raise asyncio.CancelledError


async def waits(_: int) -> str:
    await asyncio.sleep(0)
    return "waited"


@pytest.mark.parametrize("concurrency", [1, 4])
@pytest.mark.parametrize(("call", "value", "error"), [
    (ends, None, "SystemExit: over"), (cancels, None, "CancelledError: "), (waits, "waited", None),
])  # fmt: skip
def test_what_a_call_does_is_its_own_outcome(call: Any, value: Any, error: str | None, concurrency: int) -> None:
    assert outcomes(call, [1, 2], concurrency) == [(value, error)] * 2


def test_a_call_over_time_is_left_behind() -> None:
    found = outcomes(lambda n: time.sleep(5 * n) or n, [0, 1], 2, timeout=0.2)
    assert found == [(0, None), (None, "TimeoutError: no answer within 0.2 s")]


@pytest.mark.parametrize("concurrency", [1, 2])
def test_an_interrupt_ends_all(concurrency: int) -> None:
    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        outcomes(interrupted, range(9), concurrency)
