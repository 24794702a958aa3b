"""Texts that open with an error word and are no failure: what a read was asked for, a setting, a count."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.fields import PATH_FIELDS
from whileai.simulations.rows.names import may_change, name_words, says_command, words_in
from whileai.simulations.rows.programs import SEARCHES
from whileai.simulations.rows.runners import plain_words
from whileai.simulations.rows.shell import Command, read_script, script_text

_MOST_LINE = 500  # characters of a first line that are read
_VALUE = r"[\"']?(?:(?![45]\d\d\b)\d[\d.]*+ ?(?:[a-z%]{1,8}\b)?|null|none|nil|false|~)[\"']?"
_SETTING = re.compile(  # `timeout: 30`, `error: null`, `denied: 3, approved: 9`
    rf"\W*+(?:timeout|(?P<counted>\w++))[ \"']*[:=] *+(?P<value>{_VALUE})[ \t]*+"
    r"(?:(?P<more>[,;|\n] *+\W*+[\w -]{1,40}+[\"']?[:=])|\Z|[\n}])",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"\W*+(?:0+(?:\.0+)?|null|none|nil|false|~)\b", re.IGNORECASE)
_HEADING = re.compile(
    r"\W*+\w++(?: (?!to\b|with\b|while\b|in\b|at\b|on\b|\w+ing )[\w-]++){0,3} (?:\w+s|handling|report|log|summary|list"
    r"|overview|policy|reference|guide|budget|rate|history|tracking|reporting|logging):?\W*+\Z",
    re.IGNORECASE,
)
_LOGGED = re.compile(
    r"\W*+(?:failed|denied) (?:password|login|logins|log-?ins?|attempts?|auth\w*|connection from)\b", re.I
)
_OWN_ERROR = re.compile(  # what a tool says of its own failing, whatever it was to read
    r"\b(?:no such (?:file|table|index|container|unit)|not found|does(?:n't| not) exist|permission denied|access denied"
    r"|is a directory|(?:cannot|can't|could not|couldn't|unable to|failed to) (?:\w+ )?(?:open|read|access|load"
    r"|fetch|list|find"
    r"|execute|run|connect|reach|query|search)|timeout (?:after|exceeded|waiting)|command (?:failed|not|timed)"
    r"|exit code|timed out|too (?:large|big|long|many)"
    r"|binary file|invalid (?:path|argument|parameter|query|request)|unauthori[sz]ed|forbidden)\b",
    re.IGNORECASE,
)
_PATH = re.compile(r"[\w.~-]*+(?:/[\w.~-]++)++|[\w~-]++(?:\.[\w~-]++)*+\.[a-z]{1,6}\b", re.IGNORECASE)
_TEXT_FILE = re.compile(
    r"\.(?:log|txt|out|err|md|rst|adoc|json|jsonl|ndjson|csv|tsv|ya?ml|ini|toml|cfg|conf|html?|xml|properties|env|trace"
    r"|dump|report|eml|\d+)\Z"
    r"|(?:^|[/\\])[^./\\]*\Z|log|err|trace|crash|stderr|stdout",
    re.IGNORECASE,
)
_LOGS = words_in(
    """
    log logs logfile syslog journal journalctl events audit alert alerts incident incidents trace traces traceback
    errors stderr stdout output crash crashes dmesg exceptions failures
    """
)
_SHOWS = SEARCHES | words_in(
    """
    cat bat head tail less more sed awk gawk nl tac cut sort uniq wc cd pwd journalctl dmesg zcat column strings echo tr
    """
)
_LOG_COMMANDS = frozenset(["docker", "podman", "kubectl", "git", "gh", "heroku", "aws", "pm2", "supervisorctl"])


def is_content(text: str, tool: str, arguments: Mapping[str, Any] | None) -> bool:
    """Whether a text that speaks of failing is what a read was asked for.

    A read gives back what a file, a log or a list holds. It failed when the text speaks of the reading itself: it
    names the file that was asked for, or says that it is not there or may not be read.

    >>> is_content("Error: disk full at 09:12", "read_file", {"path": "err.log"})
    True
    >>> is_content("Error: no such file: err.log", "read_file", {"path": "err.log"})
    False
    """
    stripped = text.strip()
    files = _files(arguments)
    shown = _shown(tool, arguments)
    if shown:
        return not _speaks_of_itself(stripped, [word for command in shown for word in plain_words(command.arguments)])
    if may_change(tool) or says_command(tool) or not tool:
        return False
    if files:
        if all(map(_TEXT_FILE.search, files)):
            return not _speaks_of_itself(stripped, files)
        return "\n" in stripped and _HEADING.match(_first_line(stripped)) is not None
    if not _LOGS.isdisjoint(name_words(tool)):
        return not _speaks_of_itself(stripped, ())
    return _LOGGED.match(stripped) is not None or (
        "\n" in stripped and _HEADING.match(_first_line(stripped)) is not None
    )


def shows_files(tool: str, arguments: Mapping[str, Any] | None) -> bool:
    """Whether a call only prints what files or logs hold.

    >>> shows_files("bash", {"command": "tail ci.log"}), shows_files("bash", {"command": "pytest | tail"})
    (True, False)
    """
    return tool.lower() in SEARCHES or bool(_shown(tool, arguments))


def _shown(tool: str, arguments: Mapping[str, Any] | None) -> list[Command]:
    """The commands of a script that only prints what files or logs hold."""
    script = script_text(arguments) if arguments else ""
    if not script or not (says_command(tool) or may_change(tool)):
        return []
    commands = read_script(script)
    return commands if all(map(_shows, commands)) else []


def is_setting(text: str) -> bool:
    """Whether a text opens with a setting or a count and not with an error.

    >>> [is_setting(text) for text in ("timeout: 30", "denied: 3, approved: 9", "Error: 404 Not Found", "Denied")]
    [True, True, False, False]
    """
    found = _SETTING.match(text)
    if found is None:
        return False
    return found["counted"] is None or bool(found["more"]) or _NOTHING.match(found["value"]) is not None


def _first_line(text: str) -> str:
    return text[:_MOST_LINE].partition("\n")[0]


def _files(arguments: Mapping[str, Any] | None) -> list[str]:
    given = ((arguments or {}).get(name) for name in PATH_FIELDS)
    return [path for path in given if isinstance(path, str) and path]


def _shows(command: Command) -> bool:
    """Whether a command prints what files or logs hold."""
    if command.program in _LOG_COMMANDS:
        return not {"log", "logs", "show", "blame", "grep", "events", "view"}.isdisjoint(command.arguments)
    return command.program in _SHOWS and not command.writes


def _speaks_of_itself(text: str, asked: list[str] | tuple[str, ...]) -> bool:
    """Whether a text tells that the reading failed: of the files asked for, or of no file at all."""
    line = _first_line(text) + text[-_MOST_LINE:].rpartition("\n")[2]
    names = {path.replace("\\", "/").rstrip("/").rpartition("/")[2] for path in asked}
    told = {path.rpartition("/")[2] for path in _PATH.findall(line)}
    if not names.isdisjoint(told):
        return True
    return not told and text.count("\n") <= 1 and _OWN_ERROR.search(line) is not None
