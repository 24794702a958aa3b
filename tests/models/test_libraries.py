"""Vendors' libraries: loaded when a model is asked and not before, named when absent; litellm as a stand-in."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import subprocess
import sys
import time
import types
from typing import Any

import pytest

from models.server import FaultyServer
from whileai.simulations.errors import MissingExtraError
from whileai.simulations.models import ChatModel, ModelError, exchange

ASK = [{"role": "system", "content": "Judge."}, {"role": "user", "content": "Well?"}]
LIBRARIES = ("openai", "anthropic", "litellm", "httpx", "httpx2", "numpy")


def test_naming_models_loads_no_library() -> None:
    code = (
        "import sys, whileai; whileai.models.open_model('openai:gpt-4o'); whileai.Anthropic('claude-x');"
        f"print([name for name in {LIBRARIES!r} if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (ran.stdout, ran.stderr) == ("[]\n", "")


@pytest.mark.parametrize(
    ("spec", "library"),
    [
        ("vllm:m@http://127.0.0.1:1/v1", "openai"),
        ("anthropic:m", "anthropic"),
        ("litellm:groq/m", "litellm"),
        ("bedrock:m@us-east-1", "litellm"),
    ],
)
def test_an_absent_library_is_named_with_its_extra(spec: str, library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    model = ChatModel(spec, api_key="sk-1")
    with pytest.raises(MissingExtraError, match=rf"asking {spec.split(':')[0]}.*whileai\[{library}\]"):
        model.ask(ASK, max_tokens=5)


class Stand:
    """A stand-in for litellm, which keeps what it was asked and answers in turn."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.asked = list(answers), []  # type: ignore[var-annotated]

    async def acompletion(self, **asked: Any) -> Any:
        self.asked.append(asked)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        reply = {"choices": [{"message": {"content": answer}}], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}
        return types.SimpleNamespace(model_dump=lambda: reply)


class ProviderError(Exception):
    def __init__(self, words: str, status: int | None) -> None:
        super().__init__(words)
        self.status_code = status


@pytest.fixture
def stand(monkeypatch: pytest.MonkeyPatch) -> Stand:
    made = Stand("fine")
    monkeypatch.setitem(sys.modules, "litellm", made)  # type: ignore[arg-type]
    monkeypatch.setattr(exchange, "BACKOFF", 0.01)
    return made


@pytest.mark.parametrize(
    ("spec", "sent"),
    [
        ("litellm:groq/llama", {"model": "groq/llama"}),
        ("bedrock:meta.llama3@eu-west-1", {"model": "bedrock/meta.llama3", "aws_region_name": "eu-west-1"}),
    ],
)
def test_other_providers_are_asked_through_litellm(spec: str, sent: dict[str, Any], stand: Stand) -> None:
    assert ChatModel(spec, api_key="sk-1", timeout=9).ask(ASK, max_tokens=5) == "fine"
    expected = {"messages": ASK, "max_tokens": 5, "temperature": 0, "api_key": "sk-1", "timeout": 9, **sent}
    assert expected.items() <= stand.asked[0].items()


def test_errors_of_litellm_are_read_by_their_status(stand: Stand) -> None:
    stand.answers = [ProviderError("busy", 503), ProviderError("slow", 408), ProviderError("gone", None), "fine"]
    assert ChatModel("litellm:groq/m").ask(ASK, max_tokens=5) == "fine"
    assert len(stand.asked) == 4
    stand.answers = [ProviderError("bad key sk-1", 401)]
    with pytest.raises(ModelError, match=r"litellm:groq/m answered 401: bad key \[key\]"):
        ChatModel("litellm:groq/m", api_key="sk-1").ask(ASK, max_tokens=5)


def _ask_in_child(url: str, replies: Any) -> None:
    replies.put(ChatModel(f"vllm:m@{url}").ask(ASK, max_tokens=5))


@pytest.mark.skipif(not hasattr(multiprocessing, "get_context") or sys.platform == "win32", reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_asks_by_itself() -> None:
    with FaultyServer("fine") as server:
        assert ChatModel(f"vllm:m@{server.url}").ask(ASK, max_tokens=5) == "fine"
        fork = multiprocessing.get_context("fork")
        replies = fork.Queue()
        child = fork.Process(target=_ask_in_child, args=(server.url, replies))
        child.start()
        assert replies.get(timeout=20) == "fine"
        child.join(20)


def test_a_process_ends_at_once_and_silently_with_requests_in_flight() -> None:
    code = (
        "import sys, threading, time\n"
        "from whileai.simulations.models import ChatModel\n"
        "model = ChatModel(f'vllm:m@{sys.argv[1]}')\n"
        "model.ask([{'role': 'user', 'content': 'x'}], max_tokens=5)\n"
        "threading.Thread(target=model.ask, args=([],), kwargs={'max_tokens': 5}, daemon=True).start()\n"
        "time.sleep(0.3)\n"
    )
    with FaultyServer("fine", [None, "silent"]) as server:
        ran = subprocess.run(
            [sys.executable, "-X", "dev", "-c", code, server.url], capture_output=True, text=True, timeout=20
        )
    assert ran.returncode == 0
    assert "Task was destroyed" not in ran.stderr


def test_an_interrupt_ends_the_wait_and_the_request() -> None:
    code = (
        "import sys\n"
        "from whileai.simulations.models import ChatModel\n"
        "model = ChatModel(f'vllm:m@{sys.argv[1]}')\n"
        "try:\n"
        "    model.ask([{'role': 'user', 'content': 'x'}], max_tokens=5)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    with FaultyServer(faults=["silent"] * 9) as server:
        child = subprocess.Popen([sys.executable, "-c", code, server.url], stdout=subprocess.PIPE, text=True)
        until = time.monotonic() + 30
        while not server.posts and child.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        child.send_signal(signal.SIGINT)
        said, _ = child.communicate(timeout=15)
    assert (child.returncode, said, len(server.posts)) == (0, "interrupted\n", 1)


def test_asking_inside_a_running_loop_is_no_deadlock() -> None:
    async def ask(url: str) -> str:
        return ChatModel(f"vllm:m@{url}").ask(ASK, max_tokens=5)

    with FaultyServer("fine") as server:
        assert asyncio.run(ask(server.url)) == "fine"
