"""`Session`: requests to one registry, each tried again when that may help, the key sent there and nowhere else."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import httpx

from whileai.simulations.models.exchange import JITTER, MAX_WAIT
from whileai.simulations.models.secret import Secret
from whileai.simulations.models.spec import is_loopback
from whileai.simulations.models.wires.base import asked_wait
from whileai.simulations.registry.deadline import Deadline
from whileai.simulations.registry.failure import RegistryError
from whileai.simulations.reports import printable

TRIES = 6  # sendings of one request, the first included; convention
BACKOFF = 0.5  # seconds before the second try, doubling with each; convention
CONNECT_SECONDS = 10.0  # to reach the server; convention
IDLE_SECONDS = 60.0  # without a byte either way, after which a try is given up; convention
ANSWER_SECONDS = 600.0  # for one answer, however slowly it drips; convention
MOST_BYTES = 4 * 1024 * 1024  # of an answer; it lists at most a few thousand hashes
_LEAST_SECONDS = 1e-3  # of a try; a timeout of none or less is no timeout to a client
_WORDS = 300  # characters of a server's words that an error quotes
_READ = 64 * 1024  # bytes of them that are looked at, so that a key at the end of what is quoted is not cut in two
_AGAIN = frozenset({408, 425, 429})


@dataclass(frozen=True)
class _Answer:
    """What a server said, not yet judged."""

    status: int
    headers: Mapping[str, str]
    content: bytes


class Session:
    """A connection to a registry, for a `with` block."""

    def __init__(self, base: str, key: Secret, deadline: Deadline) -> None:
        self._base, self._key, self._deadline = base, key, deadline
        self._client = httpx.Client(
            follow_redirects=False,
            verify=not base.lower().startswith("http:"),  # certificates take time to load, and plain HTTP needs none
            trust_env=not is_loopback(base),  # what is for this machine goes through no proxy
            headers={"accept": "application/json", "accept-encoding": "identity", "user-agent": "whileai"},
        )

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    def ask(self, method: str, path: str, body: Any, *, also: int | None = None) -> tuple[int, dict[str, Any]]:
        """The status (200, 201 or `also`) and the JSON of an answer; bytes are sent as they are, all else as JSON.

        A `RegistryError` when the last try gave none, or the time is over.
        """
        if isinstance(body, bytes):
            content, kind = body, "application/octet-stream"
        else:
            content, kind = _encoded(body), "application/json"
        good = {200, 201, also}
        failed = 0
        while True:
            if self._deadline.left() <= 0:
                raise self._out_of_time(None)
            given = self._try(method, path, content, kind)
            outcome = self._judged(given, good) if isinstance(given, _Answer) else given
            if not isinstance(outcome, RegistryError):
                return outcome
            failed += 1
            pause = pause_after(outcome, failed)
            if pause is None:
                raise outcome
            if pause >= self._deadline.left():
                raise self._out_of_time(outcome)
            time.sleep(pause)

    def _try(self, method: str, path: str, content: bytes, kind: str) -> _Answer | RegistryError:
        """One sending; its error is returned, so that it is raised in no other's handler and holds no request."""
        left = max(self._deadline.left(), _LEAST_SECONDS)
        ends = time.monotonic() + min(ANSWER_SECONDS, left)
        try:
            with self._client.stream(
                method,
                self._base + path,
                content=content,
                headers={"authorization": f"Bearer {self._key.reveal()}", "content-type": kind},
                timeout=httpx.Timeout(min(IDLE_SECONDS, left), connect=min(CONNECT_SECONDS, left)),
            ) as response:
                read = bytearray()
                for chunk in response.iter_raw():
                    read += chunk
                    if len(read) > MOST_BYTES:
                        return RegistryError(f"{self._base} answered more than {MOST_BYTES:,} bytes to {method} {path}")
                    if time.monotonic() > ends:
                        return self._no_answer("is too slow")
                return _Answer(response.status_code, response.headers, bytes(read))
        except httpx.TimeoutException:
            return self._no_answer("gave no answer in time")
        except httpx.TransportError as error:
            words = f"the connection failed ({printable(self._hidden(str(error)), 120) or type(error).__name__})"
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            return RegistryError(f"{self._base}: {printable(self._hidden(str(error)), 120)}")
        return self._no_answer(words)

    def _judged(self, given: _Answer, good: set[int | None]) -> tuple[int, dict[str, Any]] | RegistryError:
        status, answer = given.status, _decoded(given.content)
        if status in good:
            if answer is not None:
                return status, answer
            return RegistryError(f"{self._base} answered {status} without a JSON object", status=status, again=True)
        words = self._hidden(_words(answer, given.content))
        said = f": {printable(words, _WORDS)}" if words else ""
        return RegistryError(
            f"{self._base} answered {status}{said}{_advice(status)}",
            status=status,
            again=status in _AGAIN or status >= 500,
            wait=asked_wait(given.headers),
        )

    def _no_answer(self, why: str) -> RegistryError:
        return RegistryError(f"{self._base}: {why}", again=True)

    def _out_of_time(self, last: RegistryError | None) -> RegistryError:
        before = f"; last: {last}" if last is not None else ""
        seconds = f"{self._deadline.seconds:g} seconds"
        return RegistryError(f"{self._base}: not done within timeout={seconds}{before}", again=True)

    def _hidden(self, text: str) -> str:
        return str(self._key.hidden_within(text))


def pause_after(failure: RegistryError, failed: int) -> float | None:
    """The seconds to wait before the next try; None when there is none.

    >>> pause_after(RegistryError("404", status=404), 1), pause_after(RegistryError("503", again=True), TRIES)
    (None, None)
    """
    if not failure.again or failed >= TRIES or (failure.wait or 0.0) > MAX_WAIT:
        return None
    least: float = max(BACKOFF * 2.0 ** (failed - 1), failure.wait or 0.0)
    return least * (1 + JITTER * random.random())  # noqa: S311


def _advice(status: int) -> str:
    if status in (401, 403):
        return "; it refused the key: check WHILEAI_API_KEY or api_key="
    if 300 <= status < 400:
        return "; redirects are not followed, as the key goes to one server only: give the final URL"
    if status in (404, 405):
        return "; is this the URL of a registry that speaks the protocol of docs/push.md?"
    return ""


def _words(answer: dict[str, Any] | None, content: bytes) -> str:
    said = answer.get("error") if answer is not None else None
    text = said if isinstance(said, str) else content[:_READ].decode("utf-8", "replace")
    return " ".join(text.split())


def _encoded(body: Any) -> bytes:
    return json.dumps(body, separators=(",", ":"), allow_nan=False).encode()


def _decoded(content: bytes) -> dict[str, Any] | None:
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) else None
