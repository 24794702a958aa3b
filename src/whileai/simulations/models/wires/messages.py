"""Anthropic's messages, through the `anthropic` client."""

from __future__ import annotations

from typing import Any

from whileai.simulations.errors import MissingExtraError
from whileai.simulations.models.failure import ModelError
from whileai.simulations.models.wires.base import Target, content_text, token_count
from whileai.simulations.models.wires.client import ClientWire


class Messages(ClientWire):
    """A model behind Anthropic's `/v1/messages`."""

    def __init__(self, target: Target) -> None:
        try:
            import anthropic
        except ImportError:
            raise MissingExtraError("anthropic", extra="anthropic", what=f"asking {target.spec}") from None
        super().__init__(target, anthropic, anthropic.AsyncAnthropic, target.url)
        self._create = self.client.messages.with_raw_response.create  # loads what the first request would

    def request(self, messages: list[dict[str, Any]], max_tokens: int, temperature: float) -> dict[str, Any]:
        """The body that asks for one reply; system messages go beside the others."""
        system = [content_text(message.get("content")) for message in messages if message.get("role") == "system"]
        others = [message for message in messages if message.get("role") != "system"]
        body = super().request(others, max_tokens, temperature)
        return {**body, "system": "\n\n".join(system)} if system else body

    async def send(self, body: dict[str, Any]) -> dict[str, Any]:
        """The answer to one body, sent as it is."""
        named = {name: body[name] for name in ("model", "messages", "max_tokens")}
        rest = {name: body[name] for name in body if name not in named}
        return await self.answer(self._create(**named, extra_body=rest))

    def text(self, reply: dict[str, Any]) -> str:
        """The text blocks of an answer."""
        blocks = reply.get("content")
        if not isinstance(blocks, list):
            raise ModelError(f"{self.target.spec} answered without content")
        text = content_text(blocks)
        if not text.strip():
            reason = reply.get("stop_reason")
            self._check_empty(reason == "max_tokens", "no words given" if reason == "refusal" else None)
        return text

    def usage(self, reply: dict[str, Any]) -> int | None:
        """The tokens that a reply cost, None when the server does not say."""
        return token_count(reply, "input_tokens", "output_tokens")
