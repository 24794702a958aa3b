"""What a shell script runs: its simple commands, their words, the files they redirect into, their here-documents."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from whileai.simulations.rows.values import as_text

COMMAND_FIELDS = ("command", "cmd", "script", "shell")
_SHELLS = frozenset({"sh", "bash", "zsh", "dash"})
_MOST_TEXT = 2000  # characters of a command that are kept as written
_MOST_NESTED = 4  # scripts within scripts (bash -c); deeper ones are left unread
_TOKEN = re.compile(
    r"""(?P<space>(?:[ \t\r]|\\\r?\n)++|\$?\(\([^()]*+(?:\([^()]*+\)[^()]*+)*+\)\))
    |(?P<comment>(?<![^\s;|&()])\#[^\n]*+)
    |(?P<redirect>(?:\d++(?=[<>])|&(?=>))?+(?:<<<|<<-?|>>|>\||[<>]&|<>|<(?!\()|>(?!\()))
    |(?P<open>[$<>]?\()
    |(?P<close>\))
    |(?P<joiner>&&|\|\||\|&?|;;?|&|\n)
    |(?P<word>(?:[^\s'"\\;|&<>()$`]|'[^']*+'?|"[^"\\]*+(?:\\.[^"\\]*+)*+"?|\\.|\$(?!\()|`[^`]*+`?)++)""",
    re.DOTALL | re.VERBOSE,
)
_QUOTED = re.compile(r"""'([^']*+)'?|"([^"\\]*+(?:\\.[^"\\]*+)*+)"?|\\(.)""", re.DOTALL)
_ESCAPED = re.compile(r'\\(["\\$`\n])')
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*+\+?=")
_RESERVED = frozenset(["if", "then", "else", "elif", "do", "while", "until", "!", "{", "}", "(", "fi", "done"])
_WRAPPERS: Mapping[str, frozenset[str]] = {  # programs that run the rest of their line: options that take a value
    "sudo": frozenset({"-u", "-g", "-h", "-p", "-C"}),
    "env": frozenset({"-u", "-C", "-S"}),
    "nice": frozenset({"-n"}),
    "xargs": frozenset({"-n", "-I", "-P", "-L", "-d", "-a", "-s"}),
    "timeout": frozenset({"-s", "-k"}),
    "stdbuf": frozenset({"-i", "-o", "-e"}),
    "time": frozenset(),
    "nohup": frozenset(),
    "command": frozenset(),
    "exec": frozenset(),
    "npx": frozenset({"-p", "--package"}),
    "bunx": frozenset(),
    "uvx": frozenset({"--from", "--with", "-p", "--python"}),
    "watch": frozenset({"-n"}),
    "doas": frozenset({"-u"}),
}
_CONTAINERS = frozenset({"docker", "podman", "docker-compose"})
_CONTAINER_OPTIONS = frozenset({"-e", "--env", "-u", "--user", "-w", "--workdir", "--index"})
_RUNNER_OPTIONS = frozenset({"-n", "-p", "--name", "--prefix", "--with", "--python", "--extra", "--group"})
_RUNNERS = frozenset(
    [
        ("uv", "run"), ("poetry", "run"), ("pipenv", "run"), ("hatch", "run"), ("pdm", "run"), ("rye", "run"),
        ("bundle", "exec"), ("pnpm", "exec"), ("yarn", "exec"), ("npm", "exec"), ("pnpm", "dlx"),
        ("conda", "run"), ("mamba", "run"),
    ]
)  # fmt: skip


@dataclass(slots=True)
class Command:
    """One simple command of a script.

    `words` are its words without quotes, wrappers (`sudo`, `env A=1`, `uv run`) left out and the program's folder cut
    off; `text` is the command as written; `writes` the files it redirects its output into, `reads` those
    its input comes from; `body` its here-documents; `joiner` what follows it (`|`, `||`, `&&`, `;`, a newline, or
    nothing).
    """

    words: list[str]
    text: str
    writes: list[str] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    body: str = ""
    joiner: str = ""

    @property
    def program(self) -> str:
        """The name of the program, `""` when there is none."""
        return self.words[0] if self.words else ""

    @property
    def arguments(self) -> list[str]:
        """The words after the program."""
        return self.words[1:]


def script_text(arguments: Mapping[str, Any], fields: tuple[str, ...] = COMMAND_FIELDS) -> str:
    """The script in a call's arguments, `""` when there is none; a list of words becomes one line.

    >>> script_text({"cmd": ["bash", "-lc", "ls src"]}), script_text({"command": ["rm", "my file"]})
    ('ls src', "rm 'my file'")
    """
    for name in fields:
        value = arguments.get(name)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, list | tuple) and value:
            return line_of([as_text(word) for word in value])
    return ""


def line_of(words: list[str]) -> str:
    """The words of a command as one line of shell; of `bash -c SCRIPT` the script.

    >>> line_of(["bash", "-c", "rg a | wc"]), line_of(["rg", "a b"])
    ('rg a | wc', "rg 'a b'")
    """
    if len(words) == 3 and words[0].rpartition("/")[2] in _SHELLS and words[1] in ("-c", "-lc"):
        return words[2]
    return shlex.join(words)


def read_script(script: str, depth: int = 0) -> list[Command]:
    """The simple commands of a script in order, those inside `$(...)` and `bash -c` included.

    Quoted text is a word and nothing more; the lines of a here-document are the `body` of their command.

    >>> [c.words for c in read_script("cd a && sudo rm -rf 'b c' 2>/dev/null; echo x > log")]
    [['cd', 'a'], ['rm', '-rf', 'b c'], ['echo', 'x']]
    """
    found = _Reader(script).read()
    read: list[Command] = []
    for command in found:
        command.words = _unwrapped(command.words)
        read.append(command)
        inner = _inner_script(command)
        if inner and depth < _MOST_NESTED:
            nested = read_script(inner, depth + 1)
            if nested:
                nested[-1].joiner = nested[-1].joiner or command.joiner
                read += nested
    return read


class _Reader:
    """One pass over a script; a nested `$(` puts the command it stands in aside until its `)`."""

    def __init__(self, script: str) -> None:
        self.script = script
        self.done: list[Command] = []
        self.current = Command([], "")
        self.start = 0
        self.outer: list[tuple[Command, int]] = []
        self.expected: str | None = None
        self.heredocs: list[tuple[Command, str]] = []

    def read(self) -> list[Command]:
        at = 0
        while at < len(self.script):
            token = _TOKEN.match(self.script, at)
            if token is None:
                at += 1
                continue
            at = token.end()
            kind = token.lastgroup
            if kind == "word":
                self._word(token[0])
            elif kind == "redirect":
                self.expected = token[0].lstrip("0123456789&")
            elif kind == "joiner":
                self._end(token[0], token.start(), token.end())
                if token[0] == "\n" and self.heredocs:
                    at = self._bodies(at)
                    self.start = at
            elif kind == "open":
                self.expected = None
                self.outer.append((self.current, self.start))
                self.current, self.start = Command([], ""), token.end()
            elif kind == "close":
                self._end("", token.start(), token.end())
                if self.outer:
                    self.current, self.start = self.outer.pop()
        self._end("", len(self.script), len(self.script))
        while self.outer:
            self.current, self.start = self.outer.pop()
            self._end("", len(self.script), len(self.script))
        return self.done

    def _word(self, token: str) -> None:
        word = _unquoted(token)
        if self.expected is None:
            self.current.words.append(word)
            return
        redirect, self.expected = self.expected, None
        if redirect.startswith("<<") and redirect != "<<<":
            self.heredocs.append((self.current, word))
        elif redirect in (">", ">>", ">|", "<>") or (redirect == ">&" and not word.isdigit() and word != "-"):
            self.current.writes.append(word)
        elif redirect == "<":
            self.current.reads.append(word)
        elif redirect == "<<<":
            self.current.body += word

    def _end(self, joiner: str, end: int, after: int) -> None:
        command = self.current
        if command.words or command.writes:
            command.text = self.script[self.start : min(end, self.start + _MOST_TEXT)].strip()
            command.joiner = joiner
            self.done.append(command)
        self.current, self.start, self.expected = Command([], ""), after, None

    def _bodies(self, at: int) -> int:
        for command, delimiter in self.heredocs:
            start = at
            while at < len(self.script):
                end = self._line_end(at)
                if self.script[at:end].strip() == delimiter:
                    break
                at = end + 1
            command.body += self.script[start:at]
            at = self._line_end(at) + 1
        self.heredocs = []
        return min(at, len(self.script))

    def _line_end(self, at: int) -> int:
        end = self.script.find("\n", at)
        return len(self.script) if end < 0 else end


def _unquoted(token: str) -> str:
    if "'" not in token and '"' not in token and "\\" not in token:
        return token
    return _QUOTED.sub(_plain, token)


def _plain(found: re.Match[str]) -> str:
    if found[1] is not None:
        return found[1]
    return found[3] if found[2] is None else _ESCAPED.sub(r"\1", found[2])


def _unwrapped(words: list[str]) -> list[str]:
    """The words from the program on: what assigns, is reserved or runs the rest of the line is left out."""
    at = 0
    while at < len(words):
        word = words[at]
        name = word.rpartition("/")[2].removesuffix(".exe")
        if word in ("for", "case", "select"):
            return []
        if word in _RESERVED or _ASSIGNMENT.match(word):
            at += 1
        elif name in _WRAPPERS and at + 1 < len(words):
            at = _past_options(words, at + 1, _WRAPPERS[name], 1 if name == "timeout" else 0)
        elif name in _CONTAINERS and "exec" in words[at + 1 : at + 3]:
            at = _past_options(words, words.index("exec", at) + 1, _CONTAINER_OPTIONS, 1)
        elif (name, next(iter(words[at + 1 : at + 2]), "")) in _RUNNERS:
            at = _past_options(words, at + 2, _RUNNER_OPTIONS, 0)
        else:
            return [name or word, *words[at + 1 :]]
    return []


def _past_options(words: list[str], at: int, valued: frozenset[str], operands: int) -> int:
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in valued else 1
    return at + operands


def _inner_script(command: Command) -> str:
    """The script a command runs: `bash -c SCRIPT`, `eval SCRIPT`, or a here-document fed to a shell."""
    program = command.program
    if program == "eval":
        return " ".join(command.arguments)
    if program not in _SHELLS:
        return ""
    options = list(_scripts(command.arguments))
    return options[0] if options else ("" if command.arguments[:1] else command.body)


def _scripts(words: list[str]) -> Iterator[str]:
    for option, script in pairwise(words):
        if option.startswith("-") and not option.startswith("--") and option.endswith("c"):
            yield script
