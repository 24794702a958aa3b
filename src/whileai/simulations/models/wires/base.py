"""What every protocol shares: where it sends, how a refusal reads, and what is changed to suit a picky server."""

from __future__ import annotations

import email.utils
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from whileai.simulations.models.failure import ModelError
from whileai.simulations.models.secret import Secret
from whileai.simulations.reports import printable

RETRIED = frozenset({429, 500, 502, 503, 504, 529})  # statuses; 529 is Anthropic's "overloaded"
SHOWN_WORDS = 300  # characters of a server's own words in a message; convention
MOST_BYTES = 64 << 20  # bytes of one answer that are read: the logprobs of a prompt of 250 thousand tokens; convention
LEAST_TOKENS = 16  # tokens below which a reply budget is not halved; convention

_BUDGET = re.compile(r"\bmax_(?:completion_)?tokens\b")
_TEMPERATURE = re.compile(r"""['"`]temperature['"`]""")


@dataclass(frozen=True)
class Target:
    """Where a model is asked: its spec as text, its name there, the base URL, the key, the seconds for one try.

    `variables` are the environment variables that may hold the key. A `foreign` server, one that is not the vendor's
    of the client, gets the headers that the protocol needs and none of the vendor's account.
    """

    spec: str
    model: str
    url: str
    key: Secret | None
    variables: tuple[str, ...]
    timeout: float
    foreign: bool = False
    region: str | None = None


class Wire:
    """One model behind one vendor's client.

    `send` posts a body and gives the answer as a dict; it raises `ModelError` and nothing else for what servers do.
    """

    budget_key = "max_tokens"

    def __init__(self, target: Target) -> None:
        self.target = target
        self._refuses_temperature = False

    def request(self, messages: list[dict[str, Any]], max_tokens: int, temperature: float) -> dict[str, Any]:
        """The body that asks for one reply, less what this server has refused before."""
        body: dict[str, Any] = {"messages": messages, self.budget_key: max_tokens}
        return body if self._refuses_temperature else {**body, "temperature": temperature}

    async def send(self, body: dict[str, Any]) -> dict[str, Any]:
        """The answer to one request."""
        raise NotImplementedError

    async def close(self) -> None:
        """Close the connections."""

    async def model(self) -> str:
        """The name of the model as the server knows it."""
        return self.target.model

    def text(self, reply: dict[str, Any]) -> str:
        """What the model said, in the form of OpenAI's chat completions."""
        choices = reply.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            raise ModelError(f"{self.target.spec} answered without choices: is it a chat model?")
        message = choices[0].get("message")
        message = message if isinstance(message, dict) else {}
        text = content_text(message.get("content"))
        if not text.strip():
            self._check_empty(choices[0].get("finish_reason") == "length", message.get("refusal"))
        return text

    def usage(self, reply: dict[str, Any]) -> int | None:
        """The tokens that a reply cost, None when the server does not say."""
        return token_count(reply, "prompt_tokens", "completion_tokens")

    def adapted(self, error: ModelError, body: dict[str, Any]) -> dict[str, Any] | None:
        """The body as a server that answered 400 wants it; None when its words name nothing that can be changed."""
        if error.status != 400:
            return None
        words, key = error.words, next((key for key in ("max_tokens", "max_completion_tokens") if key in body), None)
        if key == "max_tokens" and "max_completion_tokens" in words and self._renames_budget():
            return {**{name: body[name] for name in body if name != key}, self.budget_key: body[key]}
        if key and _BUDGET.search(words) and type(body[key]) is int and body[key] >= 2 * LEAST_TOKENS:
            return {**body, key: body[key] // 2}
        if "temperature" in body and _TEMPERATURE.search(words):
            self._refuses_temperature = True
            return {name: body[name] for name in body if name != "temperature"}
        return None

    def _renames_budget(self) -> bool:
        """Whether this protocol has another name for the reply budget; it is used from now on."""
        return False

    def _check_empty(self, cut: bool, refusal: Any) -> None:
        if cut:
            raise ModelError(
                f"{self.target.spec} said nothing before its token budget ran out: raise max_tokens "
                "(a reasoning model thinks within it)"
            )
        if isinstance(refusal, str) and refusal.strip():
            raise ModelError(f"{self.target.spec} refused: {printable(refusal, most=SHOWN_WORDS)}")

    def refusal(self, status: int, content: bytes, headers: Mapping[str, str]) -> ModelError:
        """The error of an answer that is no success."""
        words = self._without_key(server_words(content))
        said = f": {printable(words, most=SHOWN_WORDS).rstrip('.')}" if words else ""
        advice = self._advice(status, headers)
        message = f"{self.target.spec} answered {status}{said}" + (f". {advice}" if advice else "")
        return ModelError(message, status=status, again=status in RETRIED, wait=asked_wait(headers), words=words)

    def no_answer(self, error: BaseException) -> ModelError:
        """The error of a connection that failed or was dropped."""
        cause = error.__cause__ or error
        why = printable(self._without_key(str(cause) or type(cause).__name__), most=SHOWN_WORDS)
        return ModelError(f"{self.target.spec}: no connection ({why}). Is the server running?", again=True)

    def out_of_time(self) -> ModelError:
        """The error of a try that took too long."""
        return ModelError(f"{self.target.spec}: no answer within the time of {self.target.timeout:g} s", again=True)

    def read(self, content: bytes) -> dict[str, Any]:
        """The JSON object of an answer without the key; bytes that are no UTF-8 are the replacement character."""
        try:
            value = self._within(json.loads(content.decode("utf-8", "replace")))
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise ModelError(f"{self.target.spec} answered with no JSON object, or one cut short", again=True)
        return value

    def too_long(self) -> ModelError:
        """The error of an answer that goes on and on, or that is packed, so that its length is not known."""
        return ModelError(
            f"{self.target.spec} sent more than {MOST_BYTES >> 20} MiB, or a packed answer; it is not read"
        )

    def _without_key(self, text: str) -> str:
        return self.target.key.hidden_in(text) if self.target.key else text

    def _within(self, value: Any) -> Any:
        return self.target.key.hidden_within(value) if self.target.key else value

    def _advice(self, status: int, headers: Mapping[str, str]) -> str:
        if 300 <= status < 400:
            host = printable(self._without_key(_host(headers.get("location", ""))), most=100)
            return f"The redirect to {host or 'another address'} is not followed: a key would go along. Use its URL"
        if status in (401, 403):
            return f"Check the key ({' or '.join(self.target.variables) or 'api_key='})"
        return "Check the model's name and the URL" if status == 404 else ""


def _host(address: str) -> str:
    try:
        return urlsplit(address).netloc.rpartition("@")[2]
    except ValueError:
        return ""


def content_text(content: Any) -> str:
    """The text of a message's content: text as it is, or the text parts of a list.

    >>> content_text([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}])
    'ab'
    """
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict) and part.get("type", "text") == "text"]
    return "".join(text for text in texts if isinstance(text, str))


def token_count(reply: dict[str, Any], *keys: str) -> int | None:
    """The sum of these counts of a reply's `usage`, None unless each is there.

    >>> token_count({"usage": {"input_tokens": 10, "output_tokens": 5}}, "input_tokens", "output_tokens")
    15
    """
    usage = reply.get("usage")
    counts = [usage.get(key) for key in keys] if isinstance(usage, dict) else []
    whole = [count for count in counts if type(count) is int]
    return sum(whole) if len(whole) == len(keys) else None


def server_words(content: bytes) -> str:
    """What a server says about an error: the message in its JSON, else its text.

    >>> server_words(b'{"error": {"message": "no such model"}}'), server_words(b'{"error": "denied"}')
    ('no such model', 'denied')
    """
    text = content.decode("utf-8", "replace").strip()
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    for _ in range(3):
        if not isinstance(found, dict):
            break
        found = next((found[key] for key in ("error", "message", "detail") if found.get(key)), None)
    return found if isinstance(found, str) else text


def asked_wait(headers: Mapping[str, str]) -> float | None:
    """The seconds that a server asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as a date.

    >>> asked_wait({"retry-after": "2"}), asked_wait({"retry-after": "soon"})
    (2.0, None)
    """
    text, unit = headers.get("retry-after-ms"), 1000.0
    if text is None:
        text, unit = headers.get("retry-after"), 1.0
    if text is None:
        return None
    if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", text.strip()):
        return float(text) / unit
    try:
        at = email.utils.parsedate_to_datetime(text).timestamp()
    except (ValueError, OverflowError):
        return None
    return max(0.0, at - time.time())
