"""The person after their first message: a model that answers the agent, and leaves when it has enough."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from whileai.simulations.run.transcript import Transcript

DONE = "[DONE]"  # what the model says when the person has what they came for, or will not get it
_TOKENS = 300  # tokens of one message of the person; convention
_SHORT_TURNS = 2  # messages of a person of short patience; convention
_SYSTEM = (
    "You play the person in a conversation with an assistant; the assistant is somebody else. Stay with what you came "
    "for, in your own plain words, one short message at a time. Never say what only the assistant could know, and "
    f"never speak for it. When you have what you came for, or see that you will not get it, answer {DONE} and nothing "
    "else."
)


class Person:
    """Plays the person with a model; `next` gives their message, None when they are through or out of patience.

    Patience is counted in their messages: short 2, normal half of `avg_turns` (a conversation's messages of both
    sides), endless until the model says it is through. Leaving for want of patience is the transcript's
    `ended_by="user_left"`.
    """

    def __init__(self, model: Any, *, patience: str, avg_turns: int, temperature: float) -> None:
        self._model, self._temperature = model, temperature
        self.name: str = getattr(model, "model", None) or type(model).__name__
        self._most = {"short": _SHORT_TURNS, "normal": max(1, avg_turns // 2)}.get(patience)

    def next(self, brief: Mapping[str, Any], script: Transcript) -> str | None:
        """The person's next message."""
        sent = sum(message["role"] == "user" for message in script.messages)
        if self._most is not None and sent >= self._most:
            script.ended_by = "user_left"
            return None
        words: str = self._model.ask(
            [{"role": "system", "content": _SYSTEM}, {"role": "user", "content": _told(brief, script.messages)}],
            max_tokens=_TOKENS,
            temperature=self._temperature,
        )
        said = words.strip()
        return None if not said or DONE in said else said


def _told(brief: Mapping[str, Any], messages: Sequence[Mapping[str, Any]]) -> str:
    """What the model is shown: who the person is, and what was said; calls and their results are the agent's."""
    spoken = [
        {"you" if message["role"] == "user" else "assistant": message["content"]}
        for message in messages
        if message["role"] != "tool" and str(message["content"]).strip()
    ]
    return json.dumps({"you are": dict(brief), "said so far": spoken}, ensure_ascii=False)
