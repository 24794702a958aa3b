"""`AgentProfile`: what an agent was told and what it can call."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class AgentProfile:
    """An agent as its rows need it: its tools, its system prompt (`policy`), its name, what it is judged by.

    `tools` are schemas in the OpenAI envelope, `policy` is `""` without a system prompt.

    >>> profile = AgentProfile(policy="Ask before you cancel.", name="support")
    >>> profile.system_prompt, profile.tools
    ('Ask before you cancel.', [])
    """

    tools: list[Any] = field(default_factory=list)
    policy: str = ""
    name: str = "agent"
    rubric: Any = None

    @property
    def system_prompt(self) -> str:
        """The system prompt, by its other name."""
        return self.policy
