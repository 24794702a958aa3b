"""What the programs of a shell script do to files: what is written, what changes, what only reads."""

from __future__ import annotations

import re

from whileai.simulations.rows.names import words_in
from whileai.simulations.rows.patch import added_text, is_patch, patched_files
from whileai.simulations.rows.runners import BUILD_PROGRAMS, is_python, plain_words, runs_checks, runs_tests
from whileai.simulations.rows.shell import Command

SEARCHES = words_in(
    """
    grep egrep fgrep zgrep rg ag ack
    """
)
SQL_CLIENTS = words_in(
    """
    psql mysql mariadb sqlite3 sqlite duckdb sqlcmd clickhouse-client cockroach bq
    """
)
_READERS = (
    words_in(
        """
    ls ll cat bat head tail less more wc echo printf pwd cd pushd popd which type whereis test [ [[ true false :
    sort uniq cut tr awk gawk nl tac rev column jq yq tree file stat du df ps env printenv set export unset date
    whoami id hostname uname sleep diff cmp comm md5sum sha1sum sha256sum xxd od hexdump strings history alias man
    seq basename dirname realpath readlink clear exit return break continue local read shift wait ping dig
    nslookup fd locate lsof top free uptime arch getconf lscpu declare trap ulimit umask hash let expr bc paste
    fold fmt join look cal locale tty groups nproc pgrep netstat ss in esac case [[ ]]
    """
    )
    | SEARCHES
)
_GIT_READS = words_in(
    """
    status log diff show blame grep ls-files ls-tree rev-parse describe shortlog cat-file reflog remote config
    check-ignore merge-base rev-list whatchanged version help fetch
    """
)
_LISTS = words_in(
    """
    -l --list -r --remotes -a --all -v -vv --contains --no-contains --merged --no-merged --points-at --show-current
    --sort --format -n
    """
)
_PACKAGE_READS = words_in(
    """
    list ls show freeze view outdated why info check search audit
    """
)
_FILE_PROGRAMS = words_in(
    """
    tee mv cp rm rmdir mkdir touch ln install patch truncate unlink dd chmod chown shred unzip tar wget rsync
    """
)
_SQL_CHANGE = re.compile(
    r"\b(?:insert\s++into|update\s++\S++\s++set|delete\s++from|drop|create|alter|truncate|replace\s++into"
    r"|merge\s++into)\b",
    re.I,
)
_CODE_CHANGE = re.compile(
    r"write|['\"][wax]b?\+?['\"]|replace\(|remove|unlink|rename|rmtree|dump\(|\bto_\w++\(|system|subprocess"
    r"|commit|post\(|put\(|save|mkdir|copy|move",
    re.I,
)
_NO_FILE = re.compile(r"/dev/(?:null|stdout|stderr|tty|fd/\d+)|&?\d+|-")
_FORMATTERS = frozenset(["black", "isort", "yapf", "autopep8", "gofmt", "rustfmt", "standard"])
_ONLY_SHOWS = frozenset(["--check", "--diff", "-l", "-d", "--list-different", "-c", "--check-only"])
_FIXES = words_in(
    """
    --fix --write -w --fix-only format fmt --in-place -i
    """
)


def files_written(command: Command) -> list[str]:
    """The files a command writes, moves or removes by name: redirects, `sed -i`, `tee`, `mv`, `cp`, `rm`, patches.

    >>> from whileai.simulations.rows.shell import read_script
    >>> [files_written(read_script(s)[0]) for s in ("sed -i 's/a/b/' x.py", "ls 2>/dev/null > out", "rm -f a b")]
    [['x.py'], ['out'], ['a', 'b']]
    """
    files = [name for name in command.writes if not _NO_FILE.fullmatch(name)]
    program, words = command.program, command.arguments
    plain = plain_words(words)
    if program == "sed" and edits_in_place(command):
        files += _past_expressions(words)
    elif program == "perl" and edits_in_place(command):
        files += plain[1:]
    elif program in ("tee", "rm", "unlink", "touch", "truncate", "mv", "shred"):
        files += [name for name in plain if not _NO_FILE.fullmatch(name)]
    elif program in ("cp", "install"):
        files += plain[-1:]
    elif program == "git" and plain[:1] in (["rm"], ["mv"]):
        files += plain[1:]
    if patch := applied_patch(command):
        files += patched_files(patch)
    return files


def applied_patch(command: Command) -> str:
    """The patch a command applies, `""` when it is not there to read.

    >>> applied_patch(Command(["git", "apply", "a.diff"], ""))
    ''
    """
    if command.program not in ("git", "patch", "apply_patch"):
        return ""
    return next((text for text in (command.body, *command.arguments) if is_patch(text)), "")


def edits_in_place(command: Command) -> bool:
    """Whether a `sed` or `perl` command edits files in place.

    >>> edits_in_place(Command(["sed", "-ni", "p", "x"], "")), edits_in_place(Command(["sed", "-n", "p", "x"], ""))
    (True, False)
    """
    return any(
        word.startswith("--in-place") or (word.startswith("-") and not word.startswith("--") and "i" in word)
        for word in command.arguments
    )


def _past_expressions(words: list[str]) -> list[str]:
    """The files among the words of a `sed` command: all that is no option and no expression."""
    valued = [at + 1 for at, word in enumerate(words) if word in ("-e", "-f", "--expression", "--file")]
    files = [word for at, word in enumerate(words) if at not in valued and not word.startswith("-")]
    return files if valued else files[1:]


def text_written(command: Command) -> str:
    """The text a command puts into files: a here-document, what `echo` says, what `sed -i` replaces with.

    >>> from whileai.simulations.rows.shell import read_script
    >>> [text_written(read_script(s)[0]) for s in ("echo hi > a", "sed -i 's/a/b # noqa/' x", "cat a")]
    ['hi', 'b # noqa', '']
    """
    program = command.program
    if patch := applied_patch(command):
        return added_text(patch)
    if program in ("sed", "perl") and edits_in_place(command):
        found = (_replacement(word) for word in command.arguments if not word.startswith("-"))
        return "\n".join(filter(None, found))
    if command.body and (command.writes or program == "tee"):
        return command.body
    if program in ("echo", "printf") and command.writes:
        return " ".join(command.arguments)
    return ""


def _replacement(expression: str) -> str:
    """What a `sed` expression puts in: the second part of `s/a/b/`, the text of `a\\`, `i\\`, `c\\`."""
    found = re.match(
        r"[\d,$~+\s]*+(?:/[^/]*+/)?[\d,$\s]*+(?:s(?P<mark>[^\w\s])|[aic]\\?\s*+(?P<text>.*+))", expression, re.S
    )
    if found is None:
        return ""
    if found["text"] is not None:
        return found["text"]
    parts = re.split(r"(?<!\\)" + re.escape(found["mark"]), expression[found.end() :], maxsplit=2)
    return parts[1] if len(parts) > 1 else ""


def sql_changes(statement: str) -> bool:
    """Whether an SQL statement changes data or tables.

    >>> sql_changes("update orders set paid = 1"), sql_changes("select * from updates")
    (True, False)
    """
    return _SQL_CHANGE.search(statement) is not None


def changes(command: Command) -> bool:
    """Whether a command changes something, as far as its words tell.

    >>> from whileai.simulations.rows.shell import read_script
    >>> [changes(read_script(s)[0]) for s in ("git apply a.diff", "mkdir x", "git log", "pytest")]
    [True, True, False, False]
    """
    program, words = command.program, command.arguments
    if files_written(command):
        return True
    if program in _FILE_PROGRAMS:
        return not (program == "tee" and all(_NO_FILE.fullmatch(word) for word in plain_words(words)))
    if program == "git":
        sub = _git_words(words)
        if sub[:1] in (["branch"], ["tag"]):
            return _names_changed(sub[1:])
        return bool(sub) and sub[0] not in _GIT_READS
    if program in SQL_CLIENTS:
        return sql_changes(" ".join([*words, command.body]))
    if program == "find":
        return "-delete" in words
    return program == "apply_patch"


def _names_changed(options: list[str]) -> bool:
    """Whether `git branch` or `git tag` makes, moves or deletes a name, and does not only list."""
    return bool(plain_words(options)) and _LISTS.isdisjoint(options)


def only_reads(command: Command) -> bool:
    """Whether a command surely changes nothing: readers, searches, test runs and checks that fix nothing.

    >>> from whileai.simulations.rows.shell import read_script
    >>> [only_reads(read_script(s)[0]) for s in ("cat a", "python fix.py", "pytest -q", "ruff check --fix")]
    [True, False, True, False]
    """
    if changes(command):
        return False
    program, words = command.program, command.arguments
    if not program or program in _READERS or program in ("git", "sed", "perl") or program in SQL_CLIENTS:
        return program != "perl"
    if program == "find":
        return not any(word.startswith(("-exec", "-ok")) for word in words)
    if program == "curl":
        return not any(
            re.match(r"-[A-Za-z]*[dXFTo]|--(?:data|request|form|upload|json|output)", word) for word in words
        )
    if program in ("pip", "pip3", "npm", "yarn", "pnpm", "conda", "docker", "kubectl", "gh", "brew", "apt"):
        first = next(iter(plain_words(words)), "")
        return first in _PACKAGE_READS or first in ("ps", "logs", "get", "describe") or runs_tests(command)
    if is_python(program) and not plain_words(words)[:1]:
        return any(word in ("-V", "--version") for word in words) or (
            bool(command.body) and not _CODE_CHANGE.search(command.body)
        )
    if is_python(program) and "-c" in words:
        return not _CODE_CHANGE.search(" ".join(words))
    if any(word in ("--version", "-V", "--help") for word in words):
        return True
    if program in _FORMATTERS and _ONLY_SHOWS.isdisjoint(words):
        return False
    return (runs_tests(command) or (runs_checks(command) and program not in BUILD_PROGRAMS)) and _FIXES.isdisjoint(
        words
    )


def _git_words(words: list[str]) -> list[str]:
    """The words from the sub-command of git on."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in ("-C", "-c", "--git-dir", "--work-tree") else 1
    return words[at:]
