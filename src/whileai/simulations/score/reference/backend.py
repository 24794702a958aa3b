"""The reference model: which server scores a prompt, and the two requests a turn takes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from whileai.simulations.models import open_model
from whileai.simulations.models.secret import secret
from whileai.simulations.models.spec import ModelSpec, parse_spec
from whileai.simulations.reports import printable
from whileai.simulations.rows.values import as_text
from whileai.simulations.score.reference.spans import turn_logprobs

Body = dict[str, Any]
Transport = Callable[[Body], Any]

_PASSWORD = re.compile(r"//[^/@\s]*+@")
_KINDS = ("vllm", "openai", "ollama")
_FORMS = "vllm:<model>@<base_url>; openai:<model> and ollama:<model> (http://localhost:11434/v1) also work"


def reference_spec(ref: Any) -> ModelSpec:
    """The server and the model that `ref` names; a `ValueError` that lists the forms when it is none of them.

    >>> reference_spec("vllm:Qwen/Qwen3-4B@gpu-1.lan/v1").url
    'https://gpu-1.lan/v1'
    """
    text = getattr(ref, "spec", ref)
    kind, colon, rest = text.partition(":") if isinstance(text, str) else ("", "", "")
    if not colon or kind not in _KINDS:
        raise ValueError(f"no reference model: {_quoted(text)}. Name it as {_FORMS}")
    if kind == "vllm":
        model, _, base = rest.partition("@")
        if not model or not base:
            raise ValueError(f"{_quoted(text)} lacks the model or the URL of its server: name it as {_FORMS}")
        base = base if re.match(r"https?://", base, re.IGNORECASE) else f"https://{base}"
        text = f"vllm:{model}@{base}"
    return parse_spec(text)


def _quoted(text: Any) -> str:
    """Foreign text in quotes, without the password of an address in it."""
    return f"'{printable(_PASSWORD.sub('//[hidden]@', as_text(text)), most=120)}'"


class Reference:
    """A reference model, asked over HTTP or through the caller's `transport`."""

    def __init__(
        self,
        ref: Any,
        *,
        api_key: str | None = None,
        timeout: float = 600.0,
        chat_template_kwargs: Mapping[str, Any] | None = None,
        transport: Transport | None = None,
    ) -> None:
        spec = reference_spec(ref)
        self.model = spec.model
        self._key = secret(api_key if api_key is not None else getattr(ref, "key", None))  # held: no error shows it
        self._extra = {"chat_template_kwargs": dict(chat_template_kwargs)} if chat_template_kwargs else {}
        if transport is None:
            transport = open_model(str(spec), api_key=self._key, timeout=timeout).complete
        self._send: Transport = transport

    def turn(self, messages: Sequence[Any], place: int, tools: Sequence[Any]) -> list[float]:
        """The logprob of each token of the turn at a place of a conversation in wire form."""
        probe = self._send(self._body(messages[:place], tools, add_generation_prompt=True))
        scored = self._send(
            self._body(
                messages[: place + 1], tools, add_generation_prompt=False, prompt_logprobs=1, return_token_ids=True
            )
        )
        return turn_logprobs(probe, scored)

    def _body(self, messages: Sequence[Any], tools: Sequence[Any], **asked: Any) -> Body:
        body = {"model": self.model, "max_tokens": 1, "temperature": 0, "messages": list(messages), **asked}
        if tools:
            body |= {"tools": list(tools), "tool_choice": "none"}
        return body | self._extra
