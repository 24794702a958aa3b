"""The tools an agent was given, as a caller names them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

_ACCEPTED = "tool names or tool schemas (dicts with a name)"


def declared_names(declared: Any) -> frozenset[str]:
    """The names among names and tool schemas in any of the three shapes; None is no tools, a string one name.

    >>> sorted(declared_names(["get", {"name": "pay"}, {"type": "function", "function": {"name": "send"}}]))
    ['get', 'pay', 'send']
    """
    if declared is None:
        return frozenset()
    if isinstance(declared, str) or _schema_name(declared):
        declared = [declared]
    if isinstance(declared, bytes) or not isinstance(declared, Iterable):
        raise TypeError(f"declared_tools= takes {_ACCEPTED}, got {type(declared).__name__}")
    return frozenset(map(_name, declared))


def _name(tool: Any) -> str:
    name = tool if isinstance(tool, str) else _schema_name(tool)
    if not name:
        raise TypeError(f"declared_tools= takes {_ACCEPTED}, and one is {_shown(tool)}")
    return name


def _schema_name(tool: Any) -> str:
    """The name in a schema, `""` for anything else."""
    if not isinstance(tool, Mapping):
        return ""
    inner = tool.get("function")
    name = (inner if isinstance(inner, Mapping) else tool).get("name")
    return name if isinstance(name, str) else ""


def _shown(tool: Any) -> str:
    if isinstance(tool, Mapping):
        return "a dict without a name"
    return "an empty name" if isinstance(tool, str) else f"of type {type(tool).__name__}"
