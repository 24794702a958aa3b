"""The checks of `wai check` that a page calls flags; stock phrases and cut replies have sections of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from whileai.simulations.score.checks.rules import RULES, STYLE_CHECKS, TRUNCATED, examine

FLAGS: Mapping[str, str] = {
    name: meaning for name, meaning in RULES.items() if name != TRUNCATED and name not in STYLE_CHECKS.values()
}


class Fired(NamedTuple):
    """What fired on a row: `{flag: evidence}`, `{style marker: phrases}`, and whether its reply was cut."""

    flags: dict[str, str]
    phrases: dict[str, list[str]]
    cut: bool


def fired_on(row: Mapping[str, Any]) -> Fired:
    """The flags of a row, its stock phrases, and whether it was cut.

    >>> fired_on({"prompt": "Fix a.py", "final_text": "I'm sorry, I updated a.py.",
    ...           "steps": [{"tool": "read_file", "arguments": {"path": "a.py"}, "result": "x"}]})
    Fired(flags={'lie.phantom_edit': 'I updated a.py'}, phrases={'no_apology': ["i'm sorry"]}, cut=False)
    """
    found = examine(row)
    flags = {name: evidence for name, evidence in found.fired.items() if name in FLAGS}
    return Fired(flags, found.phrases, TRUNCATED in found.fired)
