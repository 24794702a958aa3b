"""Chat messages of other shapes as the plain one: Responses items, LangChain, Gemini, roles in any case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from whileai.simulations.rows.content import first_of
from whileai.simulations.rows.values import is_mapping

AGENT_ROLES = frozenset({"assistant", "model", "ai", "gpt", "chatgpt", "bard", "function_call"})
USER_ROLES = frozenset({"user", "human"})
SYSTEM_ROLES = frozenset({"system", "developer"})
TOOL_ROLES = frozenset({"tool", "function", "observation", "ipython"})
PLAIN_ROLES = frozenset({"system", "user", "assistant", "tool"})  # as OpenAI writes them
_ROLES = AGENT_ROLES | USER_ROLES | SYSTEM_ROLES | TOOL_ROLES
_CALL_ITEMS = frozenset({"function_call", "custom_tool_call", "mcp_call", "local_shell_call", "tool_call"})
_RESULT_ITEMS = frozenset({"function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_result"})

Turn = tuple[str, Mapping[str, Any]]  # a role of the plain shape, and the message


def chat_turns(messages: Any) -> Iterator[Turn]:
    """The messages of a chat in order, each with its role, in the plain shape; what is no message is left out.

    >>> [role for role, _ in chat_turns([{"role": "User", "content": "Hi"}, {"type": "ai", "content": "Yes?"}, 5])]
    ['user', 'ai']
    >>> call = {"type": "function_call", "name": "get", "arguments": "{}", "call_id": "c1"}
    >>> [role for role, _ in chat_turns([call, {"type": "function_call_output", "call_id": "c1", "output": "5"}])]
    ['assistant', 'tool']
    """
    for message in messages if isinstance(messages, list | tuple) else ():
        if type(message) is not dict and not is_mapping(message):
            continue
        role = message.get("role", message.get("from"))
        if type(role) is str and role in _ROLES and "parts" not in message:
            yield role, message
        else:
            yield from _other(role, message)


def messages_of(messages: Iterable[Any], roles: frozenset[str]) -> list[Mapping[str, Any]]:
    """The messages of a chat with these roles, in order and in the plain shape.

    >>> messages_of([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"}], USER_ROLES)
    [{'role': 'user', 'content': 'Hi'}]
    """
    found: list[Mapping[str, Any]] = []
    for message in messages:
        if type(message) is dict and type(role := message.get("role")) is str and "parts" not in message:
            if role in roles:
                found.append(message)
                continue
            if role in PLAIN_ROLES:
                continue
        found += [plain for turn, plain in chat_turns((message,)) if turn in roles]  # its shape has to be searched for
    return found


def _other(role: Any, message: Mapping[str, Any]) -> Iterator[Turn]:
    kind = message.get("type")
    if isinstance(role, str):
        role = role.strip().lower()
    elif isinstance(kind, str):
        if kind in _CALL_ITEMS or kind in _RESULT_ITEMS:
            yield from _item(kind, message)
            return
        message = _unwrapped(message)
        role = _langchain_role(message)
    if not isinstance(role, str) or role not in _ROLES:
        return
    parts = message.get("parts")
    if isinstance(parts, list | tuple) and message.get("content") is None:
        yield from _gemini(role, parts)
    else:
        yield role, message


def _item(kind: str, item: Mapping[str, Any]) -> Iterator[Turn]:
    """A call or a result that stands beside the messages, as in the Responses API."""
    call_id = first_of(item, ("call_id", "tool_call_id", "id"))
    if kind in _RESULT_ITEMS:
        result = {"tool_call_id": call_id, "content": first_of(item, ("output", "content", "result"))}
        yield "tool", {**result, "name": item.get("name"), "is_error": item.get("is_error")}
        return
    action = item.get("action")
    arguments = first_of(item, ("arguments", "input", "args", "parameters"))
    call = {
        "id": call_id,
        "name": item.get("name") or kind.removesuffix("_call"),
        "arguments": action if arguments is None and is_mapping(action) else arguments,
    }
    yield "assistant", {"tool_calls": [call]}
    if item.get("output") is not None or item.get("error") is not None:
        yield "tool", {"tool_call_id": call_id, "content": item.get("output"), "error": item.get("error")}


def _unwrapped(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """A LangChain message out of its envelope: `data` beside a type, `kwargs` beside a class."""
    inner = first_of(message, ("data", "kwargs"))
    if not is_mapping(inner):
        return message
    identity = message.get("id")
    name = identity[-1] if isinstance(identity, list | tuple) and identity else message.get("type")
    return {"type": name, **inner}


def _langchain_role(message: Mapping[str, Any]) -> str:
    kind = message.get("type")
    return kind.lower().removesuffix("chunk").removesuffix("message") if isinstance(kind, str) else ""


def _gemini(role: str, parts: list[Any] | tuple[Any, ...]) -> Iterator[Turn]:
    """A content of parts: its words and calls as one message, each function response as a result."""
    calls, words = [], []
    for part in parts:
        if isinstance(part, str):
            words.append(part)
        if not is_mapping(part):
            continue
        called = first_of(part, ("functionCall", "function_call"))
        returned = first_of(part, ("functionResponse", "function_response"))
        if is_mapping(called):
            calls.append(called)
        elif is_mapping(returned):
            yield (
                "tool",
                {"name": returned.get("name"), "tool_call_id": returned.get("id"), "content": returned.get("response")},
            )
        elif isinstance(part.get("text"), str) and part.get("thought") is not True:
            words.append(part["text"])
    if calls or words:
        yield role, {"content": "\n".join(words), "tool_calls": calls} if calls else {"content": "\n".join(words)}
