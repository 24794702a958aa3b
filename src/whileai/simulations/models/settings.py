"""`configure` and `context`: which model plays which role when a call names none."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

from whileai.simulations.models.chat import ChatModel
from whileai.simulations.models.limits import Budget, RateLimit
from whileai.simulations.models.named import NamedModel
from whileai.simulations.models.secret import Secret, secret
from whileai.simulations.models.spec import FORMS, ModelSpec, parse_spec

_VARIABLES = {"agent": "WHILEAI_AGENT", "judge": "WHILEAI_JUDGE", "simulator": "WHILEAI_SURROGATE"}
_UNSET: Any = object()
_CONFIGURED: dict[str, Any] = {}
_CONTEXT: ContextVar[dict[str, Any]] = ContextVar("whileai_models", default={})  # noqa: B039


def configure(
    *, agent: Any = _UNSET, judge: Any = _UNSET, simulator: Any = _UNSET, api_key: str | None = _UNSET
) -> None:
    """Set the model of a role, and the key of their servers, for this process; None takes a setting back.

    A model is a spec such as `openai:gpt-4o` or an object such as `OpenAI("gpt-4o")`. A misspelt spec is a
    `ValueError` here, not at the first row.

    >>> configure(judge="ollama:qwen3:8b")
    >>> open_model(None).spec
    'ollama:qwen3:8b'
    >>> configure(judge=None)
    """
    _CONFIGURED.update(_checked(agent=agent, judge=judge, simulator=simulator, api_key=api_key))


@contextlib.contextmanager
def context(
    *, agent: Any = _UNSET, judge: Any = _UNSET, simulator: Any = _UNSET, api_key: str | None = _UNSET
) -> Iterator[None]:
    """As `configure`, for a `with` block; threads begun inside start from `configure` alone.

    >>> with context(judge="ollama:qwen3:8b"):
    ...     open_model(None).model
    'qwen3:8b'
    """
    token = _CONTEXT.set({**_CONTEXT.get(), **_checked(agent=agent, judge=judge, simulator=simulator, api_key=api_key)})
    try:
        yield
    finally:
        _CONTEXT.reset(token)


def open_model(
    spec: Any = None,
    *,
    api_key: str | Secret | None = None,
    purpose: str = "judge",
    timeout: float | None = None,
    rate: RateLimit | None = None,
    budget: Budget | None = None,
) -> Any:
    """The `ChatModel` that a spec names: text, an object of this package, anything with an `ask` of its own as it is.

    Without one, the model set by `context`, by `configure`, or by the environment variable of the `purpose` (agent,
    judge, simulator) is opened; a `ValueError` when there is none, since nothing is asked by default. A key set by
    `configure` or `context` goes to the servers of the models set there, or to any when none is set. `timeout` is in
    seconds for one try.

    >>> open_model("opnai:gpt-4o")
    Traceback (most recent call last):
    ValueError: no model spec: 'opnai:gpt-4o'. Did you mean 'openai:gpt-4o'?
    """
    if purpose not in _VARIABLES:
        raise ValueError(f"purpose must be one of {', '.join(_VARIABLES)}, got {purpose!r}")
    if spec is None or spec == "":
        spec = _default(purpose)
    key = secret(api_key)
    if isinstance(spec, NamedModel):
        spec, key = spec.spec, key or spec.key
    if isinstance(spec, str):
        named = parse_spec(spec)
        return ChatModel(named, api_key=key or _set_key(named), timeout=timeout, rate=rate, budget=budget)
    if callable(getattr(spec, "ask", None)):
        return spec
    raise ValueError(f"a model is a spec ({FORMS}) or an object such as OpenAI('gpt-4o'), got {type(spec).__name__}")


def _settings() -> dict[str, Any]:
    """What is set here and now; the nearest setting counts."""
    return {**_CONFIGURED, **{role: value for role, value in _CONTEXT.get().items() if value is not None}}


def _default(purpose: str) -> Any:
    """The model set for a purpose."""
    model = _settings().get(purpose) or os.environ.get(_VARIABLES[purpose], "").strip()
    if not model:
        raise ValueError(
            f"no model named for the {purpose}: give a spec ({FORMS}), "
            f"call configure({purpose}=...), or set {_VARIABLES[purpose]}"
        )
    return model


def _set_key(spec: ModelSpec) -> Secret | None:
    """The key that is set, where this model may have it."""
    settings = _settings()
    key: Secret | None = settings.pop("api_key", None)
    specs = [model.spec if isinstance(model, NamedModel) else model for model in settings.values()]
    servers = {_server(parse_spec(text)) for text in specs if isinstance(text, str)}
    return key if not servers or _server(spec) in servers else None


def _server(spec: ModelSpec) -> str:
    return spec.url or spec.provider


def _checked(**settings: Any) -> dict[str, Any]:
    """The settings that were given, each of them usable."""
    given = {name: value for name, value in settings.items() if value is not _UNSET}
    for role, value in given.items():
        if role == "api_key":
            given[role] = secret(value)
        elif isinstance(value, str):
            parse_spec(value)
        elif value is not None and not isinstance(value, NamedModel) and not callable(value):
            open_model(value, purpose=role)
    return given
