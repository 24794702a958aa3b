"""`Secret`: a key that is used and never shown."""

from __future__ import annotations

import os
import re
import threading
import weakref
from collections.abc import Sequence
from typing import Any, NoReturn

_HIDDEN = "[key]"
LEAST = 8  # characters of a key that is looked for in replies; shorter ones are words, such as "none"
_UNSEEN = r"[\s\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]*+"  # what may stand between its characters


class Secret:
    """A key; its text is read with `reveal`, at the one place that sends it.

    It prints, copies and formats without showing itself, and refuses to be pickled: a worker reads its own environment.

    >>> key = Secret("sk-12345")
    >>> key, f"{key}", key.hidden_in("bad key sk-12345 given")
    ([key], '[key]', 'bad key [key] given')
    """

    __slots__ = ("__weakref__", "_pattern", "_reveal")

    def __init__(self, text: str) -> None:
        def reveal() -> str:
            return text

        def pattern() -> re.Pattern[str]:
            return re.compile(_UNSEEN.join(map(re.escape, text)), re.IGNORECASE)

        self._reveal, self._pattern = reveal, pattern
        with _LOCK:
            _KNOWN.add(self)

    def reveal(self) -> str:
        """The key itself."""
        return self._reveal()

    def hidden_in(self, text: str) -> str:
        """The text without the key, in either case and with what cannot be seen between its characters."""
        return self._pattern().sub(_HIDDEN, text)

    def hidden_within(self, value: Any) -> Any:
        """JSON without the key in any of its texts; a key of under 8 characters is no secret and stays.

        >>> Secret("sk-12345").hidden_within({"a": ["is SK-12345", 1]})
        {'a': ['is [key]', 1]}
        """
        if len(self.reveal()) < LEAST:
            return value
        if isinstance(value, str):
            return self.hidden_in(value)
        if isinstance(value, list):
            return [self.hidden_within(item) for item in value]
        if isinstance(value, dict):
            return {self.hidden_within(key): self.hidden_within(item) for key, item in value.items()}
        return value

    def __repr__(self) -> str:
        return _HIDDEN

    def __copy__(self) -> Secret:
        return self

    def __deepcopy__(self, memo: Any) -> Secret:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not pickled: set its environment variable where it is needed")


_LOCK = threading.Lock()
_KNOWN: weakref.WeakSet[Secret] = weakref.WeakSet()


def known_secrets() -> list[Secret]:
    """The keys that are in use in this process."""
    with _LOCK:
        return list(_KNOWN)


def secret(key: str | Secret | None) -> Secret | None:
    """A key as a `Secret`; None for none, and for blank text.

    >>> secret(" sk-1 "), secret("")
    ([key], None)
    """
    if key is None or isinstance(key, Secret):
        return key
    if not isinstance(key, str):
        raise TypeError(f"api_key must be text, got {type(key).__name__}")
    text = key.strip()
    if not text.isprintable() or not text.isascii() or " " in text:
        raise ValueError("api_key holds characters that no key has (a line break, a space or a letter outside ASCII)")
    return Secret(text) if text else None


def from_environment(names: Sequence[str]) -> Secret | None:
    """The key in the first of these variables that is set; an empty value counts as unset."""
    return next((found for name in names if (found := secret(os.environ.get(name)))), None)
