"""OpenAI's chat completions, which vLLM, Ollama, Fireworks and many others speak, through the `openai` client."""

from __future__ import annotations

import asyncio
from typing import Any

from whileai.simulations.errors import MissingExtraError
from whileai.simulations.models.failure import ModelError
from whileai.simulations.models.wires.base import Target
from whileai.simulations.models.wires.client import ClientWire

_PATH = "/chat/completions"


class ChatCompletions(ClientWire):
    """A model behind `<base>/chat/completions`."""

    def __init__(self, target: Target) -> None:
        try:
            import openai
        except ImportError:
            raise MissingExtraError("openai", extra="openai", what=f"asking {target.spec}") from None
        super().__init__(target, openai, openai.AsyncOpenAI, base_url(target.url))
        self._create = self.client.chat.completions.with_raw_response.create  # loads what the first request would
        self._name = target.model
        self._finding = asyncio.Lock()

    async def send(self, body: dict[str, Any]) -> dict[str, Any]:
        """The answer to one body, sent as it is."""
        rest = {name: body[name] for name in body if name not in ("model", "messages")}
        return await self.answer(self._create(model=body["model"], messages=body["messages"], extra_body=rest))

    async def model(self) -> str:
        """The name of the model: the first of `<base>/models` for one asked by its address alone."""
        async with self._finding:
            self._name = self._name or await self._listed()
        return self._name

    async def _listed(self) -> str:
        listed = (await self.answer(self.client.models.with_raw_response.list())).get("data")
        first = listed[0] if isinstance(listed, list) and listed else None
        name = first.get("id") if isinstance(first, dict) else None
        if not isinstance(name, str) or not name:
            raise ModelError(f"{self.target.spec} lists no model: name it as vllm:MODEL@{self.target.url}")
        return name

    def _renames_budget(self) -> bool:
        self.budget_key = "max_completion_tokens"
        return True


def base_url(url: str) -> str:
    """The base that the client adds `/chat/completions` to.

    >>> base_url("http://gpu-1:8000"), base_url("http://h/api/chat/completions")
    ('http://gpu-1:8000/v1', 'http://h/api')
    """
    if url.endswith(_PATH):
        return url.removesuffix(_PATH)
    return url if url.endswith("/v1") else f"{url}/v1"
