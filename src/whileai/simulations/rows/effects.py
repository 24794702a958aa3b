"""What a call does to the world: whether it reads, writes, deletes or runs a command, and what it touches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from whileai.simulations.rows.calls import Call
from whileai.simulations.rows.fields import CONTENT_FIELDS, PATH_FIELDS, spellings
from whileai.simulations.rows.names import (
    checks_by_name,
    may_change,
    name_words,
    opens_with_change,
    says_change,
    says_command,
    says_delete,
    words_in,
)
from whileai.simulations.rows.patch import added_text, is_patch, patched_files, removed_text
from whileai.simulations.rows.programs import changes, only_reads, sql_changes
from whileai.simulations.rows.shell import COMMAND_FIELDS, read_script, script_text

__all__ = [
    "CONTENT_FIELDS",
    "PATH_FIELDS",
    "PENDING",
    "TOUCHING_FIELDS",
    "Effect",
    "attempted_change",
    "call_effect",
    "call_paths",
    "call_script",
    "call_sql",
    "could_change",
    "may_change",
    "name_words",
    "opens_with_change",
    "replaced_text",
    "succeeded_change",
    "written_text",
]


_MORE_CONTENT = spellings(  # content too, of tools that say they write
    "code_edit", "new_source", "new_text", "replacement", "new_content",
)  # fmt: skip
_OLD_FIELDS = spellings("old_string", "old_str", "old_text", "old_content", "search", "find")
PATCH_FIELDS = ("patch", "diff", "input")
_SQL_FIELDS = ("query", "sql", "statement")
_SQL_NAMES = words_in(
    """
    sql database db postgres postgresql mysql sqlite bigquery snowflake duckdb redshift clickhouse mariadb psql
    """
)
_EDITS = {"view": "read", "create": "write", "str_replace": "write", "insert": "write", "undo_edit": "write"}
PENDING = frozenset({"queued", "pending"})  # status words of a call that neither succeeded nor failed
_NOT_DONE = PENDING | {"already_done", "already_acted_on"}
TOUCHING_FIELDS = frozenset(
    ("edits", *_MORE_CONTENT, *PATH_FIELDS, *CONTENT_FIELDS, *PATCH_FIELDS, *COMMAND_FIELDS, *_SQL_FIELDS)
)


class Effect(StrEnum):
    """The kind of a call."""

    READ = "read"
    WRITE = "write"
    DELETE = "delete"
    COMMAND = "command"


_KINDS = {effect.value: effect for effect in Effect}
_CHANGES = frozenset({Effect.WRITE, Effect.DELETE})


def call_effect(call: Call, kinds: Mapping[str, str] | None = None) -> Effect | None:
    """The kind of a call, from its name and its arguments; None when neither tells.

    `kinds` says it by exact tool name; a value that is no kind means none.

    >>> call_effect(Call("edit_file", {"path": "a.py", "content": "x"})), call_effect(Call("bash", {"command": "ls"}))
    (<Effect.WRITE: 'write'>, <Effect.COMMAND: 'command'>)
    >>> call_effect(Call("get_weather", {"city": "Oslo"})), call_effect(Call("stage"), {"stage": "write"})
    (<Effect.READ: 'read'>, <Effect.WRITE: 'write'>)
    """
    name, arguments = call.name, call.arguments
    if kinds is not None and name in kinds:
        kind = kinds[name]
        return _KINDS.get(kind) if isinstance(kind, str) else None
    if arguments and not TOUCHING_FIELDS.isdisjoint(arguments):
        found = _by_arguments(name, arguments)
        if found is not None:
            return found
    return _by_name(name) or (Effect.READ if _has(arguments, PATH_FIELDS) else _reads(name))


def _by_arguments(name: str, arguments: Mapping[str, Any]) -> Effect | None:
    """What the arguments say beside the name, None when they leave it to the name."""
    path = _has(arguments, PATH_FIELDS)
    sub = arguments.get("command")
    if path and isinstance(sub, str) and sub in _EDITS:
        return _KINDS[_EDITS[sub]]
    named = _by_name(name)
    if named is Effect.COMMAND or (named is None and _reads(name) is None):
        if script_text(arguments) or _sql_of(name, arguments):
            return Effect.COMMAND
    elif named is None and _sql_of(name, arguments):
        return Effect.COMMAND
    if not path:
        return None
    if says_delete(name):
        return Effect.DELETE
    return Effect.WRITE if _has(arguments, CONTENT_FIELDS) and (named is not None or may_change(name)) else None


def _by_name(name: str) -> Effect | None:
    if says_delete(name):
        return Effect.DELETE
    if says_command(name):
        return Effect.COMMAND
    return Effect.WRITE if says_change(name) else None


def _reads(name: str) -> Effect | None:
    return None if may_change(name) else Effect.READ


def _has(arguments: Mapping[str, Any], fields: tuple[str, ...]) -> bool:
    return any(isinstance(arguments.get(name), str) and arguments[name] for name in fields)


def _sql_of(name: str, arguments: Mapping[str, Any]) -> str:
    if isinstance(arguments.get("sql"), str):
        return str(arguments["sql"])
    if says_command(name) or not _SQL_NAMES.isdisjoint(name_words(name)):
        return next((arguments[f] for f in _SQL_FIELDS if isinstance(arguments.get(f), str) and arguments[f]), "")
    return ""


def call_script(call: Call) -> str:
    """The shell script of a command call, `""` when it has none."""
    return script_text(call.arguments)


def call_sql(call: Call) -> str:
    """The SQL a call runs, `""` when it is no SQL tool."""
    return _sql_of(call.name, call.arguments)


def attempted_change(call: Call, kinds: Mapping[str, str] | None = None) -> bool:
    """Whether a call tried to write or delete, failed or not; of a shell command, whether it names a change.

    >>> [attempted_change(Call("bash", {"command": c})) for c in ("sed -i s/a/b/ x", "cat x 2>/dev/null")]
    [True, False]
    """
    effect = call_effect(call, kinds)
    if effect is not Effect.COMMAND:
        return effect in _CHANGES
    return sql_changes(call_sql(call)) or any(map(changes, read_script(call_script(call))))


def could_change(call: Call, kinds: Mapping[str, str] | None = None) -> bool:
    """Whether a call may have changed something: all that `attempted_change` says, and what cannot be told.

    A script of programs nobody knows, code in another language, a tool with an unknown verb: each may have.

    >>> [could_change(Call("bash", {"command": c})) for c in ("python fix.py", "pytest -q | tail")]
    [True, False]
    """
    effect = call_effect(call, kinds)
    if effect is None:
        return not (kinds is not None and call.name in kinds) and may_change(call.name)
    if effect is not Effect.COMMAND:
        return effect in _CHANGES
    if script := call_script(call):
        return not all(map(only_reads, read_script(script)))
    if sql := call_sql(call):
        return sql_changes(sql)
    return not checks_by_name(call.name)


def succeeded_change(call: Call) -> bool:
    """Whether a write happened: a call that may change, with a result that is neither a failure nor still pending.

    What was in the requested state already (`already_done`) was not changed by this call.

    >>> succeeded_change(Call("refund", result={"status": "refunded"}, answered=True))
    True
    >>> succeeded_change(Call("refund", result={"status": "queued"}, answered=True))
    False
    """
    if not call.answered or call.failed or not may_change(call.name):
        return False
    if isinstance(call.result, Mapping):
        for value in (call.result.get("status"), call.result.get("reason")):
            if isinstance(value, str) and value.strip().lower() in _NOT_DONE:
                return False
    return call_effect(call) is not Effect.COMMAND or could_change(call)


def call_paths(call: Call) -> list[str]:
    """The paths among the arguments of a call, and the files its patch names.

    >>> call_paths(Call("open", {"path": ".npmrc"})), call_paths(Call("p", {"input": "*** Update File: a.py"}))
    (['.npmrc'], ['a.py'])
    """
    paths = [value for name in PATH_FIELDS if isinstance(value := call.arguments.get(name), str) and value]
    for text in _patches(call):
        paths += patched_files(text)
    return paths


def written_text(call: Call) -> str:
    """The text a write puts into the world: its content arguments, the lines its patch adds.

    >>> written_text(Call("edit", {"path": "a", "old_string": "x", "new_string": "y"}))
    'y'
    """
    patches = list(_patches(call))
    texts = [added_text(text) for text in patches]
    for arguments in (call.arguments, *_edits(call)):
        for name in (*CONTENT_FIELDS, *_MORE_CONTENT, *COMMAND_FIELDS):
            value = arguments.get(name)
            if isinstance(value, str) and value not in patches:
                texts.append(value)
    return "\n".join(texts)


def replaced_text(call: Call) -> str:
    """The text a write takes the place of, as far as its arguments tell.

    >>> replaced_text(Call("edit", {"path": "a", "old_string": "x", "new_string": "y"}))
    'x'
    """
    found = (arguments.get(name) for arguments in (call.arguments, *_edits(call)) for name in _OLD_FIELDS)
    return "\n".join([*(text for text in found if isinstance(text, str)), *map(removed_text, _patches(call))])


def _edits(call: Call) -> Iterator[Mapping[str, Any]]:
    """The edits of a call that makes several at once."""
    edits = call.arguments.get("edits")
    for edit in edits if isinstance(edits, list | tuple) else ():
        if isinstance(edit, Mapping):
            yield edit


def _patches(call: Call) -> Iterator[str]:
    """The patches a call holds, in its arguments or as text that is no dict of them."""
    for name in (*PATCH_FIELDS, *CONTENT_FIELDS):
        value = call.arguments.get(name)
        if isinstance(value, str) and is_patch(value):
            yield value
    if call.unreadable is not None and is_patch(call.unreadable):
        yield call.unreadable
