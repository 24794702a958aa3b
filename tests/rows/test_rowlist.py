"""A list of rows keeps what the rows were made with."""

from __future__ import annotations

import copy
import pickle
from types import SimpleNamespace

from whileai.simulations.rows.rowlist import RowList

MORE = [{"prompt": "9"}]
TOOLS = [{"name": "get_order"}]
ROWS = RowList([{"prompt": str(i)} for i in range(5)], system_prompt="Be brief.", tools=TOOLS)


def carried(rows):
    return rows.system_prompt, rows.tools


def test_slices_sums_copies_and_pickles_keep_the_prompt_and_the_tools():
    for rows in (ROWS[1:3], ROWS + MORE, ROWS.copy(), copy.copy(ROWS), pickle.loads(pickle.dumps(ROWS))):
        assert isinstance(rows, RowList)
        assert carried(rows) == ("Be brief.", TOOLS)
    assert [row["prompt"] for row in ROWS[::2]] == ["0", "2", "4"]
    assert ROWS[1] == {"prompt": "1"}


def test_a_copy_has_tools_of_its_own():
    again = ROWS.copy()
    again.tools.append({"name": "refund"})
    assert ROWS.tools == TOOLS


def test_a_profile_gives_the_policy_as_the_system_prompt():
    source = SimpleNamespace(profile=SimpleNamespace(policy="Refund within 30 days.", tools=TOOLS))
    assert carried(RowList.like(source, [])) == ("Refund within 30 days.", TOOLS)


def test_a_plain_list_carries_nothing():
    assert carried(RowList.like([{"prompt": "Hi"}], [])) == ("", [])
    assert type(list(ROWS)) is list
