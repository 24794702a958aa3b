"""`ChatModel`: a model that is asked, from any thread or event loop."""

from __future__ import annotations

import asyncio
import os
import threading
import weakref
from typing import Any

from whileai.simulations.arguments import whole
from whileai.simulations.models import background
from whileai.simulations.models.call import paused
from whileai.simulations.models.exchange import Limits, exchange
from whileai.simulations.models.limits import Budget, RateLimit
from whileai.simulations.models.providers import checked_place, wire_of
from whileai.simulations.models.secret import Secret, secret
from whileai.simulations.models.spec import ModelSpec, parse_spec
from whileai.simulations.models.wires.base import Wire

TIMEOUT = 120.0  # seconds for one try; a long reply of a busy server; convention


class ChatModel:
    """A model named by a spec, with its key, the seconds for one try, and the limits of the run.

    `spec` is the text that names it, `model` the name alone (the address, for a server asked by address), `timeout`
    the seconds for one try. The key is
    `api_key`, else the provider's environment variable when the model is first asked. Nothing is sent, and no
    vendor's library loaded, until then. One object may be shared by threads.

    >>> model = ChatModel("vllm:Qwen/Qwen3-4B@http://gpu-1:8000/v1", api_key="sk-1")
    >>> model, model.model
    (ChatModel('vllm:Qwen/Qwen3-4B@http://gpu-1:8000/v1'), 'Qwen/Qwen3-4B')
    """

    def __init__(
        self,
        spec: str | ModelSpec,
        *,
        api_key: str | Secret | None = None,
        timeout: float | None = None,
        rate: RateLimit | None = None,
        budget: Budget | None = None,
    ) -> None:
        self._named = parse_spec(spec) if isinstance(spec, str) else spec
        checked_place(self._named)
        self._key = secret(api_key)
        self._limits = Limits(_seconds(timeout), rate, budget)
        self._wire: Wire | None = None
        self._process = os.getpid()
        self._lock = threading.Lock()
        self.spec = str(self._named)
        self.timeout = self._limits.timeout
        self.model = self._named.model or self.spec

    def ask(self, messages: list[dict[str, Any]], *, max_tokens: int, temperature: float = 0.0) -> str:
        """What the model replies, at most `max_tokens` of it; a `ModelError` when it gives no reply after its tries.

        `messages` are dicts of `role` (system, user, assistant) and `content`.
        """
        return background.wait_for(self._reply(self._connected(), messages, max_tokens, temperature))

    async def aask(self, messages: list[dict[str, Any]], *, max_tokens: int, temperature: float = 0.0) -> str:
        """As `ask`, awaited."""
        wire = await asyncio.to_thread(self._connected)
        return await asyncio.wrap_future(background.begin(self._reply(wire, messages, max_tokens, temperature)))

    def complete(self, body: dict[str, Any]) -> dict[str, Any]:
        """The server's whole answer to a body in the provider's form; the model's name is added. As `ask` else."""
        return background.wait_for(exchange(self._connected(), body, self._limits))

    async def acomplete(self, body: dict[str, Any]) -> dict[str, Any]:
        """As `complete`, awaited."""
        wire = await asyncio.to_thread(self._connected)
        return await asyncio.wrap_future(background.begin(exchange(wire, body, self._limits)))

    async def _reply(self, wire: Wire, messages: list[dict[str, Any]], max_tokens: int, temperature: float) -> str:
        body = wire.request(messages, whole("max_tokens", max_tokens, 1), temperature)
        return wire.text(await exchange(wire, body, self._limits))

    def _connected(self) -> Wire:
        """The wire of this process, made when first needed, on no event loop: its library may take long to load."""
        if self._wire is not None and self._process == os.getpid():
            return self._wire
        with paused(), self._lock:
            if self._wire is None or self._process != os.getpid():
                self._process = os.getpid()
                self._wire = wire_of(self._named, self._key, self._limits.timeout)
                weakref.finalize(self, _close_later, self._wire).atexit = False
            return self._wire

    def __deepcopy__(self, memo: Any) -> ChatModel:
        """The model itself: its rate and its budget are those of the run, and one object may be shared."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        if self._limits.rate or self._limits.budget:
            raise TypeError("a model with a rate or a budget is not pickled: they hold for one process")
        return _reopened, (self.spec, self._key, self._limits.timeout)

    def __repr__(self) -> str:
        return f"ChatModel({self.spec!r})"


def _reopened(spec: str, key: Secret | None, timeout: float) -> ChatModel:
    return ChatModel(spec, api_key=key, timeout=timeout)


def _close_later(wire: Wire) -> None:
    background.begin_apart(wire.close())


def _seconds(timeout: float | None) -> float:
    if timeout is None:
        return TIMEOUT
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not timeout > 0:
        raise ValueError(f"timeout must be a number of seconds above 0, got {timeout!r}")
    return float(timeout)
