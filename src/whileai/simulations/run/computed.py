"""Answers that are worked out and are no record: a query, a sum, a translation, a command."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.values import is_bool
from whileai.simulations.run import pools
from whileai.simulations.run.draw import below, pick
from whileai.simulations.run.schema import SQL_WORDS, Declared
from whileai.simulations.run.values import value_for

_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
_SELECT, _FROM = re.compile(r"select\s", re.IGNORECASE), re.compile(r"\sfrom\s", re.IGNORECASE)


def computed(tool: Declared, arguments: Mapping[str, Any], *parts: object) -> dict[str, Any] | None:
    """The answer of a tool that works something out and holds no record: a query, a sum, a translation, a command."""
    said = {name: value for name, value in arguments.items() if isinstance(value, str)}
    query = next((said[name] for name in ("sql", "query", "statement", "q") if name in said), "")
    if query and not SQL_WORDS.isdisjoint(tool.words):
        rows = _rows(query, *parts)
        return {"status": "ok", "row_count": len(rows), "rows": rows}
    if expression := said.get("expression") or said.get("formula"):
        worked = _worked_out(expression)
        return (
            {"status": "ok", "result": worked}
            if worked is not None
            else {"status": "error", "error": "cannot work that out"}
        )
    if tool.verb == "translate" and (
        text := next((said[name] for name in ("text", "content", "message") if name in said), "")
    ):
        language = next((value for name, value in said.items() if "lang" in name.lower()), "translated")
        return {"status": "ok", "translation": f"[{language}] {text}"}
    if tool.verb == "convert" and isinstance(amount := arguments.get("amount"), int | float):
        return {"status": "ok", "converted": round(amount * (0.8 + below(40, said, *parts) / 100), 2)}
    if tool.subject is None and (command := said.get("command") or said.get("cmd")):
        return {
            "exit_code": 0,
            "stdout": "\n".join(sorted({pick(pools.FILES, command, *parts, place) for place in range(3)})),
        }
    if "content" not in said and tool.noun == "file" and not tool.changes and tool.subject in arguments:
        return {
            "status": "ok",
            tool.subject or "path": arguments[tool.subject or "path"],
            "content": _content(arguments, *parts),
        }
    return None


def _content(arguments: Mapping[str, Any], *parts: object) -> str:
    return " ".join(pick(pools.SENTENCES, sorted(map(str, arguments.values())), *parts, place) for place in (1, 2))


def _rows(query: str, *parts: object) -> list[dict[str, Any]]:
    start = _SELECT.search(query)
    end = _FROM.search(query, start.end()) if start else None  # one look for each: a query may be long and hostile
    columns_of = query[start.end() : end.start()] if start and end else "id"
    names = [one.strip().split(" ")[-1].strip('"`') for one in columns_of.split(",")]
    names = ["id", "total", "status"] if names == ["*"] else names
    if len(names) == 1 and names[0].lower().startswith("count("):
        return [{"count": 20 + below(900, query, *parts)}]
    columns = ["count" if "(" in name else name for name in names]
    return [{name: _cell(name, query, *parts, place) for name in columns} for place in range(3)]


def _cell(name: str, *parts: object) -> Any:
    if name in ("id", "count", "total", "amount"):
        return 100 + below(8000, name, *parts)
    return (
        pick(("open", "paid", "closed"), name, *parts)
        if name == "status"
        else value_for(name, {"type": "string"}, *parts)
    )


def _worked_out(expression: str) -> float | int | None:
    """The value of a sum of numbers; None for anything else. Nothing is executed."""
    if len(expression) > 200:
        return None
    try:
        return _value(ast.parse(expression, mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError, OverflowError, RecursionError, MemoryError):
        return None


def _value(node: ast.expr) -> float | int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not is_bool(node.value):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        result: float | int = _OPERATORS[type(node.op)](_value(node.left), _value(node.right))
        return round(result, 6)
    raise ValueError("no sum of numbers")
