"""Who writes the first messages: templates, a model, or a function of the caller."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from whileai.simulations.models import open_model
from whileai.simulations.models.named import NamedModel
from whileai.simulations.models.replies import without_thinking
from whileai.simulations.reports import out_of
from whileai.simulations.run.ask import CALLABLE, TEMPLATE, Ask
from whileai.simulations.run.phrasing.ask import ask as template_ask
from whileai.simulations.score.judging.calls import outcomes

_TOKENS = 400  # tokens of one first message; convention
_SYSTEM = (
    "You write the first message that a person sends to an assistant. You are given what the person wants, in a draft "
    "that may be stiff, and how the person is. Write it as that person would: same facts, same identifiers, nothing "
    "added that the assistant could take for a fact. Answer with the message and nothing else."
)


class Writer(Protocol):
    """Fills in the words of asks that have none, in place; returns what went wrong, one line a reason."""

    name: str

    def write(self, asks: Sequence[Ask], concurrency: int) -> list[str]:
        """Write the asks."""


def writer_of(simulator: Any, *, seed: int, temperature: float) -> Writer:
    """The writer that `simulator=` names; None asks for the configured one, and a `ValueError` says how to name one."""
    if simulator is False:
        return TemplateWriter(seed)
    is_model = isinstance(simulator, str | NamedModel) or callable(getattr(simulator, "ask", None))
    if callable(simulator) and not is_model:
        return AskedWriter(simulator, CALLABLE, seed)
    if simulator is True:
        raise ValueError("simulator=True names no writer: give a spec such as 'openai:gpt-4o', or False for templates")
    try:
        model = open_model(simulator, purpose="simulator")
    except ValueError as error:
        raise ValueError(f"{error}; simulator=False writes the asks from templates, without a model") from None

    def asked(told: dict[str, Any]) -> str:
        shown = json.dumps(told, ensure_ascii=False)
        messages = [{"role": "system", "content": _SYSTEM}, {"role": "user", "content": shown}]
        return without_thinking(model.ask(messages, max_tokens=_TOKENS, temperature=temperature))

    return AskedWriter(asked, str(getattr(model, "model", "") or type(model).__name__), seed)


class TemplateWriter:
    """Writes from templates, the same words for the same seed."""

    name = TEMPLATE

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def write(self, asks: Sequence[Ask], concurrency: int) -> list[str]:
        """Write the asks."""
        for ask in asks:
            ask.prompt, ask.labels = template_ask(ask.situation, ask.phrasing, self._seed)
            ask.writer = TEMPLATE
        return []


class AskedWriter:
    """Asks a model or a function for the words, told the situation and a draft; where none come the draft stands."""

    def __init__(self, asked: Callable[[dict[str, Any]], Any], name: str, seed: int) -> None:
        self._asked, self.name, self._drafts = asked, name, TemplateWriter(seed)

    def write(self, asks: Sequence[Ask], concurrency: int) -> list[str]:
        """Write the asks."""
        self._drafts.write(asks, 1)
        failed: dict[str, int] = {}
        for ask, outcome in zip(asks, outcomes(self._words, asks, concurrency), strict=True):
            words = outcome.value.strip() if isinstance(outcome.value, str) else ""
            if words:
                ask.prompt, ask.writer = words, self.name
            else:
                reason = outcome.error or "no text came back"
                failed[reason] = failed.get(reason, 0) + 1
        return [
            f"{out_of(n, len(asks), 'ask')} left as drafts of a template, since the writer {self.name} failed: {reason}"
            for reason, n in failed.items()
        ]

    def _words(self, ask: Ask) -> Any:
        return self._asked({**ask.told(), "phrasing": ask.phrasing, "draft": ask.prompt})
