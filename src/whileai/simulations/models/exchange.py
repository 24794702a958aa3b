"""One request and its tries: paced, counted, cut off in time, and tried again when that may help."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import dataclass
from typing import Any

from whileai.simulations.models.call import paused
from whileai.simulations.models.failure import ModelError
from whileai.simulations.models.limits import Budget, RateLimit
from whileai.simulations.models.wires.base import Wire

TRIES = 4  # sendings of one request, the first included; rubric.md
BACKOFF = 0.4  # seconds before the second try, doubling with each; rubric.md
JITTER = 0.25  # share of a wait added at random, so that workers do not come back together; convention
MAX_WAIT = 120.0  # seconds of Retry-After beyond which nothing is tried again; convention
ADAPTATIONS = 12  # times one request is changed to suit a server: its budget halved, two parameters renamed or dropped
BYTES_PER_TOKEN = 3  # bytes of English a token, rounded down so that a budget is not overdrawn; convention


@dataclass(frozen=True)
class Limits:
    """What holds for every try: its seconds, the rate and the budget of the run."""

    timeout: float
    rate: RateLimit | None = None
    budget: Budget | None = None


async def exchange(wire: Wire, body: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """The answer to a body, after at most `TRIES` tries; the `ModelError` of the last one when none succeeded.

    A body without a `model` is sent for the model of the wire, which an address is asked for when that is not known.
    """
    body, failed, adapted = sendable(body), 0, 0
    while True:
        outcome = await _try(wire, body, limits)
        if not isinstance(outcome, ModelError):
            return outcome
        changed = wire.adapted(outcome, body) if adapted < ADAPTATIONS else None
        if changed is not None:
            body, adapted = changed, adapted + 1
            continue
        failed += 1
        pause = pause_after(outcome, failed)
        if pause is None:
            raise outcome
        await asyncio.sleep(pause)


def pause_after(failure: ModelError, failed: int) -> float | None:
    """The seconds to wait before the next try; None when there is none.

    >>> pause_after(ModelError("503", status=503, again=True), 4) is None
    True
    """
    if not failure.again or failed >= TRIES:
        return None
    if failure.wait is not None and failure.wait > MAX_WAIT:
        return None
    least: float = max(BACKOFF * 2 ** (failed - 1), failure.wait or 0.0)
    spread: float = 1 + JITTER * random.random()  # noqa: S311
    return least * spread


async def _try(wire: Wire, body: dict[str, Any], limits: Limits) -> dict[str, Any] | ModelError:
    """The answer to one sending, or its error, which is returned so that it is raised in no other's handler."""
    size = cost_of(body) if limits.rate or limits.budget else 0
    if limits.budget:
        limits.budget.take(size)
    await _turn(limits, size)
    used: int | None = 0
    try:
        async with asyncio.timeout(limits.timeout):
            answer = await wire.send({"model": await wire.model(), **body})
        used = wire.usage(answer)
    except ModelError as failure:
        return failure
    except TimeoutError:
        return wire.out_of_time()
    finally:
        if limits.budget and used is not None:
            limits.budget.settle(size, used)
    return answer


async def _turn(limits: Limits, size: int) -> None:
    """Wait for the place that the rate gives, which is no time of the call's; given up there, it has cost nothing."""
    if limits.rate is None:
        return
    try:
        with paused():
            await asyncio.sleep(limits.rate.wait(size))
    except asyncio.CancelledError:
        if limits.budget:
            limits.budget.give_back(size)
        raise


def cost_of(body: dict[str, Any]) -> int:
    """The tokens that a request may cost: those of its messages, about, and the whole reply.

    >>> cost_of({"messages": [{"role": "user", "content": "x" * 270}], "max_tokens": 100})
    201
    """
    messages = len(json.dumps(body.get("messages"), default=str).encode()) // BYTES_PER_TOKEN
    reply = body.get("max_tokens", body.get("max_completion_tokens", 0))
    return messages + (reply if isinstance(reply, int) else 0)


def sendable(body: Any) -> Any:
    r"""The body with lone surrogates, which no JSON text may hold, as question marks.

    >>> sendable({"messages": ["a\ud800"]})
    {'messages': ['a?']}
    """
    if isinstance(body, str):
        return body if body.isascii() else body.encode("utf-8", "replace").decode()
    if isinstance(body, dict):
        return {sendable(key): sendable(value) for key, value in body.items()}
    return [sendable(item) for item in body] if isinstance(body, list | tuple) else body
