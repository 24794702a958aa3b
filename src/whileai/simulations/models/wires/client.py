"""What the clients of OpenAI and Anthropic have in common: they are generated alike, with the same errors."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Awaitable
from typing import TYPE_CHECKING, Any

from whileai.simulations.models.failure import ModelError
from whileai.simulations.models.spec import is_loopback
from whileai.simulations.models.wires.base import MOST_BYTES, Target, Wire

if TYPE_CHECKING:
    from ssl import SSLContext

_NO_KEY = "none"  # what a client is given for a server that needs no key; it is never sent
_KEY_HEADERS = frozenset({"authorization", "x-api-key"})
_NEEDED_HEADERS = frozenset(
    {"host", "accept", "accept-encoding", "connection", "content-type", "content-length", "x-stainless-raw-response"}
)  # the last one tells the clients themselves how to hand the answer over


class TooLongError(Exception):
    """An answer is longer than is read."""


class ClientWire(Wire):
    """A model behind a vendor's client, which neither retries (that is done here) nor follows redirects."""

    def __init__(self, target: Target, library: Any, make: Any, url: str) -> None:
        super().__init__(target)
        self._library = library
        self.client = make(
            api_key=target.key.reveal() if target.key else _NO_KEY,
            base_url=url,
            max_retries=0,
            timeout=target.timeout,
            http_client=library.DefaultAsyncHttpxClient(
                follow_redirects=False,
                timeout=target.timeout,
                event_hooks={"request": [self._trim], "response": [self._cap]},
                trust_env=not is_loopback(url),  # what is for this machine goes through no proxy
                verify=_trusted(),
            ),
        )

    async def answer(self, call: Awaitable[Any]) -> dict[str, Any]:
        """The JSON of a call; errors are raised outside the handlers, so that no vendor's error hangs on ours."""
        content = b""
        failure: ModelError | None = None
        try:
            content = (await call).http_response.content
        except self._library.APIStatusError as error:
            failure = self.refusal(error.response.status_code, error.response.content, error.response.headers)
        except TooLongError:
            failure = self.too_long()
        except self._library.APITimeoutError:
            failure = self.out_of_time()
        except self._library.APIConnectionError as error:
            failure = self.too_long() if isinstance(error.__cause__, TooLongError) else self.no_answer(error)
        if failure is not None:
            raise failure
        return self.read(content)

    async def close(self) -> None:
        """Close the connections."""
        await self.client.close()

    async def _trim(self, request: Any) -> None:
        """Take from a request what is not for its server: a made-up key, and what a vendor's account adds elsewhere."""
        request.headers["accept-encoding"] = "identity"
        if self.target.key is None:
            for name in _KEY_HEADERS:
                request.headers.pop(name, None)
        if self.target.foreign:
            for name in {name.lower() for name in request.headers} - _NEEDED_HEADERS - _KEY_HEADERS:
                del request.headers[name]

    async def _cap(self, response: Any) -> None:
        """Have the reading of an answer end where it becomes too long."""
        if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
            raise TooLongError
        response.stream = _capped(response.stream)


@functools.cache
def _trusted() -> SSLContext:
    """The certificates that httpx trusts, read once: to read them takes longer than many a request."""
    import httpx

    return httpx.create_ssl_context()


def _capped(stream: Any) -> Any:
    """A stream of the same kind that raises `TooLongError` after `MOST_BYTES`."""
    kind = next(base for base in type(stream).__mro__ if base.__name__ == "AsyncByteStream")

    class Capped(kind):  # type: ignore[misc, valid-type]
        async def __aiter__(self) -> AsyncIterator[bytes]:
            left = MOST_BYTES
            async for chunk in stream:
                left -= len(chunk)
                if left < 0:
                    raise TooLongError
                yield chunk

        async def aclose(self) -> None:
            await stream.aclose()

    return Capped()
