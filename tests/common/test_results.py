"""What every public function returns: plain values that travel as JSON and pickle, and print what nobody can misuse."""

from __future__ import annotations

import json
import pickle
import re
from typing import Any

import pytest

from common.given import hostile_rows, rows
from common.plain import odd_parts, text, values
from common.registry import CASES, MADE, Case
from tables import each_of

RESULTS = [case for case in CASES if not case.live]
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")

pytestmark = pytest.mark.filterwarnings("ignore")


@each_of("case", RESULTS)
def test_a_result_is_plain_values_that_json_takes(case: Case) -> None:
    result = values(case.call(rows()))
    assert list(odd_parts(result)) == []
    json.dumps(result, allow_nan=False)


@each_of("case", RESULTS)
def test_a_result_pickles_and_comes_back_equal(case: Case) -> None:
    result = case.call(rows())
    back = pickle.loads(pickle.dumps(result))
    assert (type(back), text(back), str(back)) == (type(result), text(result), str(result))


@each_of("case", CASES)
def test_hostile_text_is_shown_and_not_obeyed(case: Case) -> None:
    result = case.call(hostile_rows())
    parts = result if isinstance(result, tuple) else (result,)
    printed = [printed for part in parts for printed in (str(part), repr(part))]
    assert [UNSEEN.findall(said) for said in printed] == [[] for _ in printed]


@each_of("name", MADE)
def test_what_a_public_class_makes_pickles_and_prints(name: str) -> None:
    made = MADE[name]()
    back = pickle.loads(pickle.dumps(made))
    assert type(back) is type(made)
    assert (_said(back), text(_parts(back))) == (_said(made), text(_parts(made)))


def _parts(made: Any) -> Any:
    return vars(made) if hasattr(made, "__dict__") else made


def _said(made: Any) -> list[str]:
    return [re.sub("0x[0-9a-f]+", "", said) for said in (str(made), repr(made))]
