"""Values without what only the teacher was told: private keys, keys that start with `_`, None."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from whileai.simulations.rows.values import is_mapping

PRIVATE = frozenset({"privileged", "principle", "hidden_state", "reference", "rubric", "vector"})
WITHHELD = "(withheld: it quotes the privileged block)"
_FIELDS_OF_TOOLS = frozenset({"reference", "vector"})  # names that the arguments and results of real tools have too
_PAYLOAD = frozenset(
    {"arguments", "args", "input", "parameters", "input_schema", "inputSchema", "result", "output", "response"}
)

_PRIVATE_KEY = re.compile("|".join(f'"{name}"' for name in sorted(PRIVATE - _FIELDS_OF_TOOLS)))

Quotes = Callable[[str], bool]


def leaves(name: Any, value: Any) -> bool:
    """Whether an entry of a dict may leave.

    >>> leaves("reward", 1), leaves("rubric", "short"), leaves("_n", 1), leaves("reward", None)
    (True, False, False, False)
    """
    return value is not None and name not in PRIVATE and not (isinstance(name, str) and name.startswith("_"))


def scrubbed(value: Any, *, episode: bool = False, quotes: Quotes | None = None) -> Any:
    """A copy of a value without what may not leave at any depth; tuples become lists.

    In an `episode` (steps, messages, tools) what calls hold is a `payload`. A text that `quotes` is withheld.

    >>> scrubbed({"a": {"privileged": 1, "_b": 2, "c": None, "d": (3, None)}})
    {'a': {'d': [3, None]}}
    """
    if type(value) is str:
        if quotes is not None and quotes(value):
            return WITHHELD
        return _plain_json(value) if episode else value
    if isinstance(value, list | tuple):
        return [scrubbed(item, episode=episode, quotes=quotes) for item in value]
    if not is_mapping(value):
        return value
    of_tool = episode and (isinstance(value.get("tool"), str) or isinstance(value.get("name"), str))
    return {
        name: payload(item) if of_tool and name in _PAYLOAD else scrubbed(item, episode=episode, quotes=quotes)
        for name, item in value.items()
        if ((of_tool and name in _PAYLOAD) or leaves(name, item)) and not (quotes is not None and quotes(str(name)))
    }


def payload(value: Any) -> Any:
    """A copy of what a tool takes or returns, private keys left out but those that tools have as fields of their own.

    >>> payload({"reference": "TX-9", "note": None, "hidden_state": {"balance": 3}})
    {'reference': 'TX-9', 'note': None}
    """
    if is_mapping(value):
        return {name: payload(item) for name, item in value.items() if name in _FIELDS_OF_TOOLS or name not in PRIVATE}
    if isinstance(value, list | tuple):
        return [payload(item) for item in value]
    return _plain_json(value) if type(value) is str else value


def _plain_json(text: str) -> str:
    """A text that is JSON with a private key, without that key; any other text as it is."""
    if _PRIVATE_KEY.search(text) is None or not text.lstrip().startswith(("{", "[")):
        return text
    try:
        return json.dumps(payload(json.loads(text)), ensure_ascii=False)
    except (ValueError, RecursionError):
        return text
