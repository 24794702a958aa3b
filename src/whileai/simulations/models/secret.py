"""`Secret`: a key that is used and never shown."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NoReturn

_HIDDEN = "[key]"


class Secret:
    """A key; its text is read with `reveal`, at the one place that sends it.

    It prints, copies and formats without showing itself, and refuses to be pickled: a worker reads its own environment.

    >>> key = Secret("sk-1234")
    >>> key, f"{key}", key.hidden_in("bad key sk-1234 given")
    ([key], '[key]', 'bad key [key] given')
    """

    __slots__ = ("_reveal",)

    def __init__(self, text: str) -> None:
        def reveal() -> str:
            return text

        self._reveal = reveal

    def reveal(self) -> str:
        """The key itself."""
        return self._reveal()

    def hidden_in(self, text: str) -> str:
        """The text without the key."""
        return text.replace(self.reveal(), _HIDDEN)

    def __repr__(self) -> str:
        return _HIDDEN

    def __copy__(self) -> Secret:
        return self

    def __deepcopy__(self, memo: Any) -> Secret:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not pickled: set its environment variable where it is needed")


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
