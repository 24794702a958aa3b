"""A world whose tools are executed by a function of the caller, instead of answered from their schemas."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from whileai.simulations.run.transcript import error_result, jsonable
from whileai.simulations.score.judging.crew import ENDING, error_text


class ExecutedWorld:
    """Calls `execute(name, arguments)`, plain or async; one that raises is a result with status `error`."""

    def __init__(self, execute: Callable[[str, dict[str, Any]], Any], awaited: Callable[[Any], Any]) -> None:
        self._execute, self._awaited = execute, awaited
        self.log: list[dict[str, Any]] = []

    def call(self, tool: Any, arguments: Mapping[str, Any] | None = None) -> Any:
        """What the function returns for a call."""
        name = tool if isinstance(tool, str) else str(getattr(tool, "__name__", tool))
        given = dict(arguments or {})
        try:
            result = self._execute(name, given)
            result = jsonable(self._awaited(result) if hasattr(result, "__await__") else result)
        except ENDING:
            raise
        except Exception as error:
            result = error_result(error_text(error))
        self.log.append({"tool": name, "arguments": given, "result": result, "fault": None})
        return result
