"""`ModelSpec`: what a text such as `openai:gpt-4o` or `vllm:MODEL@URL` names."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from whileai.simulations.reports import printable
from whileai.simulations.rows.credentials import holds_key, without_credentials

FORMS = (
    "openai:MODEL, anthropic:MODEL, fireworks:MODEL, ollama:MODEL, bedrock:MODEL@REGION, vllm:MODEL@URL, "
    "litellm:PROVIDER/MODEL, or the http(s) URL of a server"
)
_DEFAULT_MODELS = {"openai": "gpt-4o-mini", "ollama": "llama3.1:8b", "anthropic": "claude-haiku-4-5"}
_PROVIDERS = ("openai", "anthropic", "fireworks", "ollama", "bedrock", "vllm", "litellm")
_OUTSIDE = ("typesafe", "hosted")
_CLOUDS = re.compile(
    "azure|cohere|deepinfra|deepseek|gemini|google|groq|huggingface|mistral|openrouter|perplexity|replicate|"
    "together|together_ai|vertex_ai|xai"
)
_VENDORS = (("gpt-", "openai"), ("chatgpt-", "openai"), ("o1", "openai"), ("o3", "openai"), ("claude", "anthropic"))
_URL = re.compile(r"https?://", re.IGNORECASE)
_LOOPBACK = re.compile(r"localhost|(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|::1")


@dataclass(frozen=True)
class ModelSpec:
    """A model by provider and name, with its URL or region where the provider needs one.

    `provider` is one of those in `FORMS`, or "url" for a bare address, whose model is the first that the server lists.
    """

    provider: str
    model: str
    url: str | None = None
    region: str | None = None

    def __str__(self) -> str:
        if self.provider == "url":
            return self.url or ""
        place = self.url or self.region
        return f"{self.provider}:{self.model}" + (f"@{place}" if place else "")


def parse_spec(text: str) -> ModelSpec:
    """The model that a text names; a `ValueError` that spells the fix for anything else.

    The provider ends at the first colon, the model at the first @.

    >>> parse_spec("vllm:Qwen/Qwen3-4B@http://gpu-1:8000/v1")
    ModelSpec(provider='vllm', model='Qwen/Qwen3-4B', url='http://gpu-1:8000/v1', region=None)
    >>> parse_spec("gpt-4o")
    Traceback (most recent call last):
    ValueError: no model spec: 'gpt-4o'. Did you mean 'openai:gpt-4o'?
    """
    spec = text.strip()
    if printable(spec) != spec:
        raise ValueError(f"{_shown(spec)} holds characters that cannot be seen: a model is named as {FORMS}")
    if _URL.match(spec):
        return ModelSpec("url", "", url=checked_url(spec))
    provider, colon, rest = spec.partition(":")
    provider = provider.strip().lower()
    if provider in _OUTSIDE:
        raise ValueError(outside_message(f"{provider}:"))
    if not colon or provider not in _PROVIDERS:
        raise ValueError(_unknown(spec))
    name, at, place = (part.strip() for part in rest.partition("@"))
    name = name or _DEFAULT_MODELS.get(provider, "")
    if not name or any(character.isspace() for character in name):
        raise ValueError(f"{_shown(spec)} names no model: write {_form_of(provider)}")
    return _SPLIT.get(provider, _plain)(provider, name, place if at else None)


def outside_message(name: str) -> str:
    """What to say of a model that no code here can reach."""
    return (
        f"{name} belongs to a hosted service outside this project, which cannot be asked from here. "
        f"Name a model of your own: {FORMS}"
    )


def checked_url(url: str) -> str:
    """An http(s) address without a final slash; a `ValueError` when it has no host, or holds more than an address.

    >>> checked_url("http://gpu-1:8000/v1/")
    'http://gpu-1:8000/v1'
    >>> checked_url("gpu-1:8000")
    Traceback (most recent call last):
    ValueError: 'gpu-1:8000' is no URL of a model server: write http://HOST:PORT/v1
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if host is None or not _URL.match(url) or any(character.isspace() for character in url):
        raise ValueError(f"{_shown(url)} is no URL of a model server: write http://HOST:PORT/v1")
    if "@" in parts.netloc:
        raise ValueError(f"the URL of {host} holds a user name or a key: leave it out and pass it as api_key=")
    if parts.query or parts.fragment:
        raise ValueError(f"the URL of {host} ends in a query: give the base URL alone, and a key as api_key=")
    return url.rstrip("/")


def is_loopback(url: str) -> bool:
    """Whether an address is this machine.

    >>> is_loopback("http://127.0.0.1:8000/v1"), is_loopback("http://localhost.example.com/v1")
    (True, False)
    """
    return _LOOPBACK.fullmatch(urlsplit(url).hostname or "") is not None


def _plain(provider: str, name: str, place: str | None) -> ModelSpec:
    if place is not None:
        wanted = f"vllm:{name}@{place}" if _URL.match(place) else f"{provider}:{name}"
        raise ValueError(f"{provider}: takes no address: write {_shown(wanted)}")
    return ModelSpec(provider, name)


def _with_url(provider: str, name: str, place: str | None) -> ModelSpec:
    if not place:
        if provider == "ollama":
            return ModelSpec(provider, name)
        raise ValueError(f"vllm: needs the URL of its server: write {_shown(f'vllm:{name}@http://HOST:PORT/v1')}")
    return ModelSpec(provider, name, url=checked_url(place))


def _with_region(provider: str, name: str, place: str | None) -> ModelSpec:
    if place is not None and not re.fullmatch(r"[a-z]{2,4}(?:-[a-z]+)+-\d", place):
        raise ValueError(f"{_shown(place)} is no region: write {_shown(f'bedrock:{name}@us-east-1')}")
    return ModelSpec(provider, name, region=place)


def _through_litellm(provider: str, name: str, place: str | None) -> ModelSpec:
    name = name if place is None else f"{name}@{place}"
    if not all(name.partition("/")):
        raise ValueError(f"litellm: needs a provider and a model: write litellm:PROVIDER/MODEL, got {_shown(name)}")
    return ModelSpec(provider, name)


_SPLIT = {"vllm": _with_url, "ollama": _with_url, "bedrock": _with_region, "litellm": _through_litellm}


def _form_of(provider: str) -> str:
    return next(form for form in re.split(r",? or |, ", FORMS) if form.startswith(provider))


def _unknown(spec: str) -> str:
    guess = None if holds_key(spec) else _meant(spec)
    fix = f"Did you mean {_shown(guess)}?" if guess else f"A model is named as {FORMS}."
    return f"no model spec: {_shown(spec)}. {fix}"


def _meant(spec: str) -> str | None:
    """The spec that a misspelt one most likely stands for."""
    provider, _, rest = spec.partition(":")
    if any(character.isspace() for character in spec):
        return None
    if re.match(r"(?:localhost|[\w.-]+\.[a-z]{2,}|\d+(?:\.\d+){3}):\d+(?:/|$)", spec):
        return f"http://{spec}"
    if re.fullmatch(r"[^:/]+:(?:e?[\d.x]+b\b.*|latest)", spec.lower()):
        return f"ollama:{spec}"
    for start, vendor in _VENDORS:
        if spec.lower().startswith(start):
            return f"{vendor}:{spec}"
    for known in _PROVIDERS:
        if spec.lower().startswith(f"{known}/"):
            return _filled(known, spec[len(known) + 1 :])
    cloud = re.split("[:/]", spec.lower(), maxsplit=1)[0]
    if _CLOUDS.fullmatch(cloud):
        return f"litellm:{cloud}/{spec[len(cloud) + 1 :] or 'MODEL'}"
    near = difflib.get_close_matches(provider.lower(), _PROVIDERS, n=1, cutoff=0.7)
    if near:
        return _filled(near[0], rest)
    return f"vllm:{spec}@http://HOST:PORT/v1" if "/" in spec else None


def _filled(provider: str, model: str) -> str:
    needs_url = provider == "vllm" and "@" not in model
    return f"{provider}:{model or 'MODEL'}" + ("@http://HOST:PORT/v1" if needs_url else "")


def _shown(text: str) -> str:
    """Foreign text in quotes, short, and without what looks like a key or a password in an address."""
    return f"'{printable(without_credentials(text), most=120)}'"
