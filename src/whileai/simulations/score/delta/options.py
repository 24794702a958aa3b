"""What a report says of its arguments, in the options of `wai compare`."""

from __future__ import annotations

import re

_WORDS = tuple(
    (re.compile(said), option)
    for said, option in (
        (r'must_not_regress=\["([^"\s]+)"\]', r"--guard \1"),
        (r"\bmust_not_regress\s+guard", "guard"),
        (r"\bin(\s+)must_not_regress", r"with\1--guard"),
        (r"\brun_std_runs=", "--run-std-runs"),
        (r"\brun_std=", "--run-std"),
    )
)


def as_options(text: str) -> str:
    """The text with each argument that it tells to give as the option that gives it.

    >>> as_options("slipped; name it in must_not_regress if it must hold")
    'slipped; name it with --guard if it must hold'
    """
    for said, option in _WORDS:
        text = said.sub(option, text)
    return text
