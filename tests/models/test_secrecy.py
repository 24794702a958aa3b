"""A key is sent to the one server that it is for, and shown nowhere."""

from __future__ import annotations

import copy
import json
import logging
import pickle
import traceback
from typing import Any

import pytest

from models.server import FaultyServer
from whileai.simulations import models
from whileai.simulations.models import ChatModel, Endpoint, ModelError, OpenAI, exchange
from whileai.simulations.models.providers import wire_of
from whileai.simulations.models.secret import Secret
from whileai.simulations.models.spec import parse_spec

KEY = "sk-proj-0123456789abcdef"
ASK = [{"role": "user", "content": "Well?"}]


def everything_shown(error: BaseException) -> str:
    """What any printer of errors may show, the values of local variables and all causes included."""
    told = traceback.TracebackException.from_exception(error, capture_locals=True)
    told.__suppress_context__ = False
    chain, seen = error, [repr(error), str(error), str(vars(error))]
    while (following := chain.__cause__ or chain.__context__) is not None:
        chain = following
        seen += [repr(chain), str(vars(chain))]
    return "".join([*told.format(), *seen])


@pytest.mark.parametrize("provider", ["vllm", "anthropic"])
@pytest.mark.parametrize(
    "fault",
    [
        (401, "Incorrect API key provided: {key}"),
        (400, "header was {key}"),
        "500",
        "429",
        "hang up",
        "cut body",
        "redirect",
        "no json",
        "no choices",
        "silent",
    ],
)
def test_no_error_and_no_log_shows_the_key(
    provider: str, fault: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in ("openai", "anthropic", "httpx", "httpx2", "httpcore", "httpcore2", "asyncio"):
        caplog.set_level(logging.DEBUG, logger=name)
    monkeypatch.setattr(exchange, "BACKOFF", 0.01)
    with FaultyServer(faults=[fault] * 4) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        spec = "anthropic:m" if provider == "anthropic" else f"vllm:m@{server.url}/v1"
        model = ChatModel(spec, api_key=KEY, timeout=0.1 if fault == "silent" else 5)
        with pytest.raises(ModelError) as caught:
            model.ask(ASK, max_tokens=5)
        assert KEY in str(server.posts[0].headers)
    shown = everything_shown(caught.value) + caplog.text + repr(model) + str(vars(model))
    logged = "".join(str(vars(record)) for record in caplog.records)
    assert caplog.records
    assert KEY not in shown + logged


@pytest.mark.parametrize("provider", ["vllm", "anthropic"])
@pytest.mark.parametrize("written", [
    lambda key: key, lambda key: f"Bearer {key}", lambda key: key.upper(), lambda key: "\u200b".join(key),
])  # fmt: skip
def test_no_reply_shows_the_key(provider: str, written: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with FaultyServer(reply=f"auth was {written(KEY)}", reply_fields={"note": {KEY: [KEY]}}) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        model = ChatModel("anthropic:m" if provider == "anthropic" else f"vllm:m@{server.url}/v1", api_key=KEY)
        assert model.ask(ASK, max_tokens=5).removeprefix("auth was ") in ("[key]", "Bearer [key]")
        body = {"messages": ASK, "max_tokens": 5}
        assert model.complete(body)["note"] == {"[key]": ["[key]"]}


@pytest.mark.parametrize("fault", [(401, "bad key \u200b{key}"), "redirect to the key"])
def test_no_refusal_shows_the_key_that_was_sent_back(fault: Any) -> None:
    with FaultyServer(faults=[fault]) as server, pytest.raises(ModelError) as caught:
        ChatModel(f"vllm:m@{server.url}/v1", api_key=KEY).ask(ASK, max_tokens=5)
    assert "[key]" in str(caught.value)
    assert KEY not in everything_shown(caught.value)


def test_a_key_that_is_a_word_leaves_replies_alone() -> None:
    with FaultyServer(reply='{"score": 1, "reason": "none"}') as server:
        assert ChatModel(f"vllm:m@{server.url}/v1", api_key="none").ask(ASK, max_tokens=5) == server.reply


def test_no_vendors_error_hangs_on_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    with FaultyServer(faults=["401"]) as server, pytest.raises(ModelError) as caught:
        ChatModel(f"vllm:m@{server.url}", api_key=KEY).ask(ASK, max_tokens=5)
    assert (caught.value.__cause__, caught.value.__context__) == (None, None)


@pytest.mark.parametrize(
    "holder",
    [
        ChatModel("openai:m", api_key=KEY),
        OpenAI("m", api_key=KEY),
        Endpoint("m", url="http://127.0.0.1:1", api_key=KEY),
        {"judge": OpenAI("m", api_key=KEY)},
    ],
    ids=lambda holder: type(holder).__name__,
)
def test_nothing_that_holds_a_key_prints_or_writes_it(holder: Any) -> None:
    printed = [repr(holder), str(holder), f"{holder}", json.dumps(holder, default=lambda held: str(vars(held)))]
    assert KEY not in "".join(printed)


def test_a_key_is_copied_as_itself_and_never_pickled() -> None:
    key = Secret(KEY)
    assert f"{key} {key!r} {[key]}" == "[key] [key] [[key]]"
    assert copy.copy(key) is copy.deepcopy(key) is key
    for holder in (key, OpenAI("m", api_key=key), ChatModel("openai:m", api_key=key)):
        with pytest.raises(TypeError, match="not pickled"):
            pickle.dumps(holder)


def test_a_model_without_a_key_of_its_own_is_pickled_by_its_spec() -> None:
    copied = pickle.loads(pickle.dumps(ChatModel("ollama:m", timeout=3)))
    assert (copied.spec, copied._limits.timeout) == ("ollama:m", 3)
    with pytest.raises(TypeError, match="a rate or a budget"):
        pickle.dumps(ChatModel("ollama:m", budget=models.Budget(requests=1)))


def test_a_named_model_prints_the_variable_of_its_key() -> None:
    assert repr(OpenAI("gpt-4o")) == "OpenAI('openai:gpt-4o', key from OPENAI_API_KEY)"
    assert repr(OpenAI("gpt-4o", api_key=KEY)) == "OpenAI('openai:gpt-4o', key as given)"


@pytest.mark.parametrize(
    "spec",
    [KEY, f"openai/{KEY}", f"http://user:{KEY}@host/v1", f"vllm:m@https://{KEY}@host", f"https://h/v1?key={KEY}"],
)
def test_a_key_in_the_wrong_place_is_not_repeated_in_the_refusal(spec: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        models.open_model(spec)
    assert KEY not in str(caught.value)


def test_a_key_that_no_header_can_hold_is_refused_without_being_shown() -> None:
    with pytest.raises(ValueError, match="characters that no key has") as caught:
        ChatModel("openai:m", api_key=f"{KEY}\nX-Other: 1")
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("provider", "variable"),
    [
        ("openai:m", "OPENAI_API_KEY"),
        ("anthropic:m", "ANTHROPIC_API_KEY"),
        ("fireworks:m", "FIREWORKS_API_KEY"),
        ("vllm:m@https://host.invalid/v1", "VLLM_API_KEY"),
        ("https://host.invalid/v1", "VLLM_API_KEY"),
    ],
)
def test_without_a_key_nothing_is_sent_and_the_variable_named(
    provider: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "VLLM_API_KEY", "ANTHROPIC_API_KEY", "WHILEAI_ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, "")
    monkeypatch.delenv("FIREWORKS_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("ANTHROPIC_BASE_URL", raising=False)
    with pytest.raises(ModelError, match=f"nothing was sent: set .*{variable}"):
        ChatModel(provider).ask(ASK, max_tokens=5)


def test_the_order_of_the_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    with FaultyServer() as server:
        ChatModel(f"vllm:m@{server.url}").ask(ASK, max_tokens=5)
        monkeypatch.setenv("VLLM_API_KEY", "sk-vllm")
        ChatModel(f"vllm:m@{server.url}").ask(ASK, max_tokens=5)
        ChatModel(f"vllm:m@{server.url}", api_key="sk-given").ask(ASK, max_tokens=5)
        ChatModel(f"ollama:m@{server.url}").ask(ASK, max_tokens=5)
    sent = [request.headers.get("authorization") for request in server.posts]
    assert sent == ["Bearer sk-openai", "Bearer sk-vllm", "Bearer sk-given", None]


def test_a_key_of_openai_is_not_sent_in_clear_to_another_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    far = wire_of(parse_spec("vllm:m@http://gpu-1:8000/v1"), None, 5)
    near = wire_of(parse_spec("vllm:m@http://127.0.0.1:8000/v1"), None, 5)
    given = wire_of(parse_spec("vllm:m@http://gpu-1:8000/v1"), Secret("sk-given"), 5)
    assert (far.target.key is None, near.target.key is None, given.target.key is None) == (True, False, False)
