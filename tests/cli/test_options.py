"""Arguments in the words of the command."""

from __future__ import annotations

from whileai.cli.options import in_options


def test_what_rows_call_a_thing_stays_as_it_is() -> None:
    block = "  *  min_obs   +0.31\n! lower\n  min_obs\n- pass min_obs=3\ntop min_obs -> n:words"
    assert in_options(block, ["--min-obs"]) == (
        "  *  min_obs   +0.31\n! lower\n  --min-obs\n- pass --min-obs 3\ntop min_obs -> n:words"
    )
