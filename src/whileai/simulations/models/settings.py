"""`configure` and `context`: which model plays which role when a call names none."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from whileai.simulations.arguments import seconds
from whileai.simulations.errors import meant
from whileai.simulations.models.chat import ChatModel
from whileai.simulations.models.limits import Budget, RateLimit
from whileai.simulations.models.named import NamedModel
from whileai.simulations.models.secret import Secret, secret
from whileai.simulations.models.spec import FORMS, ModelSpec, parse_spec
from whileai.simulations.signature import public

_VARIABLES = {"agent": "WHILEAI_AGENT", "judge": "WHILEAI_JUDGE", "simulator": "WHILEAI_SURROGATE"}
_UNSET: Any = object()


@dataclass(frozen=True)
class _Layer:
    """What one `configure` or `context` sets: models by role, and a key with the server that it is for (None: open)."""

    models: dict[str, Any] = field(default_factory=dict)
    key: Secret | None = None
    server: str | None = None


_PROCESS: list[_Layer] = [_Layer()]
_CONTEXT: ContextVar[tuple[_Layer, ...]] = ContextVar("whileai_models", default=())


@public
def configure(
    *, agent: Any = _UNSET, judge: Any = _UNSET, simulator: Any = _UNSET, api_key: str | None = _UNSET
) -> None:
    """Set the model of a role, and the key of its server, for this process; None takes a setting back.

    A model is a spec such as `openai:gpt-4o` or an object such as `OpenAI("gpt-4o")`. A misspelt spec is a
    `ValueError` here, not at the first row. The key goes to one server and to no other: that of the models set with it,
    else of those set before it, else of the first set after it; without any of these it goes to the models named by
    the environment, or, where there are none, by a call. Models on several servers beside one key are a `ValueError`.

    >>> configure(judge="ollama:qwen3:8b")
    >>> open_model(None).spec
    'ollama:qwen3:8b'
    >>> configure(judge=None)
    """
    given = _checked(agent=agent, judge=judge, simulator=simulator, api_key=api_key)
    _PROCESS[0] = _changed(_PROCESS[0], given, {})


@public
@contextlib.contextmanager
def context(
    *, agent: Any = _UNSET, judge: Any = _UNSET, simulator: Any = _UNSET, api_key: str | None = _UNSET
) -> Iterator[None]:
    """As `configure`, for a `with` block; threads begun inside start from `configure` alone.

    >>> with context(judge="ollama:qwen3:8b"):
    ...     open_model(None).model
    'qwen3:8b'
    """
    given = _checked(agent=agent, judge=judge, simulator=simulator, api_key=api_key)
    given = {name: value for name, value in given.items() if value is not None}
    token = _CONTEXT.set((*_CONTEXT.get(), _changed(_Layer(), given, _models())))
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
    `configure` or `context` goes along only to the server that it was set for. `timeout` is in seconds for one try.

    >>> open_model("opnai:gpt-4o")
    Traceback (most recent call last):
    ValueError: no model spec: 'opnai:gpt-4o'. Did you mean 'openai:gpt-4o'?
    """
    if purpose not in _VARIABLES:
        raise ValueError(f"purpose must be one of {', '.join(_VARIABLES)}, got {purpose!r}{meant(purpose, _VARIABLES)}")
    if timeout is not None:
        timeout = seconds("timeout", timeout)
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


def _layers() -> tuple[_Layer, ...]:
    """What is set here and now, the nearest last."""
    return (_PROCESS[0], *_CONTEXT.get())


def _models() -> dict[str, Any]:
    """The model of each role; the nearest setting counts."""
    return {role: model for layer in _layers() for role, model in layer.models.items()}


def _default(purpose: str) -> Any:
    """The model set for a purpose."""
    model = _models().get(purpose) or os.environ.get(_VARIABLES[purpose], "").strip()
    if not model:
        raise ValueError(
            f"no model named for the {purpose}: give a spec ({FORMS}), "
            f"call configure({purpose}=...), or set {_VARIABLES[purpose]}"
        )
    return model


def _changed(layer: _Layer, given: dict[str, Any], outer: dict[str, Any]) -> _Layer:
    """The layer with what was given; a key that is for no server yet is now for that of the models given, or set."""
    new = {role: value for role, value in given.items() if role != "api_key"}
    models = {role: model for role, model in {**layer.models, **new}.items() if model is not None}
    key, server = (given["api_key"], None) if "api_key" in given else (layer.key, layer.server)
    if key is not None and server is None:
        servers = _servers(new.values()) or _servers({**outer, **models}.values())
        if len(servers) > 1:
            raise ValueError(
                f"one api_key, but models on {len(servers)} servers ({', '.join(sorted(servers))}): give each key with "
                "its model, such as OpenAI('gpt-4o', api_key=...)"
            )
        server = next(iter(servers), None)
    return _Layer(models, key, server)


def _set_key(spec: ModelSpec) -> Secret | None:
    """The nearest key that is set for the server of this model."""
    asked = _server(spec)
    for layer in reversed(_layers()):
        servers = {layer.server} if layer.server else _servers(_models().values()) or _servers(_in_environment())
        if layer.key is not None and (not servers or servers == {asked}):
            return layer.key
    return None


def _in_environment() -> Iterator[str]:
    """The specs in the variables of the roles, less those that name no model."""
    for variable in _VARIABLES.values():
        if text := os.environ.get(variable, "").strip():
            with contextlib.suppress(ValueError):
                yield str(parse_spec(text))


def _servers(models: Iterable[Any]) -> set[str]:
    """The servers of models that are named by a spec and have no key of their own."""
    specs = [model.spec if isinstance(model, NamedModel) and not model.key else model for model in models]
    return {_server(parse_spec(spec)) for spec in specs if isinstance(spec, str)}


def _server(spec: ModelSpec) -> str:
    """The origin of a model's URL, else its provider."""
    parts = urlsplit(spec.url or "")
    return f"{parts.scheme}://{parts.netloc}".lower() if spec.url else spec.provider


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
