"""A model on loopback that calls tools, in the protocols of OpenAI and Anthropic, as a script says.

`script(chat)` is given what the model was sent, in one form for both protocols, and answers a `Reply`.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-simulate-0123456789"


@dataclass(frozen=True)
class Reply:
    """Words, calls as `(id, name, arguments)` with arguments as a dict or as raw text, and why the reply ended."""

    text: str = ""
    calls: tuple[tuple[str, str, Any], ...] = ()
    finish: str = ""
    logprobs: tuple[float, ...] = ()
    status: int = 200


@dataclass
class Chat:
    """What one request sent: path, headers, body, the results of tools in it by call id."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    results: dict[str, Any] = field(default_factory=dict)

    @property
    def turn(self) -> int:
        """How many replies of the model the request holds."""
        return sum(message["role"] == "assistant" for message in self.body["messages"])


class ModelServer:
    """The server; `url` without a path, `chats` what arrived."""

    def __init__(self, script: Callable[[Chat], Reply]) -> None:
        self.script = script
        self.chats: list[Chat] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        self._server.owner = self  # type: ignore[attr-defined]
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> ModelServer:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def spec(self) -> str:
        return f"vllm:policy-7b@{self.url}/v1"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        owner: ModelServer = self.server.owner  # type: ignore[attr-defined]
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        chat = Chat(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
        anthropic = self.path.endswith("/messages")
        chat.results = _anthropic_results(body) if anthropic else _openai_results(body)
        owner.chats.append(chat)
        reply = owner.script(chat)
        answer = _refused(reply) if reply.status != 200 else _anthropic(reply) if anthropic else _openai(reply)
        content = json.dumps(answer).encode()
        self.send_response(reply.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def _refused(reply: Reply) -> dict[str, Any]:
    return {"error": {"message": reply.text}}


def _openai_results(body: dict[str, Any]) -> dict[str, Any]:
    return {one["tool_call_id"]: one["content"] for one in body["messages"] if one["role"] == "tool"}


def _anthropic_results(body: dict[str, Any]) -> dict[str, Any]:
    blocks = [block for one in body["messages"] if one["role"] == "user" for block in one["content"]]
    return {block["tool_use_id"]: block["content"] for block in blocks if block["type"] == "tool_result"}


def _openai(reply: Reply) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if reply.calls:
        message["tool_calls"] = [
            {
                "id": name_id,
                "type": "function",
                "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
            }
            for name_id, name, given in reply.calls
        ]
    finish = reply.finish or ("tool_calls" if reply.calls else "stop")
    choice: dict[str, Any] = {"index": 0, "finish_reason": finish, "message": message}
    if reply.logprobs:
        choice["logprobs"] = {"content": [{"token": "t", "logprob": value} for value in reply.logprobs]}
    return {
        "id": "c",
        "object": "chat.completion",
        "model": "policy-7b",
        "choices": [choice],
        "usage": {"prompt_tokens": 9},
    }


def _anthropic(reply: Reply) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": reply.text}] if reply.text else []
    content += [
        {"type": "tool_use", "id": name_id, "name": name, "input": given} for name_id, name, given in reply.calls
    ]
    stop = reply.finish or ("tool_use" if reply.calls else "end_turn")
    return {"id": "m", "type": "message", "role": "assistant", "model": "c", "content": content, "stop_reason": stop}
