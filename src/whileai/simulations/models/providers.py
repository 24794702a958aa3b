"""Where each provider is asked, which client asks it, and which variable holds its key."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from whileai.simulations.models.failure import ModelError
from whileai.simulations.models.secret import Secret, from_environment
from whileai.simulations.models.spec import ModelSpec, checked_url, is_loopback
from whileai.simulations.models.wires.base import Target, Wire
from whileai.simulations.models.wires.chat_completions import ChatCompletions
from whileai.simulations.models.wires.messages import Messages
from whileai.simulations.models.wires.through_litellm import ThroughLitellm


@dataclass(frozen=True)
class Provider:
    """One provider: its client, the variables that may hold its key, its base URL and the variable that moves it.

    `vendor` says that the server is the one the client was written for. A `borrowed` variable holds the key of another
    vendor, which is not sent in clear text to another machine.
    """

    wire: Callable[[Target], Wire]
    keys: tuple[str, ...] = ()
    borrowed: tuple[str, ...] = ()
    url: str = ""
    url_variable: str = ""
    vendor: bool = False

    @property
    def variables(self) -> tuple[str, ...]:
        """All variables that may hold the key, the first that is set counts."""
        return self.keys + self.borrowed


PROVIDERS = {
    "openai": Provider(
        ChatCompletions,
        ("OPENAI_API_KEY",),
        url="https://api.openai.com/v1",
        url_variable="OPENAI_BASE_URL",
        vendor=True,
    ),
    "anthropic": Provider(
        Messages,
        ("WHILEAI_ANTHROPIC_API_KEY", "ANTHROPIC_API_KEY"),
        url="https://api.anthropic.com",
        url_variable="ANTHROPIC_BASE_URL",
        vendor=True,
    ),
    "fireworks": Provider(ChatCompletions, ("FIREWORKS_API_KEY",), url="https://api.fireworks.ai/inference/v1"),
    "ollama": Provider(ChatCompletions, ("OLLAMA_API_KEY",), url="http://localhost:11434/v1"),
    "vllm": Provider(ChatCompletions, ("VLLM_API_KEY",), borrowed=("OPENAI_API_KEY",)),
    "url": Provider(ChatCompletions, ("VLLM_API_KEY",), borrowed=("OPENAI_API_KEY",)),
    "bedrock": Provider(ThroughLitellm, ("AWS_BEARER_TOKEN_BEDROCK",)),
    "litellm": Provider(ThroughLitellm),
}


def wire_of(spec: ModelSpec, key: Secret | None, timeout: float) -> Wire:
    """The wire to a model; a `ModelError` that names the variable when a key is needed and there is none."""
    provider = PROVIDERS[spec.provider]
    url, region = checked_place(spec)
    private = url.lower().startswith("https://") or is_loopback(url)
    key = key or from_environment(provider.variables if private else provider.keys)
    if key is None and private and not is_loopback(url):
        variables = " or ".join(provider.variables)
        raise ModelError(f"{spec}: no key, so nothing was sent: set {variables}, or pass api_key=")
    name = f"bedrock/{spec.model}" if spec.provider == "bedrock" else spec.model
    return provider.wire(
        Target(str(spec), name, url, key, provider.variables, timeout, foreign=not provider.vendor, region=region)
    )


def checked_place(spec: ModelSpec) -> tuple[str, str | None]:
    """The base URL and the region where a model is asked; a `ValueError` when the environment gives no usable one."""
    provider = PROVIDERS[spec.provider]
    moved = os.environ.get(provider.url_variable, "").strip() if provider.url_variable else ""
    region = spec.region
    if spec.provider == "bedrock" and region is None:
        region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
        if not region:
            raise ValueError(f"{spec} names no region: write bedrock:MODEL@REGION, or set AWS_REGION")
    return spec.url or (checked_url(moved) if moved else provider.url), region
