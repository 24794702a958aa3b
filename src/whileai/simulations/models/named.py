"""Models as objects: `OpenAI("gpt-4o")` for those who prefer a class to the text `openai:gpt-4o`."""

from __future__ import annotations

from typing import NoReturn

from whileai.simulations.models.providers import PROVIDERS
from whileai.simulations.models.secret import Secret, secret
from whileai.simulations.models.spec import checked_url, outside_message, parse_spec


class NamedModel:
    """A model by its spec, with a key of its own or None; equal to another of the same spec and key.

    It prints the variable that its key is read from, never the key.
    """

    def __init__(self, spec: str, api_key: str | Secret | None = None) -> None:
        parsed = parse_spec(spec)
        self.spec = str(parsed)
        self.model = parsed.model
        self.key = secret(api_key)
        self._variables = PROVIDERS[parsed.provider].variables

    def __repr__(self) -> str:
        source = "as given" if self.key else f"from {' or '.join(self._variables)}" if self._variables else "none"
        return f"{type(self).__name__}({self.spec!r}, key {source})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NamedModel):
            return NotImplemented
        return (self.spec, _text(self.key)) == (other.spec, _text(other.key))

    def __hash__(self) -> int:
        return hash(self.spec)


class OpenAI(NamedModel):
    """A model of OpenAI, or of the server that `OPENAI_BASE_URL` names.

    >>> OpenAI("gpt-4o")
    OpenAI('openai:gpt-4o', key from OPENAI_API_KEY)
    """

    def __init__(self, model: str = "", *, api_key: str | Secret | None = None) -> None:
        super().__init__(f"openai:{model}", api_key)


class Anthropic(NamedModel):
    """A model of Anthropic.

    >>> Anthropic("claude-sonnet-4-5").spec
    'anthropic:claude-sonnet-4-5'
    """

    def __init__(self, model: str = "", *, api_key: str | Secret | None = None) -> None:
        super().__init__(f"anthropic:{model}", api_key)


class Fireworks(NamedModel):
    """A model of Fireworks.

    >>> Fireworks("qwen3-8b").model
    'qwen3-8b'
    """

    def __init__(self, model: str, *, api_key: str | Secret | None = None) -> None:
        super().__init__(f"fireworks:{model}", api_key)


class Ollama(NamedModel):
    """A model of the Ollama server on this machine, or of the one at `url`.

    >>> Ollama("qwen3:8b").spec
    'ollama:qwen3:8b'
    """

    def __init__(self, model: str = "", *, url: str | None = None, api_key: str | Secret | None = None) -> None:
        super().__init__(f"ollama:{model}" + (f"@{url}" if url else ""), api_key)


class Endpoint(NamedModel):
    """A model of any server that speaks OpenAI's chat completions, such as vLLM; a `ValueError` without its `url`.

    >>> Endpoint("Qwen/Qwen3-4B", url="http://gpu-1:8000/v1").spec
    'vllm:Qwen/Qwen3-4B@http://gpu-1:8000/v1'
    """

    def __init__(self, model: str, url: str | None = None, *, api_key: str | Secret | None = None) -> None:
        if not url:
            raise ValueError("Endpoint needs the url of its server, such as url='http://HOST:PORT/v1'")
        super().__init__(f"vllm:{model}@{checked_url(url)}", api_key)


class Bedrock(NamedModel):
    """A model of Amazon Bedrock, in `region` or in that of `AWS_REGION`.

    >>> Bedrock("anthropic.claude-3-haiku", region="us-east-1").spec
    'bedrock:anthropic.claude-3-haiku@us-east-1'
    """

    def __init__(self, model: str, *, region: str | None = None, api_key: str | Secret | None = None) -> None:
        super().__init__(f"bedrock:{model}" + (f"@{region}" if region else ""), api_key)


class Hosted:
    """The hosted default of a service outside this project: making one is a `ValueError` that says what to do.

    >>> try:
    ...     Hosted()
    ... except ValueError as told:
    ...     print("openai:" in str(told) or "vllm:" in str(told))
    True
    """

    def __init__(self, *args: object, **kwargs: object) -> NoReturn:
        raise ValueError(outside_message("Hosted()"))


def _text(key: Secret | None) -> str | None:
    return key.reveal() if key else None
