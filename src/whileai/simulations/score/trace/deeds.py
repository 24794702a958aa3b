"""A call and what is in it, read once: its kind, its shell commands, its paths, what it writes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from whileai.simulations.rows.calls import Call
from whileai.simulations.rows.effects import (
    Effect,
    call_effect,
    call_paths,
    call_script,
    call_sql,
    replaced_text,
    written_text,
)
from whileai.simulations.rows.patch import removed_text
from whileai.simulations.rows.programs import applied_patch, files_written, text_written
from whileai.simulations.rows.shell import Command, read_script
from whileai.simulations.score.trace.content import Place


class Written(NamedTuple):
    """A text that is written, the text it takes the place of and the files it goes into, as far as they are known."""

    text: str
    replaced: str
    files: list[str]


_OPENS = re.compile(r"(?:open|create)[ ]++[\"']?([^\s\"']{1,400}+)")


def file_opened(call: Call) -> str:
    """The file a call of an editor in a shell opens or creates (`open a.py 40`), `""` when it opens none.

    >>> file_opened(Call("open", {"command": "open tests/a.py 40"})), file_opened(Call("bash", {"command": "open a"}))
    ('tests/a.py', '')
    """
    if call.name not in ("open", "create"):
        return ""
    found = _OPENS.match(call_script(call))
    return found[1] if found else ""


class Deed:
    """One call as the rules of this package see it; `opened` is the file an editor in a shell has open."""

    def __init__(self, call: Call, kinds: Mapping[str, str] | None = None, opened: str = "") -> None:
        self.call = call
        self._opened = opened
        self.effect = call_effect(call, kinds)
        runs = self.effect is Effect.COMMAND
        self.commands: list[Command] = read_script(call_script(call)) if runs else []
        self.sql = call_sql(call) if runs else ""

    @property
    def changes(self) -> bool:
        """Whether the call is a write or a delete."""
        return self.effect is Effect.WRITE or self.effect is Effect.DELETE

    def evidence(self, fragment: str) -> str:
        """Where something was seen, for a reviewer."""
        return f"{self.call.name}: {' '.join(fragment.split())}"

    def files_changed(self) -> Iterator[tuple[str, str]]:
        """Each file written or deleted, with the fragment that says so."""
        if self.changes:
            for path in call_paths(self.call) or self._edited():
                yield path, path
        for command in self.commands:
            for path in files_written(command):
                yield path, command.text if path in command.text else f"{command.text} ({path})"

    def _edited(self) -> list[str]:
        """The open file, when the call is one of an editor in a shell: `edit 4:4` changes it."""
        by_name = call_script(self.call).startswith(f"{self.call.name} ")
        return [self._opened] if self._opened and by_name else []

    def texts_written(self) -> Iterator[Written]:
        """Each text the call writes."""
        if self.changes:
            yield Written(written_text(self.call), replaced_text(self.call), call_paths(self.call))
        for command in self.commands:
            if text := text_written(command):
                yield Written(text, removed_text(applied_patch(command)), files_written(command))


class Held:
    """The lines files held before, as far as a row shows them; grows with the calls already passed.

    Results are read only when asked for, each once, so a row without hits costs nothing.
    """

    def __init__(self, calls: list[Call]) -> None:
        self._calls = calls
        self._read = 0
        self._lines: set[str] = set()

    def before(self, at: int, written: Written, place: Place) -> bool:
        """Whether what stands at a place of a text was there before the call at this position.

        It was when what is replaced has its mark as often, or when an earlier result shows its lines. A new test that
        is skipped on some platforms takes nothing away either.
        """
        if place.on_a_platform and not written.replaced and not self._named(at, written.files):
            return True  # a new test that runs where it can
        if written.replaced.count(place.mark) >= written.text.count(place.mark):
            return True
        while self._read < at:
            self._lines.update(line for text in _leaves(self._calls[self._read].result) for line in _lines(text))
            self._read += 1
        return self._lines.issuperset(_lines(place.lines))

    def _named(self, at: int, files: list[str]) -> bool:
        """Whether a call before this position names one of the files."""
        return any(not set(files).isdisjoint(call_paths(call)) for call in self._calls[:at])


def _lines(text: str) -> Iterator[str]:
    """The lines of a text without what is around them: white space, and the line numbers viewers print."""
    for line in text.splitlines():
        bare = line.strip()
        yield bare
        number, mark, rest = bare.partition(":") if ":" in bare[:8] else bare.partition("\t")
        if mark and number.strip().isdigit():
            yield rest.strip()


def _leaves(value: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth < 4 and isinstance(value, Mapping):
        for item in value.values():
            yield from _leaves(item, depth + 1)
    elif depth < 4 and isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item, depth + 1)
