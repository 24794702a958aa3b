"""What a report says of arguments, in the options of the command that prints it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import typer

_COMMANDS = {"hack_scan": "wai scan", "run_judge": "wai grade"}  # functions a message sends to without arguments
_MESSAGE = re.compile(r"^[!-] .*(?:\n  .*)*", re.MULTILINE)  # a warning or a note, with the lines it is wrapped to


def options_of(context: typer.Context) -> list[str]:
    """The options of the command under way."""
    return [option for param in context.command.params for option in param.opts]


def in_options(block: str, options: Iterable[str]) -> str:
    """A report's block with each argument that a message tells to give, or key to read, as the option of that name.

    A function that it tells to call is the command that does it.

    Other lines hold what rows call things, and stay.

    >>> print(in_options("min_obs  0.31\\n! lower min_obs, or pass endorsed=True", ["--min-obs", "--endorsed"]))
    min_obs  0.31
    ! lower --min-obs, or pass --endorsed
    >>> in_options('! select with truncated="drop", or add columns with features=', ["--truncated"])
    '! select with --truncated drop, or add columns with features='
    >>> in_options("! look at hack_scan before training", ["--truncated"])
    '! look at wai scan before training'
    """
    flags = {option[2:].replace("-", "_"): option for option in options if option.startswith("--")}
    if not flags:
        return block
    block = re.sub(rf'report\["({_any(flags)})"\]', lambda found: flags[found[1]], block)
    return _MESSAGE.sub(lambda found: _reworded(found[0], flags), block)


def _reworded(message: str, flags: Mapping[str, str]) -> str:
    message = re.sub(
        rf'(?<![\w.-])({_any(flags)})=(?:True\b|"?(\w+)"?)?',
        lambda found: flags[found[1]] + (f" {found[2]}" if found[2] else ""),
        message,
    )
    long = {name: flag for name, flag in flags.items() if "_" in name}  # a name of one word is a word of the text
    words = {**_COMMANDS, **long, **({"attach_labels": "--gold"} if "gold" in flags else {})}
    return re.sub(rf"(?<![\w.:-])({_any(words)})\b(?![=(])", lambda found: words[found[1]], message)


def _any(names: Iterable[str]) -> str:
    return "|".join(map(re.escape, names))
