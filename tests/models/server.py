"""A real HTTP server on loopback that speaks the protocols of OpenAI and Anthropic, and misbehaves when told to.

    with FaultyServer(reply='{"reward": 1}', faults=["500", None, "429"]) as server:
        model = open_model(f"vllm:test-model@{server.url}/v1")

`reply` is the model's text, or a function of the parsed body that gives it. `faults` are the misbehaviours of the
requests in order of arrival (None: behave; nothing left: behave), or a function of (number, body) that gives one. A
fault is a name of `FAULTS` or `HOSTILE`, a status as text ("503"), or a pair of a status and the server's words, where
`{key}` is the key that arrived. Every request is kept in `requests`, answered or not.
"""

from __future__ import annotations

import gzip
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Fault = str | tuple[int, str] | None
FAULTS = (
    "429",  # with Retry-After
    "500",
    "hang up",  # the connection is closed before an answer
    "reset",  # the connection is reset before an answer
    "cut body",  # half of the body, then closed
    "cut chunk",  # half of a body without a length, then closed: only its JSON shows that it is cut
    "drip",  # a byte at a time, for longer than anyone should wait
    "silent",  # no byte for as long
    "redirect",  # to `elsewhere`
    "bad utf-8",  # a byte in the text that is no UTF-8
    "no choices",
    "no json",
    "empty",  # a body of no bytes
)
HOSTILE = (
    "redirect to the key",  # to a host that is named after it
    "endless",  # a body that goes on until the client has enough
    "packed",  # a body that is gzip though it was not asked for
)
_DRIP_SECONDS = 0.05
_LONGEST = 20.0


@dataclass(frozen=True)
class Request:
    """What arrived: number from 0, method, path, headers in lower case, the parsed body, and the fault it met."""

    number: int
    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    fault: Fault = field(default=None)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256
    owner: FaultyServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that leave in the middle are expected."""


class FaultyServer:
    """The server; `url` without a path, `requests` so far, `retry_after` in seconds for 429."""

    def __init__(
        self,
        reply: str | Callable[[dict[str, Any]], str] = "ready",
        faults: Sequence[Fault] | Callable[[int, dict[str, Any]], Fault] = (),
        *,
        retry_after: str = "0.05",
        elsewhere: str = "http://127.0.0.1:9",
        model: str = "test-model",
        reply_fields: dict[str, Any] | None = None,
    ) -> None:
        self.reply, self.faults, self.retry_after, self.elsewhere, self.model = (
            reply,
            faults,
            retry_after,
            elsewhere,
            model,
        )
        self.reply_fields = reply_fields or {}
        self.requests: list[Request] = []
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.owner = self
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self) -> FaultyServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def posts(self) -> list[Request]:
        """The requests that asked the model something."""
        return [request for request in self.requests if request.method == "POST"]

    def admit(self, method: str, path: str, headers: dict[str, str], body: dict[str, Any]) -> Request:
        with self._lock:
            number = len(self.posts)
            request = Request(number, method, path, headers, body, self._fault(number, body, method))
            self.requests.append(request)
            return request

    def wait(self, seconds: float) -> bool:
        """Sleep; true when the server is closing."""
        return self._over.wait(seconds)

    def _fault(self, number: int, body: dict[str, Any], method: str) -> Fault:
        if method != "POST":
            return None
        if callable(self.faults):
            return self.faults(number, body)
        return self.faults[number] if number < len(self.faults) else None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        owner = self.server.owner
        owner.admit("GET", self.path, self._headers(), {})
        self._send(200, json.dumps({"object": "list", "data": [{"id": owner.model}, {"id": "second"}]}).encode())

    def do_POST(self) -> None:
        owner = self.server.owner
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        request = owner.admit("POST", self.path, self._headers(), body)
        fault = request.fault
        if isinstance(fault, tuple):
            words = fault[1].replace(
                "{key}", request.headers.get("authorization", request.headers.get("x-api-key", ""))
            )
            self._send(fault[0], json.dumps({"error": {"message": words}}).encode())
        elif fault is None:
            self._send(200, self._answer(body))
        elif fault == "429":
            self._send(429, b'{"error": {"message": "slow down"}}', {"Retry-After": owner.retry_after})
        elif fault.isdigit():
            self._send(int(fault), json.dumps({"error": {"message": f"scripted {fault}"}}).encode())
        else:
            getattr(self, "_" + fault.replace(" ", "_").replace("-", ""))(body)

    def _hang_up(self, body: dict[str, Any]) -> None:
        self.close_connection = True

    def _reset(self, body: dict[str, Any]) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def _cut_body(self, body: dict[str, Any]) -> None:
        answer = self._answer(body)
        self._head(200, {"Content-Length": str(len(answer))})
        self.wfile.write(answer[: len(answer) // 2])
        self.close_connection = True

    def _cut_chunk(self, body: dict[str, Any]) -> None:
        answer = self._answer(body)
        self._head(200, {"Connection": "close"})
        self.wfile.write(answer[: len(answer) // 2])
        self.close_connection = True

    def _drip(self, body: dict[str, Any]) -> None:
        answer = self._answer(body)
        self._head(200, {"Content-Length": str(len(answer) + 10_000)})
        until = time.monotonic() + _LONGEST
        while time.monotonic() < until and not self.server.owner.wait(_DRIP_SECONDS):
            self.wfile.write(b" ")
            self.wfile.flush()
        self.close_connection = True

    def _silent(self, body: dict[str, Any]) -> None:
        self.server.owner.wait(_LONGEST)
        self.close_connection = True

    def _redirect(self, body: dict[str, Any]) -> None:
        self._send(307, b"", {"Location": f"{self.server.owner.elsewhere}{self.path}"})

    def _redirect_to_the_key(self, body: dict[str, Any]) -> None:
        headers = self._headers()
        key = headers.get("x-api-key", headers.get("authorization", "")).split()[-1]
        self._send(307, b"", {"Location": f"http://{key}.test/"})

    def _endless(self, body: dict[str, Any]) -> None:
        self._head(200, {"Connection": "close"})
        while not self.server.owner.wait(0):
            self.wfile.write(b" " * (1 << 16))
        self.close_connection = True

    def _packed(self, body: dict[str, Any]) -> None:
        self._send(200, gzip.compress(self._answer(body)), {"Content-Encoding": "gzip"})

    def _bad_utf8(self, body: dict[str, Any]) -> None:
        self._send(200, self._answer(body, note="caf\\u00e9").replace(b"caf\\\\u00e9", b"caf\xe9"))

    def _no_choices(self, body: dict[str, Any]) -> None:
        self._send(200, b'{"choices": [], "content": null}')

    def _no_json(self, body: dict[str, Any]) -> None:
        self._send(200, b"<html>welcome to the gateway</html>")

    def _empty(self, body: dict[str, Any]) -> None:
        self._send(200, b"")

    def _answer(self, body: dict[str, Any], note: str = "") -> bytes:
        owner = self.server.owner
        text = (owner.reply(body) if callable(owner.reply) else owner.reply) + note
        if self.path.endswith("/messages"):
            answer = {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "model": owner.model,
                "content": [{"type": "text", "text": text}],
                "stop_reason": "end_turn",
                "usage": {"input_tokens": 10, "output_tokens": 5},
            }
        else:
            answer = {
                "id": "chat_1",
                "object": "chat.completion",
                "model": owner.model,
                "choices": [
                    {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}},
                ],
                "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
            }
        return json.dumps({**answer, **owner.reply_fields}).encode()

    def _headers(self) -> dict[str, str]:
        return {name.lower(): value for name, value in self.headers.items()}

    def _head(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def _send(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
        self._head(status, {"Content-Length": str(len(content)), **(headers or {})})
        self.wfile.write(content)


def waited_for(truth: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Whether something is so, or comes to be so in time."""
    until = time.monotonic() + seconds
    while not truth() and time.monotonic() < until:
        time.sleep(0.01)
    return truth()
