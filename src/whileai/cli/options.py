"""What a report says of arguments, in the options of the command that prints it."""

from __future__ import annotations

import re
from collections.abc import Iterable

import typer


def options_of(context: typer.Context) -> list[str]:
    """The options of the command under way."""
    return [option for param in context.command.params for option in param.opts]


def in_options(text: str, options: Iterable[str]) -> str:
    """The text with each argument that it tells to give, or key to read, as the option of that name.

    >>> in_options('lower min_obs, or pass allow_model_gold=True', ["--min-obs", "--allow-model-gold"])
    'lower --min-obs, or pass --allow-model-gold'
    >>> in_options('select with truncated="drop", or add columns with features=', ["--truncated"])
    'select with --truncated drop, or add columns with features='
    """
    flags = {option[2:].replace("-", "_"): option for option in options if option.startswith("--")}
    if not flags:
        return text
    names = "|".join(map(re.escape, flags))
    text = re.sub(rf'report\["({names})"\]', lambda found: flags[found[1]], text)
    text = re.sub(
        rf'(?<![\w.-])({names})=(?:True\b|"(\w+)")?',
        lambda found: flags[found[1]] + (f" {found[2]}" if found[2] else ""),
        text,
    )
    long = "|".join(re.escape(name) for name in flags if "_" in name)  # a name of one word is a word of the text
    return re.sub(rf"(?<![\w.:-])({long})\b(?!=)", lambda found: flags[found[1]], text) if long else text
