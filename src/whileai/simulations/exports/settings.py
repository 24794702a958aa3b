"""The arguments of an export, checked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from whileai.simulations.arguments import whole
from whileai.simulations.errors import meant
from whileai.simulations.exports.tools import enveloped

Tools = list[dict[str, Any]]
Choice = TypeVar("Choice", bound=StrEnum)


class Form(StrEnum):
    """What reads the file."""

    OPENAI = "openai"
    TRL = "trl"
    FIREWORKS = "fireworks"
    VERIFIERS = "verifiers"


class MaskMode(StrEnum):
    """Which turns are trained on: all of the agent's, or its last."""

    ASSISTANT = "assistant"
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class Settings:
    """How lines are made; `system_prompt` and `tools` are None where those of the source or the row hold."""

    form: Form
    system_prompt: str | None
    tools: Tools | None
    strip_think: bool
    validate: bool
    mask_mode: MaskMode = MaskMode.ASSISTANT
    unroll: bool = False
    max_tool_output_chars: int | None = None

    @classmethod
    def checked(
        cls, forms: Iterable[Form], *, form: Any, system_prompt: Any, tools: Any, strip_think: bool, validate: bool,
        mask_mode: str = MaskMode.ASSISTANT, unroll: bool = False, max_tool_output_chars: Any = None,
    ) -> Settings:  # fmt: skip
        """The settings, or a ValueError that names the argument and what it accepts."""
        form = _one_of("format", form, forms)
        if unroll and form == Form.VERIFIERS:
            raise ValueError("unroll=True makes lines to train on; format='verifiers' writes tasks: leave it out")
        if system_prompt is not None and not isinstance(system_prompt, str):
            raise TypeError(f"system_prompt must be text, got {type(system_prompt).__name__}")
        most = max_tool_output_chars
        return cls(
            form=form,
            system_prompt=system_prompt,
            tools=None if tools is None else enveloped(tools),
            strip_think=bool(strip_think),
            validate=bool(validate),
            mask_mode=_one_of("mask_mode", mask_mode, MaskMode),
            unroll=bool(unroll),
            max_tool_output_chars=None if most is None else whole("max_tool_output_chars", most, 1),
        )


def _one_of(name: str, value: Any, choices: Iterable[Choice]) -> Choice:
    known = {choice.value: choice for choice in choices}
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{name} must be one of {', '.join(known)}, got {value!r}{meant(value, known)}")
    return known[value]
