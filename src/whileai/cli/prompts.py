"""Files of prompts alone: tasks, which no format reads as rollouts."""

from __future__ import annotations

from collections.abc import Iterable


def prompts_as_rows(files: Iterable[str], source_format: str | None) -> str | None:
    """The format to read the files as: `row` where each begins with a prompt alone, else the one given."""
    if source_format is not None:
        return source_format
    return "row" if all(map(_begins_with_a_prompt, files)) else None


def _begins_with_a_prompt(file: str) -> bool:
    from whileai.simulations.errors import ReadError
    from whileai.simulations.rows.formats.trl import is_prompt_alone
    from whileai.simulations.rows.load import load_rows

    if file == "-":
        return False  # it cannot be read twice
    try:
        head = next(iter(load_rows(file, format="row", strict=True)), None)
    except ReadError:
        return False
    return head is not None and is_prompt_alone(head)
