"""The server of one `Site`: three addresses, no file, no other origin, nothing kept by a browser or a proxy."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from whileai.simulations.page.serve.guard import Guard, is_loopback, own_name
from whileai.simulations.page.serve.site import LABELS, VERSION, Site
from whileai.simulations.reports import printable

MOST_BYTES = 65536  # of a label
TOKEN = "X-Wai-Token"
_SECONDS = 30  # that a connection may be silent
_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104
_HTML, _PLAIN = "text/html; charset=utf-8", "text/plain; charset=utf-8"
_HEADERS = {  # the page brings its own policy, by the hashes of its scripts; a browser holds it to both
    "Cache-Control": "no-store",
    "Content-Security-Policy": "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class PageServer(ThreadingHTTPServer):
    """Serves a `Site` at `address`, which holds the token; `port` 0 takes a free one."""

    daemon_threads = True

    def __init__(self, site: Site, guard: Guard, port: int = 0) -> None:
        self.site, self.guard = site, guard
        self.address_family = socket.AF_INET6 if ":" in guard.host else socket.AF_INET
        super().__init__((guard.host, port), _Handler)

    def server_bind(self) -> None:
        """Bind without asking anybody for the name of this machine."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = self.guard.host, self.server_address[1]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A connection that breaks off is no news; a fault of ours is."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)

    @property
    def address(self) -> str:
        """Where a person opens the page."""
        host = own_name() if self.guard.host in _EVERYWHERE else self.guard.host
        shown = f"[{host}]" if ":" in host else host
        return f"http://{shown}:{self.server_port}/?token={self.guard.token}"

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return is_loopback(self.guard.host)


class _RefusedError(Exception):
    """A request that is answered with a status and nothing else."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status)
        self.status = status


class _Handler(BaseHTTPRequestHandler):
    server: PageServer
    timeout = _SECONDS

    def do_GET(self) -> None:
        self._answered(self._get)

    do_HEAD = do_GET  # noqa: N815

    def do_POST(self) -> None:
        self._answered(self._post)

    def _answered(self, answer: Callable[[str], tuple[bytes, str] | None]) -> None:
        try:
            found = answer(self._checked())
        except _RefusedError as refused:
            self.send_error(refused.status)
        except (ConnectionError, TimeoutError):
            self.close_connection = True  # whoever asked has gone, or never came to the end
        except OSError as error:
            print(f"wai: {printable(error)}", file=sys.stderr)  # noqa: T201
            self.send_error(HTTPStatus.INTERNAL_SERVER_ERROR)
        else:
            self._send(HTTPStatus.NO_CONTENT if found is None else HTTPStatus.OK, *(found or ()))

    def _checked(self) -> str:
        """The path asked for, once it is known who asks."""
        guard = self.server.guard
        try:
            parts = urlsplit(self.path)
        except ValueError:
            raise _RefusedError(HTTPStatus.FORBIDDEN) from None
        asked = parse_qs(parts.query).get("token", [None])[0] if self.command != "POST" else None
        if not guard.is_here(self.headers["Host"]) or not guard.knows(self.headers[TOKEN] or asked):
            raise _RefusedError(HTTPStatus.FORBIDDEN)
        return parts.path

    def _get(self, path: str) -> tuple[bytes, str]:
        if path == "/":
            return self.server.site.page(), _HTML
        if path == VERSION:
            return self.server.site.version().encode(), _PLAIN
        raise _RefusedError(HTTPStatus.METHOD_NOT_ALLOWED if path == LABELS else HTTPStatus.NOT_FOUND)

    def _post(self, path: str) -> None:
        headers = self.headers
        if not self.server.guard.is_own(headers["Origin"], headers["Sec-Fetch-Site"], headers["Host"]):
            raise _RefusedError(HTTPStatus.FORBIDDEN)
        if path != LABELS:
            raise _RefusedError(HTTPStatus.NOT_FOUND)
        if headers.get_content_type() != "application/json":
            raise _RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        try:
            self.server.site.label(json.loads(self._body()))
        except (ValueError, RecursionError):
            raise _RefusedError(HTTPStatus.BAD_REQUEST) from None

    def _body(self) -> bytes:
        length = self.headers["Content-Length"] or ""
        if not (length.isascii() and length.isdecimal()) or self.headers["Transfer-Encoding"]:
            raise _RefusedError(HTTPStatus.LENGTH_REQUIRED)
        if len(length) > len(str(MOST_BYTES)) or int(length) > MOST_BYTES:
            raise _RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        body = self.rfile.read(int(length))
        if len(body) != int(length):
            raise _RefusedError(HTTPStatus.BAD_REQUEST)
        return body

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """The status and nothing else."""
        self._send(HTTPStatus(code))

    def _send(self, status: HTTPStatus, body: bytes = b"", kind: str = _PLAIN) -> None:
        self.close_connection = True
        self.send_response(status)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        if status != HTTPStatus.NO_CONTENT:
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def version_string(self) -> str:
        """No version of anything."""
        return "wai"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing: a line of a log would hold the token."""
