"""A model that says what a test has it say, and keeps what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any


class Scripted:
    """Answers with `replies` in turn, the last one again; an exception among them is raised. Warm-ups are answered."""

    spec = "test:scripted"
    model = "scripted"

    def __init__(self, *replies: str | Exception | Callable[[list[dict[str, Any]]], str]) -> None:
        self.replies = list(replies)
        self.warm_ups = 0
        self.asked: list[list[dict[str, Any]]] = []
        self.budgets: list[int] = []
        self._lock = threading.Lock()

    def ask(self, messages: list[dict[str, Any]], *, max_tokens: int, temperature: float = 0.0) -> str:
        with self._lock:
            if len(messages) == 1:
                self.warm_ups += 1
                return "ready"
            reply = self.replies[min(len(self.asked), len(self.replies) - 1)]
            self.asked.append(messages)
            self.budgets.append(max_tokens)
        if isinstance(reply, Exception):
            raise reply
        return reply(messages) if callable(reply) else reply

    @property
    def system(self) -> str:
        return self.asked[-1][0]["content"]

    @property
    def user(self) -> str:
        return self.asked[-1][1]["content"]
