"""Which model is opened when a call names one, or none."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import pytest

import whileai
from models.server import FaultyServer
from whileai.simulations import models
from whileai.simulations.models import ChatModel, Endpoint, OpenAI, configure, context, open_model

ASK = [{"role": "user", "content": "Well?"}]


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("WHILEAI_JUDGE", "WHILEAI_AGENT", "WHILEAI_SURROGATE", "OPENAI_API_KEY", "VLLM_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    yield
    configure(agent=None, judge=None, simulator=None, api_key=None)


@pytest.mark.parametrize("spec", [None, ""])
def test_nothing_is_asked_by_default(spec: str | None) -> None:
    with pytest.raises(ValueError, match=r"no model named for the judge.*openai:MODEL.*configure.*WHILEAI_JUDGE"):
        open_model(spec)


def test_the_nearest_setting_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHILEAI_JUDGE", "ollama:environment")
    opened = [open_model(None).model]
    configure(judge="ollama:configured")
    opened.append(open_model(None).model)
    with context(judge="ollama:context"):
        opened.append(open_model(None).model)
        with context(judge=OpenAI("inner")):
            opened += [open_model(None).model, open_model("ollama:call").model]
    opened.append(open_model("").model)
    assert opened == ["environment", "configured", "context", "inner", "call", "configured"]


@pytest.mark.parametrize(
    ("purpose", "variable"),
    [("judge", "WHILEAI_JUDGE"), ("agent", "WHILEAI_AGENT"), ("simulator", "WHILEAI_SURROGATE")],
)
def test_each_purpose_has_a_variable(purpose: str, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, "ollama:m")
    assert open_model(None, purpose=purpose).spec == "ollama:m"
    monkeypatch.setenv(variable, " ")
    with pytest.raises(ValueError, match=variable):
        open_model(None, purpose=purpose)


def test_an_unknown_purpose_is_refused() -> None:
    with pytest.raises(ValueError, match="agent, judge, simulator"):
        open_model("ollama:m", purpose="writer")


@pytest.mark.parametrize("setting", [{"judge": "gpt-4o"}, {"agent": "vllm:m"}, {"simulator": 5}])
def test_a_misspelt_setting_is_refused_at_once(setting: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"did you mean|needs the URL|a model is a spec|Did you mean"):
        configure(**setting)
    with pytest.raises(ValueError, match=r"."), context(**setting):
        pass


def test_a_context_is_this_threads_alone() -> None:
    seen: list[str] = []

    def look() -> None:
        try:
            seen.append(open_model(None).model)
        except ValueError:
            seen.append("none")

    with context(judge="ollama:mine"):
        other = threading.Thread(target=look)
        other.start()
        other.join()
        look()
    assert seen == ["none", "mine"]


def test_a_configured_key_goes_to_the_servers_of_the_configured_models() -> None:
    with FaultyServer() as server, FaultyServer() as other:
        configure(judge=f"vllm:m@{server.url}", api_key="sk-configured")
        open_model(None).ask(ASK, max_tokens=5)
        open_model(f"vllm:n@{server.url}").ask(ASK, max_tokens=5)
        open_model(None, api_key="sk-call").ask(ASK, max_tokens=5)
        open_model(f"vllm:m@{other.url}").ask(ASK, max_tokens=5)
        configure(judge=Endpoint("m", url=server.url, api_key="sk-own"))
        open_model(None).ask(ASK, max_tokens=5)
    sent = [request.headers.get("authorization") for request in server.posts]
    assert sent == ["Bearer sk-configured", "Bearer sk-configured", "Bearer sk-call", "Bearer sk-own"]
    assert [request.headers.get("authorization") for request in other.posts] == [None]


def test_a_key_configured_alone_goes_to_the_model_that_a_call_names() -> None:
    with FaultyServer() as server:
        configure(api_key="sk-configured")
        open_model(f"vllm:m@{server.url}").ask(ASK, max_tokens=5)
        with context(api_key="sk-context"):
            open_model(f"vllm:m@{server.url}").ask(ASK, max_tokens=5)
    sent = [request.headers.get("authorization") for request in server.posts]
    assert sent == ["Bearer sk-configured", "Bearer sk-context"]


def test_an_object_that_is_a_model_already_is_taken_as_it_is() -> None:
    class Fake:
        def ask(self, messages: list[dict[str, Any]], *, max_tokens: int, temperature: float = 0.0) -> str:
            return "fake"

    fake, model = Fake(), ChatModel("ollama:m")
    assert open_model(fake) is fake
    assert open_model(model) is model
    with pytest.raises(ValueError, match="got int"):
        open_model(5)


@pytest.mark.parametrize("timeout", [0, -1, "1", True, float("nan")])
def test_a_timeout_is_a_number_of_seconds(timeout: Any) -> None:
    with pytest.raises(ValueError, match="timeout must be a number of seconds above 0"):
        open_model("ollama:m", timeout=timeout)


@pytest.mark.parametrize(
    ("made", "spec"),
    [
        (models.OpenAI("gpt-4o"), "openai:gpt-4o"),
        (models.OpenAI(), "openai:gpt-4o-mini"),
        (models.Anthropic("claude-x"), "anthropic:claude-x"),
        (models.Fireworks("accounts/a/models/m"), "fireworks:accounts/a/models/m"),
        (models.Ollama("qwen3:8b"), "ollama:qwen3:8b"),
        (models.Ollama("qwen3:8b", url="http://h:1"), "ollama:qwen3:8b@http://h:1"),
        (models.Endpoint("m", url="http://h:1/v1"), "vllm:m@http://h:1/v1"),
        (models.Bedrock("m", region="us-east-1"), "bedrock:m@us-east-1"),
    ],
)
def test_models_as_objects(made: Any, spec: str) -> None:
    assert made.spec == spec
    assert open_model(made).spec == spec


def test_models_of_one_spec_and_key_are_equal() -> None:
    assert OpenAI("m") == OpenAI("m") != OpenAI("n")
    assert OpenAI("m", api_key="a") != OpenAI("m", api_key="b")
    assert len({OpenAI("m"), OpenAI("m")}) == 1


def test_what_cannot_be_reached_says_so() -> None:
    with pytest.raises(ValueError, match="outside this project"):
        models.Hosted()
    with pytest.raises(ValueError, match="Endpoint needs the url"):
        models.Endpoint("m")


def test_a_region_comes_from_the_spec_or_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_REGION", raising=False)
    monkeypatch.delenv("AWS_DEFAULT_REGION", raising=False)
    with pytest.raises(ValueError, match="set AWS_REGION"):
        open_model("bedrock:m")
    monkeypatch.setenv("AWS_REGION", "eu-west-1")
    assert open_model("bedrock:m").spec == "bedrock:m"


@pytest.mark.parametrize(
    "name", ["Anthropic", "Endpoint", "Fireworks", "Hosted", "Ollama", "OpenAI", "configure", "context"]
)
def test_the_names_are_reachable_from_the_top(name: str) -> None:
    assert getattr(whileai, name) is getattr(models, name)
    assert whileai.models is models
    assert name in dir(whileai)


HERE, THERE = "http://127.0.0.1:1001/v1", "http://127.0.0.1:1002/v1"
A, A2, B = f"vllm:m@{HERE}", f"vllm:n@{HERE.upper().replace('V1', 'v1')}", f"vllm:m@{THERE}"
OAI = "openai:gpt-4o"
KEYED: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]], str, Any, str | None]] = {
    # calls of configure, contexts from the outermost, WHILEAI_JUDGE, the spec of the call, the key that goes along
    "its own server": ([{"judge": A, "api_key": "k1"}], [], "", None, "k1"),
    "the same server, another model": ([{"judge": A, "api_key": "k1"}], [], "", A2, "k1"),
    "another server of a call": ([{"judge": A, "api_key": "k1"}], [], "", B, None),
    "another server of a context": ([{"judge": OAI, "api_key": "k1"}], [{"judge": B}], "", None, None),
    "the server of the outer setting, named by a call": ([{"judge": A, "api_key": "k1"}], [{"judge": B}], "", A, "k1"),
    "a key for each": ([{"judge": A, "api_key": "k1"}], [{"judge": B, "api_key": "k2"}], "", None, "k2"),
    "a key for each, the outer one": ([{"judge": A, "api_key": "k1"}], [{"judge": B, "api_key": "k2"}], "", A, "k1"),
    "a nearer key alone": ([{"judge": A, "api_key": "k1"}], [{"api_key": "k2"}], "", None, "k2"),
    "a nearer key alone, another server": ([{"judge": A, "api_key": "k1"}], [{"api_key": "k2"}], "", B, None),
    "a key before its model": ([{"api_key": "k1"}, {"judge": A}], [], "", None, "k1"),
    "a key before its model, another server": ([{"api_key": "k1"}, {"judge": A}], [], "", B, None),
    "a key after its model": ([{"judge": A}, {"api_key": "k1"}], [], "", None, "k1"),
    "a later model elsewhere": ([{"judge": A, "api_key": "k1"}, {"judge": B}], [], "", None, None),
    "a model taken back": ([{"judge": A, "api_key": "k1"}, {"judge": None}], [], "", B, None),
    "a key taken back": ([{"judge": A, "api_key": "k1"}, {"api_key": None}], [], "", None, None),
    "alone, any model of a call": ([{"judge": None, "api_key": "k1"}], [], "", B, "k1"),
    "alone, the environment's model": ([{"judge": None, "api_key": "k1"}], [], A, None, "k1"),
    "alone, another than the environment's": ([{"judge": None, "api_key": "k1"}], [], OAI, B, None),
    "alone, then a context": ([{"api_key": "k1"}], [{"judge": A}], "", None, "k1"),
    "alone, then a context, another server": ([{"api_key": "k1"}], [{"judge": A}], "", B, None),
    "beside a model with its own": ([{"agent": Endpoint("m", url=HERE, api_key="k0"), "judge": OAI, "api_key": "k1"}],
                                    [], "", A, None),
    "the own key of a model": ([{"judge": Endpoint("m", url=HERE, api_key="k0"), "api_key": "k1"}], [], "", None, "k0"),
}  # fmt: skip


@pytest.mark.parametrize(("calls", "contexts", "variable", "spec", "key"), KEYED.values(), ids=KEYED)
def test_a_key_goes_to_the_server_it_was_set_for(
    calls: list[dict[str, Any]],
    contexts: list[dict[str, Any]],
    variable: str,
    spec: Any,
    key: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WHILEAI_JUDGE", variable)
    with contextlib.ExitStack() as entered:
        for call in calls:
            configure(**call)
        for setting in contexts:
            entered.enter_context(context(**setting))
        opened = open_model(spec)
    assert (opened._key.reveal() if opened._key else None) == key


@pytest.mark.parametrize(("first", "second"), [
    ({}, {"agent": A, "judge": OAI, "api_key": "k1"}), ({"agent": A, "judge": OAI}, {"api_key": "k1"}),
])  # fmt: skip
def test_one_key_for_two_servers_is_refused(first: dict[str, Any], second: dict[str, Any]) -> None:
    configure(**first)
    with pytest.raises(ValueError, match=r"one api_key, but models on 2 servers \(http://127.0.0.1:1001, openai\)"):
        configure(**second)
    assert open_model(B)._key is None
