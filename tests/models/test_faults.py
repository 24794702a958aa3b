"""What is done about a server that misbehaves, over real HTTP on loopback."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from models.server import FAULTS, FaultyServer, waited_for
from whileai.simulations.models import Budget, ChatModel, ModelError, RateLimit, exchange
from whileai.simulations.models.wires import client

ASK: list[dict[str, Any]] = [{"role": "system", "content": "Judge."}, {"role": "user", "content": "Well?"}]
PROVIDERS = ("vllm", "anthropic")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "BACKOFF", 0.01)
    for name in ("OPENAI_API_KEY", "VLLM_API_KEY", "ANTHROPIC_API_KEY", "WHILEAI_ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(params=PROVIDERS)
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def model_at(server: FaultyServer, provider: str, monkeypatch: pytest.MonkeyPatch, **kwargs: Any) -> ChatModel:
    if provider == "anthropic":
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        return ChatModel("anthropic:test-model", **kwargs)
    return ChatModel(f"vllm:test-model@{server.url}/v1", **kwargs)


def each_in_turn(faults: Iterable[str], provider: str, monkeypatch: pytest.MonkeyPatch, times: int) -> list[Any]:
    """(fault, the reply or the error, requests) of one model whose every request meets a fault that many times."""
    met: list[Any] = []
    script: list[str | None] = []
    with FaultyServer("fine", lambda number, _: script[number]) as server:
        model = model_at(server, provider, monkeypatch)
        for fault in faults:
            before = len(server.requests)
            script[before:] = [*[fault] * times, *[None] * 9]
            try:
                reply: Any = model.ask(ASK, max_tokens=5)
            except ModelError as error:
                reply = error
            met.append((fault, reply, len(server.requests) - before))
    return met


def test_a_passing_fault_costs_another_try_and_no_reply(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    faults = ("429", "500", "502", "503", "504", "hang up", "reset", "cut body", "cut chunk")
    assert each_in_turn(faults, provider, monkeypatch, 3) == [(fault, "fine", 4) for fault in faults]


def test_a_fault_that_stays_is_an_error_after_four_tries(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = {
        "500": "answered 500: scripted 500",
        "429": "answered 429: slow down",
        "hang up": "no connection",
        "cut body": "no connection",
        "no json": "no JSON object",
        "empty": "no JSON object",
    }
    met = each_in_turn(words, provider, monkeypatch, 9)
    assert [(fault, sent) for fault, _, sent in met] == [(fault, 4) for fault in words]
    assert [str(error) for fault, error, _ in met if words[fault] not in str(error)] == []


def test_a_refusal_is_not_asked_twice(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    refusals = ("400", "401", "403", "404", "405", "413", "422")
    met = each_in_turn(refusals, provider, monkeypatch, 9)
    assert [(error.status, sent) for _, error, sent in met] == [(int(status), 1) for status in refusals]
    assert [str(error) for status, error, _ in met if status not in str(error)] == []


@pytest.mark.parametrize("fault", ["silent", "drip"])
def test_a_server_that_does_not_come_to_an_end_is_given_up_in_time(
    fault: str, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FaultyServer(faults=[fault] * 9) as server:
        begun = time.monotonic()
        with pytest.raises(ModelError, match=r"no answer within the time of 0\.1 s"):
            model_at(server, provider, monkeypatch, timeout=0.1).ask(ASK, max_tokens=5)
        assert time.monotonic() - begun < 4 * 0.1 + 1.5
        assert waited_for(lambda: len(server.requests) == 4)  # a busy server meets the last when it is given up


def test_the_wait_a_server_asks_for_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    with FaultyServer("fine", ["429"], retry_after="0.4") as server:
        begun = time.monotonic()
        assert model_at(server, "vllm", monkeypatch).ask(ASK, max_tokens=5) == "fine"
        assert time.monotonic() - begun >= 0.4


def test_a_wait_of_an_hour_is_not_waited(monkeypatch: pytest.MonkeyPatch) -> None:
    with FaultyServer(faults=["429"] * 9, retry_after="3600") as server:
        with pytest.raises(ModelError, match="429"):
            model_at(server, "vllm", monkeypatch).ask(ASK, max_tokens=5)
        assert len(server.requests) == 1


def test_a_key_follows_no_redirect(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with FaultyServer() as other, FaultyServer(faults=["redirect"] * 9, elsewhere=other.url) as server:
        with pytest.raises(ModelError, match=f"307.*redirect to {other.url.removeprefix('http://')} is not followed"):
            model_at(server, provider, monkeypatch, api_key="sk-secret").ask(ASK, max_tokens=5)
        assert (len(server.requests), other.requests) == (1, [])


def test_bytes_that_are_no_utf8_spoil_one_character(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with FaultyServer("a ", ["bad utf-8"]) as server:
        assert model_at(server, provider, monkeypatch).ask(ASK, max_tokens=5) == "a caf\ufffd"


@pytest.mark.parametrize(("provider", "words"), [("vllm", "without choices"), ("anthropic", "without content")])
def test_an_answer_without_a_reply_is_an_error(provider: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with FaultyServer(faults=["no choices"]) as server, pytest.raises(ModelError, match=words):
        model_at(server, provider, monkeypatch).ask(ASK, max_tokens=5)
    assert len(server.requests) == 1


def test_nobody_there_is_an_error_that_asks_whether_it_runs() -> None:
    with pytest.raises(ModelError, match="Is the server running"):
        ChatModel("vllm:m@http://127.0.0.1:1/v1").ask(ASK, max_tokens=5)


def test_a_reasoning_model_out_of_tokens_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    cut = {"choices": [{"finish_reason": "length", "message": {"content": ""}}]}
    with FaultyServer(reply_fields=cut) as server, pytest.raises(ModelError, match="raise max_tokens"):
        model_at(server, "vllm", monkeypatch).ask(ASK, max_tokens=5)


def test_an_empty_reply_is_an_empty_text(monkeypatch: pytest.MonkeyPatch) -> None:
    with FaultyServer("") as server:
        assert model_at(server, "vllm", monkeypatch).ask(ASK, max_tokens=5) == ""


class TestPickyServers:
    """400 that names a parameter: the request is changed to suit, and the change remembered where it must be."""

    def test_a_renamed_budget_is_sent_under_its_new_name_from_then_on(self, monkeypatch: pytest.MonkeyPatch) -> None:
        words = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
        with FaultyServer("fine", [(400, words)]) as server:
            model = model_at(server, "vllm", monkeypatch)
            assert [model.ask(ASK, max_tokens=50), model.ask(ASK, max_tokens=60)] == ["fine", "fine"]
            budgets = [
                (request.body.get("max_tokens"), request.body.get("max_completion_tokens")) for request in server.posts
            ]
        assert budgets == [(50, None), (None, 50), (None, 60)]

    def test_a_budget_too_large_is_halved_until_it_fits(self, provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
        def fault(number: int, body: dict[str, Any]) -> tuple[int, str] | None:
            return (400, "max_tokens is too large") if body["max_tokens"] > 100 else None

        with FaultyServer("fine", fault) as server:
            assert model_at(server, provider, monkeypatch).ask(ASK, max_tokens=400) == "fine"
            assert [request.body["max_tokens"] for request in server.posts] == [400, 200, 100]

    def test_a_budget_that_never_fits_is_an_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with FaultyServer(faults=lambda number, body: (400, "max_tokens is too large")) as server:
            with pytest.raises(ModelError, match="400"):
                model_at(server, "vllm", monkeypatch).ask(ASK, max_tokens=400)
            assert [request.body["max_tokens"] for request in server.posts] == [400, 200, 100, 50, 25]

    def test_a_refused_temperature_is_left_out_from_then_on(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with FaultyServer("fine", [(400, "Unsupported value: 'temperature' does not support 0")]) as server:
            model = model_at(server, "vllm", monkeypatch)
            assert [model.ask(ASK, max_tokens=5), model.ask(ASK, max_tokens=5)] == ["fine", "fine"]
            assert ["temperature" in request.body for request in server.posts] == [True, False, False]

    def test_a_parameter_named_late_in_long_words_is_still_found(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with FaultyServer("fine", [(400, "x" * 5000 + " max_tokens")]) as server:
            assert model_at(server, "vllm", monkeypatch).ask(ASK, max_tokens=50) == "fine"
            assert [request.body["max_tokens"] for request in server.posts] == [50, 25]

    def test_another_400_changes_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with FaultyServer(faults=[(400, "the temperature of this answer")]) as server:
            with pytest.raises(ModelError, match="400"):
                model_at(server, "vllm", monkeypatch).ask(ASK, max_tokens=5)
            assert len(server.posts) == 1


class TestLimits:
    def test_a_budget_counts_every_try_and_then_asks_no_more(self, monkeypatch: pytest.MonkeyPatch) -> None:
        budget = Budget(requests=3)
        with FaultyServer("fine", ["500"]) as server:
            model = model_at(server, "vllm", monkeypatch, budget=budget)
            assert [model.ask(ASK, max_tokens=5), model.ask(ASK, max_tokens=5)] == ["fine", "fine"]
            with pytest.raises(ModelError, match="budget of 3 requests is spent"):
                model.ask(ASK, max_tokens=5)
            assert len(server.posts) == 3

    def test_a_token_budget_holds_what_was_used_once_that_is_known(
        self, provider: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        budget = Budget(tokens=10_000)
        with FaultyServer("fine", ["500"]) as server:
            model_at(server, provider, monkeypatch, budget=budget).ask(ASK, max_tokens=500)
        assert (budget.requests_used, budget.tokens_used) == (2, 15)

    def test_threads_together_overdraw_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        budget = Budget(requests=20)
        with FaultyServer("fine") as server, ThreadPoolExecutor(8) as pool:
            model = model_at(server, "vllm", monkeypatch, budget=budget)

            def ask(_: int) -> bool:
                try:
                    return model.ask(ASK, max_tokens=5) == "fine"
                except ModelError:
                    return False

            assert sum(pool.map(ask, range(50))) == 20
            assert len(server.posts) == 20

    def test_a_rate_spaces_the_requests_of_all_threads(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with FaultyServer("fine") as server, ThreadPoolExecutor(8) as pool:
            model = model_at(server, "vllm", monkeypatch, rate=RateLimit(requests=60 * 20))
            begun = time.monotonic()
            list(pool.map(lambda _: model.ask(ASK, max_tokens=5), range(9)))
            assert time.monotonic() - begun >= 8 / 20


class TestWire:
    def test_a_request_of_chat_completions(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with FaultyServer("fine") as server:
            model_at(server, "vllm", monkeypatch, api_key="sk-1").ask(ASK, max_tokens=7)
        (request,) = server.requests
        assert request.path == "/v1/chat/completions"
        assert request.headers["authorization"] == "Bearer sk-1"
        assert request.body == {"model": "test-model", "messages": ASK, "max_tokens": 7, "temperature": 0}

    def test_a_request_of_messages(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with FaultyServer("fine") as server:
            model_at(server, "anthropic", monkeypatch, api_key="sk-1").ask(ASK, max_tokens=7)
        (request,) = server.requests
        assert request.path == "/v1/messages"
        sent = {request.headers.get("x-api-key"), request.headers.get("authorization")}  # by the client's version
        assert sent & {"sk-1", "Bearer sk-1"}
        assert request.body == {
            "model": "test-model",
            "system": "Judge.",
            "messages": ASK[1:],
            "max_tokens": 7,
            "temperature": 0,
        }

    def test_no_key_is_sent_where_there_is_none(self, provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
        with FaultyServer("fine") as server:
            assert model_at(server, provider, monkeypatch).ask(ASK, max_tokens=5) == "fine"
        assert not {"authorization", "x-api-key"} & set(server.requests[0].headers)

    def test_another_server_learns_nothing_of_an_account_at_openai(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("OPENAI_ORG_ID", "org-mine")
        monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-mine")
        monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Gateway: token-mine")
        with FaultyServer("fine") as server:
            assert model_at(server, "vllm", monkeypatch).ask(ASK, max_tokens=5) == "fine"
        assert "mine" not in str(server.requests[0].headers)

    @pytest.mark.parametrize(
        ("suffix", "path"),
        [
            ("", "/v1/chat/completions"),
            ("/", "/v1/chat/completions"),
            ("/v1/", "/v1/chat/completions"),
            ("/proxy", "/proxy/v1/chat/completions"),
            ("/api/chat/completions", "/api/chat/completions"),
        ],
    )
    def test_where_a_request_goes(self, suffix: str, path: str) -> None:
        with FaultyServer("fine") as server:
            ChatModel(f"vllm:m@{server.url}{suffix}").ask(ASK, max_tokens=5)
        assert server.requests[0].path == path

    def test_an_address_is_asked_once_for_its_first_model(self) -> None:
        with FaultyServer("fine") as server, ThreadPoolExecutor(4) as pool:
            model = ChatModel(f"{server.url}/v1")
            assert set(pool.map(lambda _: model.ask(ASK, max_tokens=5), range(8))) == {"fine"}
        assert [request.path for request in server.requests if request.method == "GET"] == ["/v1/models"]
        assert {request.body["model"] for request in server.posts} == {"test-model"}

    def test_a_lone_surrogate_is_sent_as_a_question_mark(self, provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
        with FaultyServer("fine") as server:
            model_at(server, provider, monkeypatch).ask([{"role": "user", "content": "a\ud800é"}], max_tokens=5)
        assert server.posts[0].body["messages"][0]["content"] == "a?é"

    def test_what_is_for_this_machine_goes_through_no_proxy(
        self, provider: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, "http://127.0.0.1:1")
        with FaultyServer("fine") as server:
            assert model_at(server, provider, monkeypatch).ask(ASK, max_tokens=5) == "fine"

    def test_a_whole_body_is_sent_and_answered_as_it_is(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with FaultyServer("fine", reply_fields={"prompt_logprobs": [None, {"7": {"logprob": -0.5}}]}) as server:
            body = {"messages": ASK, "max_tokens": 1, "prompt_logprobs": 0, "chat_template_kwargs": {"thinking": False}}
            answer = model_at(server, "vllm", monkeypatch).complete(body)
        assert answer["prompt_logprobs"] == [None, {"7": {"logprob": -0.5}}]
        assert server.posts[0].body == {"model": "test-model", **body}


class TestAsync:
    def test_the_async_twin_says_the_same(self, provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
        async def ask(model: ChatModel) -> list[str]:
            return await asyncio.gather(*(model.aask(ASK, max_tokens=5) for _ in range(20)))

        with FaultyServer("fine", ["500", "429", "hang up"]) as server:
            assert asyncio.run(ask(model_at(server, provider, monkeypatch))) == ["fine"] * 20
            assert len(server.requests) == 23

    def test_one_model_serves_loops_and_threads(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with FaultyServer("fine") as server:
            model = model_at(server, "vllm", monkeypatch)
            assert asyncio.run(model.aask(ASK, max_tokens=5)) == "fine"
            assert asyncio.run(model.acomplete({"messages": ASK}))["object"] == "chat.completion"
            assert model.ask(ASK, max_tokens=5) == "fine"

    def test_a_cancelled_ask_asks_no_more(self, monkeypatch: pytest.MonkeyPatch) -> None:
        async def give_up(model: ChatModel) -> None:
            await asyncio.wait_for(model.aask(ASK, max_tokens=5), 0.2)

        with FaultyServer(faults=["silent"] * 9) as server:
            with pytest.raises(TimeoutError):
                asyncio.run(give_up(model_at(server, "vllm", monkeypatch, timeout=0.3)))
            threading.Event().wait(0.6)
            assert len(server.requests) == 1


def test_under_a_mix_of_faults_each_reply_answers_its_own_question(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = random.Random(5)
    passing = [fault for fault in FAULTS if fault not in ("redirect", "no choices", "bad utf-8")]
    script = [drawn.choice(passing) if drawn.random() < 0.2 else None for _ in range(1000)]
    with FaultyServer(lambda body: str(body["messages"][0]["content"]), lambda number, _: script[number]) as server:
        model = model_at(server, provider, monkeypatch, timeout=0.5)

        def ask(question: str) -> str:
            try:
                return model.ask([{"role": "user", "content": question}], max_tokens=5)
            except ModelError:
                return "failed"

        questions = [f"question {number}" for number in range(100)]
        with ThreadPoolExecutor(8) as pool:
            replies = list(pool.map(ask, questions))
        posts = [request for request in server.posts if request.body]  # one given up early has sent none
        asked = [request.body["messages"][0]["content"] for request in posts]
    assert all(reply in (question, "failed") for question, reply in zip(questions, replies, strict=True))
    assert replies.count("failed") <= 5
    for question, reply in zip(questions, replies, strict=True):
        met = [request.fault for request in posts if request.body["messages"][0]["content"] == question]
        assert asked.count(question) == len(met) <= 4
        assert met[-1] is None if reply == question else len(met) == 4


@pytest.mark.parametrize("fault", ["endless", "packed"])
def test_a_reply_without_end_is_read_to_a_limit_and_not_asked_for_again(
    fault: str, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "MOST_BYTES", 1 << 20)
    with FaultyServer(faults=[fault] * 9) as server, pytest.raises(ModelError, match="it is not read"):
        model_at(server, provider, monkeypatch).ask(ASK, max_tokens=5)
    assert len(server.requests) == 1
